/** For each rule about clients, a right client and a wrong one. */

import { initialParams, type Message, type RuleClient } from './rule-client.js';

export interface RuleCase {
  readonly rule: string;
  readonly right: (client: RuleClient) => Promise<unknown>;
  readonly wrong: (client: RuleClient) => Promise<unknown>;
}

const failure = { code: 1, message: 'a' };

/** Calls a tool whose arguments headers mirror. */
const route = (args: object, headers: Readonly<Record<string, string>>) => (client: RuleClient) =>
  client.modern('tools/call', { name: 'route_order', arguments: args }, { headers });

const list =
  (change: object = {}) =>
  (client: RuleClient) =>
    client.modern('tools/list', {}, change);

const greet =
  (change: object = {}, params: object = {}) =>
  (client: RuleClient) =>
    client.modern('tools/call', { name: 'greet', arguments: { name: 'Ada' }, ...params }, change);

/** A rule that a request of 2026-07-28 keeps or breaks. */
const modern = (rule: string, wrong: RuleCase['wrong'], right: RuleCase['right'] = greet()) => ({
  rule,
  right,
  wrong,
});

const method =
  (name: string, params: object): RuleCase['right'] =>
  (client) =>
    client.modern(name, { ...params });

/** A rule about the parameters of a method of 2026-07-28. */
const parameters = (rule: string, name: string, wrong: object, right: object): RuleCase => ({
  rule,
  right: method(name, right),
  wrong: method(name, wrong),
});

/** A rule about a message in a session. */
const message = (rule: string, wrong: Message, right: Message, revision?: string): RuleCase => ({
  rule,
  right: async (client) => (await client.session(revision)).send(right),
  wrong: async (client) => (await client.session(revision)).send(wrong),
});

const rpc = (more: object) => ({ jsonrpc: '2.0', ...more });
const ping = rpc({ id: 'p', method: 'ping' });
const reply = (result: object) => rpc({ id: 'main-1', result });

const key = (name: string) => `io.modelcontextprotocol/${name}`;
const changed = (name: string, value?: unknown) => list({ meta: { [key(name)]: value } });

const input = (response: object) => ({
  ...{ name: 'greet', arguments: { name: 'Ada' } },
  inputResponses: { a: response },
});

const inputs = (rule: string, wrong: object, right: object): RuleCase =>
  parameters(rule, 'tools/call', input(wrong), input(right));

const cursorOf = (list: string, start: number) =>
  Buffer.from(`${list}:${start}`).toString('base64url');

const initialize =
  (params: object): RuleCase['right'] =>
  (client) =>
    client.initialize(params);

