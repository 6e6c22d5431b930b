// The list of formats. A new one is a file beside this one, a name in FORMAT_NAMES and a line here.
import type { FormatName } from '../record.ts';
import { agentgateway } from './agentgateway.ts';
import { apisix } from './apisix.ts';
import { awsAlb } from './aws-alb.ts';
import { awsApiGateway } from './aws-api-gateway.ts';
import { awsElb } from './aws-elb.ts';
import { caddy } from './caddy.ts';
import { cloudflare } from './cloudflare.ts';
import { cloudfront } from './cloudfront.ts';
import { combined } from './combined.ts';
import type { Format } from './format.ts';
import { envoy } from './envoy.ts';
import { haproxy } from './haproxy.ts';
import { ingressNginx } from './ingress-nginx.ts';
import { istio } from './istio.ts';
import { json } from './json.ts';
import { mcpTranscript } from './mcp-transcript.ts';
import { nginxProxyManager } from './nginx-proxy-manager.ts';
import { tagged } from './tagged.ts';
import { traefik } from './traefik.ts';
import { uvicorn } from './uvicorn.ts';
import { gcpLoadBalancer } from './gcp-load-balancer.ts';
import { azureFrontDoor } from './azure-front-door.ts';
import { azureApplicationGateway } from './azure-application-gateway.ts';
import { azureApimMcp } from './azure-apim-mcp.ts';
import { fastly } from './fastly.ts';
import { vercel } from './vercel.ts';
import { kong } from './kong.ts';
import { tyk } from './tyk.ts';
import { contextforge } from './contextforge.ts';
import { litellm } from './litellm.ts';
import { fastmcp } from './fastmcp.ts';
import { dockerMcpGateway } from './docker-mcp-gateway.ts';
import { pinoHttp } from './pino-http.ts';
import { chi } from './chi.ts';
import { morgan } from './morgan.ts';
import { hono } from './hono.ts';
import { httpx } from './httpx.ts';
import { aiohttp } from './aiohttp.ts';
import { hypercorn } from './hypercorn.ts';
import { supergateway } from './supergateway.ts';
import { mcpRemote } from './mcp-remote.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { envoyAiGateway } from './envoy-ai-gateway.ts';
import { w3c } from './w3c.ts';
import { tomcat } from './tomcat.ts';
import { har } from './har.ts';
import { otlp } from './otlp.ts';
import { vscode } from './vscode.ts';

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  tagged,
  supergateway,
  'mcp-remote': mcpRemote,
  'claude-desktop': claudeDesktop,
  vscode,
  'mcp-transcript': mcpTranscript,
  caddy,
  agentgateway,
  'gcp-load-balancer': gcpLoadBalancer,
  'azure-front-door': azureFrontDoor,
  'azure-application-gateway': azureApplicationGateway,
  'azure-apim-mcp': azureApimMcp,
  fastly,
  vercel,
  traefik,
  apisix,
  kong,
  tyk,
  contextforge,
  litellm,
  fastmcp,
  'docker-mcp-gateway': dockerMcpGateway,
  'pino-http': pinoHttp,
  istio,
  envoy,
  'aws-api-gateway': awsApiGateway,
  cloudflare,
  'envoy-ai-gateway': envoyAiGateway,
  cloudfront,
  tomcat,
  har,
  otlp,
  json,
  'aws-alb': awsAlb,
  'aws-elb': awsElb,
  'ingress-nginx': ingressNginx,
  'nginx-proxy-manager': nginxProxyManager,
  haproxy,
  chi,
  morgan,
  hono,
  httpx,
  aiohttp,
  hypercorn,
  w3c,
  combined,
  uvicorn,
};
