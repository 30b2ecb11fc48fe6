/** Requests of the page, in the sandbox of this browser. */

import { addressOf } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';

export interface Status {
  readonly misbehave: string | null;
  readonly sessions: number;
  readonly streams: number;
  readonly tasks: number;
  readonly running: number;
}

export interface Session {
  readonly client: string;
  readonly revision: string;
  readonly initialized: boolean;
  readonly subscriptions: number;
  readonly at: string;
}

export interface Heard {
  readonly from: string;
  readonly what: string;
  readonly requestId: string;
  readonly at: string;
}

const path = '/api/sandbox/mcp';
const at = (rest = '') => addressOf(path + rest);

export const readStatus = () => callJson<Status>(at());
export const readSessions = () => callJson<readonly Session[]>(at('/sessions'));
export const readMessages = () => callJson<readonly Heard[]>(at('/messages'));
export const misbehaveNoMore = () => callJson<Status>(at(), 'PUT', { misbehave: null });

const revision = '2026-07-28';
const meta = 'io.modelcontextprotocol/';

let nextId = 1;

/** Calls a tool as a right client does, and returns its text. */
export async function callGreet(name: string): Promise<string> {
  const params = {
    name: 'greet',
    arguments: { name },
    _meta: {
      [`${meta}protocolVersion`]: revision,
      [`${meta}clientInfo`]: { name: 'page', version: '1.0.0' },
      [`${meta}clientCapabilities`]: {},
    },
  };
  const body = {
    jsonrpc: '2.0',
    id: nextId++,
    method: 'tools/call',
    params,
  };
  const response = await callJson<{
    readonly result?: { readonly content: readonly { readonly text: string }[] };
    readonly error?: { readonly message: string };
  }>(addressOf('/mcp'), 'POST', body, {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'greet',
  });
  if (response.result === undefined) throw new Error(response.error?.message ?? 'No result.');
  return response.result.content[0]?.text ?? '';
}
