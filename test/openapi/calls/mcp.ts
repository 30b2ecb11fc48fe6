/** Calls of the MCP server. */

import type { Caller, CallRequest, CallTable } from '../caller.js';
import { callRejectedBodies } from './rejected-bodies.js';

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
  await callPage(caller);
  await callOldTransport(caller);
  await callSettings(caller);
  await callTestPlan(caller);
};

async function callPage(caller: Caller): Promise<void> {
  const html = { Accept: 'text/html' };
  const { etag = '' } = (await caller.call('getMcp', 'The page', { headers: html, isNoExample }))
    .headers;
  const again = { ...html, 'If-None-Match': etag };
  await caller.call('getMcp', 'The page is current', { headers: again, isNoExample });
}

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
  await caller.call('getMcp', 'No session', { isNoExample });
  await caller.call('deleteMcp', 'Its end', { headers: own, isNoExample });
  await caller.call('deleteMcp', 'No session', { isNoExample });
}

async function callOldTransport(caller: Caller): Promise<void> {
  // The service can learn of the cut after the next calls, which count streams.
  const own = { 'X-Sandbox': 'mcp-sse' };
  await caller.call('getMcpSse', 'A stream', { headers: own, isStreamCut: true, isNoExample });
}

async function callSettings(caller: Caller): Promise<void> {
  const misbehave = 'unknown-id';
  await caller.call('putSandboxMcp', 'A misbehaviour', { headers, json: { misbehave } });
  await caller.call('putSandboxMcp', 'Its end', { headers, json: { misbehave: null } });
  await caller.call('putSandboxMcp', 'An unknown one', { headers, json: { misbehave: 'maybe' } });
  await caller.call('putSandboxMcp', 'In the shared sandbox', { json: { misbehave } });
  await callRejectedBodies(caller, 'putSandboxMcp');
  await caller.call('getSandboxMcp', 'The state', { headers });
  await caller.call('getSandboxMcp', 'In the shared sandbox');
  await caller.call('getSandboxMcpSessions', 'The sessions', { headers, isNoExample });
  await caller.call('getSandboxMcpSessions', 'In the shared sandbox');
  await caller.call('getSandboxMcpFindings', 'The findings', { headers, isNoExample });
  await caller.call('getSandboxMcpMessages', 'The messages', { headers, isNoExample });
  await caller.call('deleteSandboxMcpFindings', 'A new beginning', { headers });
  // Other responses have ids of requests.
  await caller.call('deleteSandboxMcpFindings', 'In the shared sandbox');
  await caller.call('getSandboxMcpFindings', 'In the shared sandbox');
  await caller.call('getSandboxMcpMessages', 'In the shared sandbox');
}

async function callTestPlan(caller: Caller): Promise<void> {
  await caller.call('getMcpTestPlan', 'The whole plan', { isNoExample });
  const begun = await caller.call('postMcpTestPlanRuns', 'A run', { isNoExample });
  const run = begun.headers.location?.split('/').at(-1) ?? '';
  await caller.call('getMcpTestPlanRunsByRun', 'Its report', { path: { run }, isNoExample });
  await caller.call('getMcpTestPlanRunsByRun', 'An unknown run', { path: { run: 'yesterday' } });
  const json = { outcome: 'refused' };
  const path = { run, name: 'unknown-id' };
  const report = 'putMcpTestPlanRunsByRunByName';
  await caller.call(report, 'A reported rejection', { path, json, isNoExample });
  await caller.call(report, 'No outcome', { path, json: { outcome: 'maybe' } });
  await caller.call(report, 'An unknown run', { path: { ...path, run: 'yesterday' }, json });
}
