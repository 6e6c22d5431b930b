// What a target is called.

/** Returns a target as people name it: `POST /mcp tools/call search`. */
export function targetLabel(target: Record<'http_method' | 'path' | 'rpc_method' | 'rpc_name', string | null>): string {
  const { http_method, path, rpc_method, rpc_name } = target;
  return [http_method, path, rpc_method, rpc_name].filter((word) => word !== null).join(' ');
}
