/** Calls of the MCP server: messages of both kinds of clients, whose headers follow from the body or an earlier response. */

import type { Caller, CallRequest, CallTable } from '../caller.js';

const revision = '2026-07-28';
const isNoExample = true;
const accept = 'application/json, text/event-stream';
const headers = { 'X-Sandbox': 'mcp' };

function message(method: string, params: object = {}, sent: object = {}): CallRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'example', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    headers: {
      ...headers,
      Accept: accept,
      'MCP-Protocol-Version': revision,
      'Mcp-Method': method,
      ...sent,
    },
    json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  };
}

const greeting = message(
  'tools/call',
  { name: 'greet', arguments: { name: 'World' } },
  { 'Mcp-Name': 'greet' },
);

export const callMcp: CallTable = async (caller) => {
  await callSession(caller);
  await caller.call('postMcp', 'A tool', { ...greeting, isNoExample });
  await caller.call('postMcp', 'An unknown method', { ...message('tools/other'), isNoExample });
  await callOldTransport(caller);
};

const initialize = (protocolVersion: string): CallRequest => ({
  headers: { ...headers, Accept: accept },
  json: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'example', version: '1' } },
  },
});

async function callSession(caller: Caller): Promise<void> {
  const begun = await caller.call('postMcp', 'A session', initialize('2025-11-25'));
  const own = {
    ...headers,
    'MCP-Protocol-Version': '2025-11-25',
    'Mcp-Session-Id': begun.headers['mcp-session-id'] ?? '',
  };
  const listening = { headers: { ...own, Accept: 'text/event-stream' }, isNoExample } as const;
  await caller.call('postMcp', 'A notification', {
    headers: { ...own, Accept: accept },
    json: { jsonrpc: '2.0', method: 'notifications/initialized' },
    isNoExample,
  });
  await caller.call('getMcp', 'Its stream', { ...listening, isStreamCut: true });
  await caller.call('deleteMcp', 'Its end', { headers: own, isNoExample });
}

async function callOldTransport(caller: Caller): Promise<void> {
  // The service can learn of the cut after the next calls, which count streams.
  const own = { 'X-Sandbox': 'mcp-sse' };
  await caller.call('getMcpSse', 'A stream', { headers: own, isStreamCut: true, isNoExample });
}
