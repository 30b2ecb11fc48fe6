/** Clients of the Model Context Protocol that open too much, or send large messages. */

import { attacksOf } from '../attacker.js';
import { held } from '../reach.js';
import { holdAndReset } from './held-requests.js';

const revision = '2026-07-28';
const accept = 'application/json, text/event-stream';
const sandbox = { 'X-Sandbox': 'mcp-attack' };

/**
 * @param {string} method
 * @param {Record<string, unknown>} params
 * @param {Record<string, string>} [sent]
 */
function message(method, params, sent = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const { name, _meta: more = {} } = params;
  return {
    headers: {
      ...sandbox,
      Accept: accept,
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': revision,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
      ...sent,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: { ..._meta, .../** @type {object} */ (more) } },
    }),
  };
}

/** @param {string} protocolVersion */
const initialize = (protocolVersion) => ({
  headers: { ...sandbox, Accept: accept, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'x'.repeat(16_000), version: '1' },
    },
  }),
});

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} target
 * @param {{headers: Record<string, string>, body: string}} parts
 */
const bytesOf = (attacker, target, parts) =>
  attacker.bytes('POST', target, { ...attacker.sameAccount, ...parts });

const filter = {
  notifications: {
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: Array.from({ length: 100 }, (_, id) => `practice://books/${id}`),
  },
};

/** @type {readonly import('../attacker.js').Attack[]} */
export const mcpAttacks = attacksOf(
  {
    'MCP sessions with large clientInfo': (attacker) =>
      attacker.repeat(8, () =>
        attacker.ask('POST', '/mcp', { ...attacker.sameAccount, ...initialize('2025-11-25') }),
      ),
    '2,000 MCP subscriptions, then reset': (attacker) => {
      const request = bytesOf(attacker, '/mcp', message('subscriptions/listen', filter));
      return holdAndReset(attacker, 2000, () => request);
    },
    '2,000 slow MCP calls, then reset': {
      reaches: held,
      run(attacker) {
        const params = { name: 'slow', arguments: { seconds: 60 } };
        const request = bytesOf(attacker, '/mcp', message('tools/call', params));
        return holdAndReset(attacker, 2000, () => request);
      },
    },
    '2,000 endless MCP streams, then reset': (attacker) => {
      const params = { name: 'greet', arguments: { name: 'Ada' } };
      const target = '/mcp?misbehave=endless-stream';
      const request = bytesOf(attacker, target, message('tools/call', params));
      return holdAndReset(attacker, 2000, () => request);
    },
    'MCP results of 1 MiB': (attacker) =>
      attacker.repeat(8, () =>
        attacker.ask('POST', '/mcp', {
          ...attacker.sameAccount,
          ...message('tools/call', { name: 'one_mebibyte', arguments: {} }),
        }),
      ),
    'MCP messages that break all rules': (attacker) =>
      attacker.repeat(8, (turn) => {
        const meta = Object.fromEntries(
          Array.from({ length: 5000 }, (_, key) => [`a key ${key}`, turn]),
        );
        const { headers, body } = message('tools/call', { name: 5, arguments: [], _meta: meta });
        return attacker.ask('POST', '/mcp', { ...attacker.sameAccount, headers, body });
      }),
    'MCP batches of 6,000 messages': {
      reaches: 400,
      run(attacker) {
        const body = `[${Array.from({ length: 6000 }, () => '{"jsonrpc":"2.0","id":{}}').join()}]`;
        const headers = { ...sandbox, Accept: accept, 'Content-Type': 'application/json' };
        return attacker.repeat(8, () =>
          attacker.ask('POST', '/mcp', { ...attacker.sameAccount, headers, body }),
        );
      },
    },
    'MCP messages of 1 MiB that keep the rules': (attacker) => {
      const text = 'a'.repeat(1_000_000);
      const { headers, body } = message('tools/call', { name: 'greet', arguments: { name: text } });
      return attacker.repeat(8, () =>
        attacker.ask('POST', '/mcp', { ...attacker.sameAccount, headers, body }),
      );
    },
    'runs of the MCP test plan': {
      reaches: 201,
      run: (attacker) =>
        attacker.repeat(8, () =>
          attacker.ask('POST', '/mcp/test-plan/runs', {
            ...attacker.sameAccount,
            headers: sandbox,
          }),
        ),
    },
  },
  { reaches: 200 },
);
