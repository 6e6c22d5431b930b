// Whose words are these: RPC methods and paths by which MCP and A2A are known.

/** Methods that only A2A has; its `tasks/get` and `tasks/cancel` exist in MCP too. */
const AGENT_METHODS: ReadonlySet<string> = new Set([
  'message/send',
  'message/stream',
  'tasks/send',
  'tasks/sendSubscribe',
  'tasks/resubscribe',
  'agent/getAuthenticatedExtendedCard',
  'agent/authenticatedExtendedCard',
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
]);
const AMBIGUOUS_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/cancel', 'tasks/list']);

/** Returns whether only A2A has this RPC method. */
export function isAgentMethod(rpcMethod: string | null): boolean {
  return rpcMethod !== null && (AGENT_METHODS.has(rpcMethod) || rpcMethod.startsWith('tasks/pushNotification'));
}

/** Returns whether an RPC method says MCP by itself: anything that A2A does not have. */
export function isContextMethod(rpcMethod: string | null): boolean {
  return rpcMethod !== null && !isAgentMethod(rpcMethod) && !AMBIGUOUS_METHODS.has(rpcMethod);
}

/** The server capability without which a method is not offered, by the first part of its name. */
const GATES: ReadonlyMap<string, string> = new Map([
  ['tools', 'tools'],
  ['resources', 'resources'],
  ['prompts', 'prompts'],
  ['completion', 'completions'],
  ['logging', 'logging'],
  ['tasks', 'tasks'],
]);

/** Returns the capability that an MCP method needs, if it needs any. */
export function maybeGate(rpcMethod: string): string | undefined {
  return GATES.get(rpcMethod.split('/', 1)[0] ?? '');
}

/** Returns the last segment of a path, a slash at its end aside. */
export function lastSegment(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

const ENDPOINT_NAMES: ReadonlySet<string> = new Set(['mcp', 'sse', 'messages']);

/** Returns whether a path has the name that MCP endpoints usually have. */
export function isNamedLikeEndpoint(path: string): boolean {
  return ENDPOINT_NAMES.has(lastSegment(path)) && !path.includes('/.well-known/');
}

const WORDS: ReadonlySet<string> = new Set(
  'mcp sse messages message rpc jsonrpc a2a v1 v2 api agent agents tools tool stream streamable streamable-http http-stream invoke'.split(
    ' ',
  ),
);
const ASSET = /\.(?:css|gif|html?|ico|jpe?g|js|map|png|svg|txt|webp|woff2?|xml)$/i;

/** Returns the words of a path, lower case. */
export function tokensOf(path: string): string[] {
  return path
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** Returns whether a path is made of the protocols' words or of those of declared paths. */
export function isProtocolShaped(path: string, declaredTokens: ReadonlySet<string>): boolean {
  return !ASSET.test(path) && tokensOf(path).some((token) => WORDS.has(token) || declaredTokens.has(token));
}
