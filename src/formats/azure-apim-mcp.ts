// The MCP table of Azure API Management's gateway log: one row a call, from Log Analytics or as a diagnostics record.
import type { AccessRecord } from '../record.ts';
import { parseAddress } from './address.ts';
import type { Format, ParseContext, Parsed } from './format.ts';
import { normalizeKey } from './headers.ts';
import { sessionOf } from './identity.ts';
import { memberOf, objectParser, textOf } from './json-text.ts';
import { parseCode } from './numbers.ts';
import { blankRecord, readRpcMethod, readRpcName, readTarget, readUserAgent } from './request.ts';
import { withSignal, wordingOf } from './signal.ts';
import { parseStamp } from './time.ts';

const TABLE = /^(?:ApiManagement)?GatewayMcpLogs?$/i;

/** Returns whether an object is a row of the table. */
export function isApimMcp(object: Record<string, unknown>): boolean {
  return TABLE.test(textOf(object['Type'])) || TABLE.test(textOf(object['category'])) || TABLE.test(textOf(object['Category']));
}

function read(object: Record<string, unknown>, { timeZone }: ParseContext): Parsed {
  const columns = new Map(
    Object.entries({ ...object, ...memberOf(object, 'properties') }).map(([key, value]) => [normalizeKey(key), textOf(value)]),
  );
  const column = (name: string): string => columns.get(name) ?? '';
  const stamp = parseStamp(column('timegenerated') || column('time'), timeZone);
  if (stamp === null) return { reject: 'bad_time' };
  if (column('method') === '') return { reject: 'bad_fields' };

  const record = blankRecord();
  record.ts = stamp.us;
  record.address = parseAddress(column('calleripaddress'));
  const client = column('clientname');
  if (client !== '') readUserAgent(record, [client, column('clientversion')].filter((part) => part !== '').join('/'));
  readRpcMethod(record, column('method'));
  readRpcName(record, column('toolname'));
  readEndpoint(record, column('mcpserverendpoint'));
  record.session = sessionOf(column('sessionid'));
  if (record.session !== null) record.signal = withSignal(record.signal, 'has_session', 'yes');
  readError(record, column('error'), column('errortype'));
  record.correlation = column('correlationid').toLowerCase() || null;
  return { records: [record] };
}

function readEndpoint(record: AccessRecord, endpoint: string): void {
  if (endpoint.startsWith('/') || endpoint.includes('://')) readTarget(record, endpoint);
}

/** The columns may hold a code, a name or a text; without an error they are empty. */
function readError(record: AccessRecord, error: string, type: string): void {
  const isError = error !== '' || type !== '';
  record.signal = withSignal(record.signal, 'rpc_outcome', isError ? 'error' : 'result');
  if (!isError) return;
  record.signal = withSignal(record.signal, 'rpc_code', parseCode(type) ?? parseCode(error));
  record.signal = withSignal(record.signal, 'wording', wordingOf(`${type} ${error}`));
}

export const azureApimMcp: Format = {
  name: 'azure-apim-mcp',
  title: 'Azure API Management, table ApiManagementGatewayMcpLog',
  spec: 'https://learn.microsoft.com/azure/azure-monitor/reference/tables/apimanagementgatewaymcplog',
  time: 'start',
  parse: objectParser('atewayMcpLog', isApimMcp, read),
  samples: [
    {
      line: '{"TimeGenerated":"2026-11-15T12:00:10.25Z","Type":"ApiManagementGatewayMcpLog","CorrelationId":"8F0C7C04-0000-4000-8000-000000000001","Method":"tools/call","ToolName":"search","SessionId":"s-1","ClientName":"example-client","ClientVersion":"1.2.0","McpServerEndpoint":"https://apim.example.com/orders/mcp","Error":"","ErrorType":"","_ResourceId":"/subscriptions/0/demo"}',
      expect: {
        ts: 1_794_744_010_250_000,
        user_agent: 'example-client/1.2.0',
        authority: 'apim.example.com',
        http_method: null,
        path: '/orders/mcp',
        rpc_method: 'tools/call',
        rpc_name: 'search',
        correlation: '8f0c7c04-0000-4000-8000-000000000001',
        signal: { status: null, rpc_outcome: 'result', has_session: 'yes' },
      },
    },
    {
      line: '{"time":"2026-11-15T12:00:11Z","category":"GatewayMcpLogs","properties":{"method":"tools/run","sessionId":"","error":"rate limit exceeded","errorType":"-32000"}}',
      expect: {
        rpc_method: 'tools/run',
        session: null,
        signal: { rpc_outcome: 'error', rpc_code: -32_000, wording: 'throttle' },
      },
    },
    { line: '{"TimeGenerated":"","Type":"ApiManagementGatewayMcpLog","Method":"tools/call"}', expect: { reject: 'bad_time' } },
    { line: '{"TimeGenerated":"2026-11-15T12:00:10Z","Type":"ApiManagementGatewayMcpLog"}', expect: { reject: 'bad_fields' } },
    { line: '{"TimeGenerated":"2026-11-15T12:00:10Z","Type":"ApiManagementGatewayMcpLog","Met', expect: { reject: 'truncated' } },
  ],
};
