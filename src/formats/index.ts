// The list of formats. A new one is a file beside this one, a name in FORMAT_NAMES and a line here.
import type { FormatName } from '../record.ts';
import { agentgateway } from './agentgateway.ts';
import { caddy } from './caddy.ts';
import { combined } from './combined.ts';
import type { Format } from './format.ts';
import { json } from './json.ts';
import { mcpTranscript } from './mcp-transcript.ts';
import { tagged } from './tagged.ts';
import { uvicorn } from './uvicorn.ts';

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  tagged,
  'mcp-transcript': mcpTranscript,
  caddy,
  agentgateway,
  json,
  combined,
  uvicorn,
};
