/** Messages of the Model Context Protocol, valid and damaged, with the headers that mirror them. */

import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError, parseBody } from '../judge-response.js';
import { inHeader, mutateText, oddValue } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 */

const revision = '2026-07-28';
const accept = 'application/json, text/event-stream';

/** Tools that respond at once. */
const calls = [
  { name: 'greet', arguments: { name: 'Ada' } },
  { name: 'get_record', arguments: { collection: 'books', id: 1 } },
  { name: 'list_records', arguments: { collection: 'books' } },
  { name: 'route_order', arguments: { region: 'eu', shard: 7, customer: { tier: 'gold' } } },
  { name: 'plan_faults', arguments: { rules: [] } },
  { name: 'create_bin', arguments: { name: 'Fuzz' } },
  { name: 'read_bin', arguments: { id: 'x'.repeat(22) } },
];

/** @type {readonly (readonly [string, Record<string, unknown>])[]} */
const requests = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['resources/list', { cursor: 'x' }],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'practice://books/1' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'test_simple_prompt' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'a', value: '' } },
  ],
  ['tasks/get', { taskId: 'a' }],
  ['tasks/cancel', { taskId: 'a' }],
  ['ping', {}],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'f', version: '1' } },
  ],
  ...calls.map((call) => /** @type {const} */ (['tools/call', call])),
];

/** @returns {import('../run-fuzz.js').Source} */
export function mcpMessages() {
  return { name: 'mcp', next: makeMessage };
}

/**
 * @param {Random} random
 * @returns {import('../run-fuzz.js').RequestCase}
 */
function makeMessage(random) {
  const [method, params] = random.pick(requests);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  /** @type {Record<string, unknown>} */
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  const isDamaged = random.chance(70);
  const text = isDamaged ? damage(random, message) : JSON.stringify(message);
  const path = random.pick([
    '/mcp',
    '/s/fuzz-mcp/mcp',
    '/mcp/protected',
    '/mcp?misbehave=unknown-id',
  ]);
  return {
    kind: isDamaged ? 'a damaged message' : 'a message',
    method: 'POST',
    bytes: writeRequest('POST', path, headersOf(random, method, params), asBytes(text)),
    judge: judgeRpc,
  };
}

/**
 * @param {Random} random
 * @param {string} method
 * @param {Record<string, unknown>} params
 * @returns {[string, string][]}
 */
function headersOf(random, method, params) {
  const name = params.name ?? params.uri ?? params.taskId;
  /** @type {[string, string][]} */
  const headers = [
    ['Accept', accept],
    ['Content-Type', 'application/json'],
    ['MCP-Protocol-Version', revision],
    ['Mcp-Method', method],
    ...(typeof name === 'string' ? [/** @type {[string, string]} */ (['Mcp-Name', name])] : []),
  ];
  if (random.chance(30)) {
    const odd = ['Mcp-Session-Id', 'Last-Event-ID', 'Origin', 'Authorization', 'Mcp-Param-Region'];
    headers.push([random.pick(odd), inHeader(mutateText(random, 'Bearer =?base64?QQ==?='))]);
  }
  if (!random.chance(30)) return headers;
  return headers.map(([header, value]) => [
    header,
    random.chance(30) ? inHeader(mutateText(random, value)) : value,
  ]);
}

/**
 * @param {Random} random
 * @param {Record<string, unknown>} message
 */
function damage(random, message) {
  if (random.chance(40)) return mutateText(random, JSON.stringify(message));
  if (random.chance(10)) return JSON.stringify(Array(random.below(120)).fill(message));
  const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__'];
  if (random.chance(40))
    return JSON.stringify({ ...message, [random.pick(members)]: oddValue(random) });
  const params = /** @type {object} */ (message.params);
  const inParams = [
    'name',
    'arguments',
    'uri',
    'cursor',
    '_meta',
    'ref',
    'inputResponses',
    'requestState',
  ];
  return JSON.stringify({
    ...message,
    params: { ...params, [random.pick(inParams)]: oddValue(random) },
  });
}

/**
 * Checks JSON-RPC 2.0, and that no message makes the service fail.
 *
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
function judgeRpc(response) {
  const { status, headers } = response;
  if (status >= 500 && status !== 503) return `status ${status}`;
  if (status === 202) return undefined;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return undefined;
  if (type !== 'application/json; charset=utf-8') return `of type ${type}`;
  const parsed = parseBody(response);
  // A malformed sandbox name, or URL, is rejected before the protocol is known.
  if (parsed?.status !== undefined) return judgeRestError(response);
  const messages = [parsed].flat();
  for (const each of messages) {
    if (each?.jsonrpc !== '2.0') return 'no JSON-RPC';
    const { error, result } = each;
    if ((error === undefined) === (result === undefined)) return 'not one of result and error';
    if (error === undefined) continue;
    if (!Number.isInteger(error.code) || typeof error.message !== 'string') return 'an odd error';
    if (error.code === -32603 && status < 500) return `an internal error: ${error.message}`;
  }
  return undefined;
}