export const requestRules: readonly RuleCase[] = [
  modern('accept-both-types', list({ headers: { accept: 'application/json' } })),
  {
    rule: 'accept-event-stream',
    right: async (client) => client.listen(await client.session()),
    wrong: async (client) => client.listen(await client.session(), { accept: 'application/json' }),
  },
  modern('content-type-json', list({ headers: { 'content-type': 'text/plain' } })),
  modern('body-is-json', list({ body: '{' })),
  {
    rule: 'no-token-in-query',
    right: list({ path: '/mcp/protected' }),
    wrong: list({ path: '/mcp?access_token=a' }),
  },
  {
    rule: 'bearer-scheme',
    right: list({ path: '/mcp/protected', headers: { authorization: 'Bearer a' } }),
    wrong: list({ path: '/mcp/protected', headers: { authorization: 'Basic a' } }),
  },
  modern('version-header', list({ headers: { 'mcp-protocol-version': '2025-11-25' } })),
  modern('method-header', list({ headers: { 'mcp-method': 'tools/call' } })),
  modern('name-header', greet({ headers: { 'mcp-name': 'slow' } })),
  {
    rule: 'argument-headers',
    right: (client) =>
      client.modern(
        'tools/call',
        { name: 'route_order', arguments: { region: 'eu', shard: 7 } },
        { headers: { 'mcp-param-region': 'eu', 'mcp-param-shard': '7' } },
      ),
    wrong: (client) =>
      client.modern(
        'tools/call',
        { name: 'route_order', arguments: { region: 'eu' } },
        { headers: { 'mcp-param-region': 'us' } },
      ),
  },
  {
    rule: 'no-headers-of-absent-arguments',
    right: route({ region: 'eu', shard: null }, { 'mcp-param-region': 'eu' }),
    wrong: route({ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-shard': '7' }),
  },
  modern('header-encoding', greet({ headers: { 'mcp-name': '=?base64?x?=' } })),
  modern('no-session-header', list({ headers: { 'mcp-session-id': 'a' } })),
  modern('no-resumption', list({ headers: { 'last-event-id': 'a' } })),
  modern('no-responses', list({ message: () => reply({}) })),
  {
    rule: 'session-version-header',
    right: async (client) => (await client.session()).send(ping),
    wrong: async (client) =>
      (await client.session()).send(ping, { 'mcp-protocol-version': undefined }),
  },
  {
    rule: 'negotiated-version',
    right: async (client) => (await client.session()).send(ping),
    wrong: async (client) =>
      (await client.session()).send(ping, { 'mcp-protocol-version': '2025-06-18' }),
  },
  {
    rule: 'initialized-first',
    right: async (client) => (await client.session()).request('tools/list'),
    wrong: (client) => client.beginAndList(),
  },
  message(
    'initialize-once',
    rpc({ id: 'again', method: 'initialize', params: initialParams }),
    ping,
  ),
  message('batches-by-revision', [ping], ping),
  {
    rule: 'event-id-form',
    right: async (client) => client.listen(await client.session(), { 'last-event-id': 'main_0' }),
    wrong: async (client) => client.listen(await client.session(), { 'last-event-id': 'a b' }),
  },
  modern('jsonrpc-version', list({ message: (each: object) => ({ ...each, jsonrpc: '1.0' }) })),
  modern('id-type', list({ message: (each: object) => ({ ...each, id: null }) })),
  modern('params-object', list({ message: (each: object) => ({ ...each, params: [] }) })),
  message(
    'notification-without-id',
    rpc({ id: 'n', method: 'notifications/initialized' }),
    rpc({ method: 'notifications/initialized' }),
  ),
  message('request-with-id', rpc({ method: 'tools/list' }), ping),
  message('result-or-error', rpc({ id: 'main-1', result: {}, error: failure }), reply({})),
  message(
    'error-form',
    rpc({ id: 'main-1', error: { code: 'a' } }),
    rpc({ id: 'main-1', error: failure }),
  ),
  modern('meta-version', changed('protocolVersion')),
  modern('meta-capabilities', changed('clientCapabilities')),
  modern('meta-client', changed('clientInfo')),
  modern('meta-log-level', changed('logLevel', 'loud'), changed('logLevel', 'debug')),
  modern('meta-keys', list({ meta: { 'a key': 1 } }), list({ meta: { 'com.example/key': 1 } })),
  modern(
    'progress-token',
    list({ meta: { progressToken: 1.5 } }),
    list({ meta: { progressToken: 1 } }),
  ),
  {
    rule: 'initialize-version',
    right: initialize({ protocolVersion: '2025-11-25' }),
    wrong: initialize({ protocolVersion: 'latest' }),
  },
  {
    rule: 'initialize-capabilities',
    right: initialize({ capabilities: {} }),
    wrong: initialize({ capabilities: [] }),
  },
  {
    rule: 'initialize-client',
    right: initialize({ clientInfo: { name: 'a', version: '1' } }),
    wrong: initialize({ clientInfo: { name: 'a' } }),
  },
  parameters('name-of-call', 'tools/call', { name: 5 }, { name: 'greet' }),
  parameters(
    'arguments-object',
    'tools/call',
    { name: 'greet', arguments: [] },
    { name: 'greet', arguments: { name: 'Ada' } },
  ),
  parameters(
    'prompt-arguments-text',
    'prompts/get',
    { name: 'test_prompt_with_arguments', arguments: { arg1: 1 } },
    { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } },
  ),
  parameters('resource-uri', 'resources/read', { uri: 'books' }, { uri: 'practice://books/1' }),
  parameters('cursor-text', 'tools/list', { cursor: 5 }, { cursor: cursorOf('tools', 100) }),
  message(
    'log-level',
    rpc({ id: 'l', method: 'logging/setLevel', params: { level: 'loud' } }),
    rpc({ id: 'l', method: 'logging/setLevel', params: { level: 'debug' } }),
  ),
  parameters(
    'completion-reference',
    'completion/complete',
    { ref: { type: 'ref/tool' }, argument: { name: 'a', value: '' } },
    { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'a', value: '' } },
  ),
  parameters(
    'completion-argument',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'a' } },
    { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'a', value: '' } },
  ),
  {
    rule: 'cancelled-id',
    right: async (client) => {
      const session = await client.session();
      await session.request('tools/list');
      await session.notify('notifications/cancelled', { requestId: 1 });
    },
    wrong: async (client) =>
      (await client.session()).notify('notifications/cancelled', { requestId: null }),
  },
  parameters(
    'input-responses',
    'tools/call',
    { name: 'greet', inputResponses: { a: 1 } },
    { name: 'greet', inputResponses: { a: {} } },
  ),
  parameters(
    'request-state-text',
    'tools/call',
    { name: 'greet', requestState: 5 },
    { name: 'greet', requestState: 'a' },
  ),
  {
    rule: 'subscription-filter',
    right: (client) =>
      client.openModern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    wrong: method('subscriptions/listen', { notifications: { toolsListChanged: 'yes' } }),
  },
  modern('removed-methods', method('ping', {})),
  modern(
    'state-only-in-retries',
    method('tools/list', { requestState: 'a' }),
    greet({}, { inputResponses: {} }),
  ),
  inputs('elicitation-action', { action: 'maybe' }, { action: 'accept', content: {} }),
  inputs(
    'sampling-result',
    { role: 'assistant', content: { type: 'text', text: 'a' } },
    { role: 'assistant', content: { type: 'text', text: 'a' }, model: 'm' },
  ),
  inputs('roots-are-files', { roots: [{ uri: 'https://a' }] }, { roots: [{ uri: 'file:///a' }] }),
  message('reply-to-request', rpc({ id: 'a', result: {} }), reply({})),
  {
    rule: 'session-header',
    right: async (client) => (await client.session()).send(ping),
    wrong: (client) => client.post(ping),
  },
  modern(
    'one-version-in-meta',
    list({
      headers: { 'mcp-protocol-version': 'latest' },
      meta: { [key('protocolVersion')]: 'latest' },
    }),
  ),
  modern('listener-header', (client) => client.get({ 'mcp-protocol-version': '2026-07-28' })),
];
