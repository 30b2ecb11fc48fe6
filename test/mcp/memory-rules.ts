/** For each rule about several requests, a right client and a wrong one. */

import { afterCrossing } from '../support/create-service.js';
import { logIn } from './log-in.js';
import type { MessageOptions } from './mcp.js';
import type { RuleClient } from './rule-client.js';
import type { RuleCase } from './rules.js';

const hello = { name: 'greet', arguments: { name: 'Ada' } };

const greet = (client: RuleClient, change: MessageOptions = {}) =>
  client.modern('tools/call', hello, change);

/** Calls the newest tool of a list with another token, or with the same. */
async function listAndCall(client: RuleClient, reader: string, caller: string): Promise<void> {
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const { json } = await client.modern('tools/list', {}, as(reader));
  const { name } = json.result.tools.at(-1);
  await client.modern('tools/call', { name }, as(caller));
}

const capabilities = { elicitation: {} };
const yes = { action: 'accept', content: { ok: true } };

/** Lets a tool request input, and sends the retry. */
const retry =
  (params: (state: unknown) => object, change: MessageOptions = {}): RuleCase['right'] =>
  async (client) => {
    const name = 'test_input_required_result_request_state';
    const call = { name, arguments: {} };
    const first = await client.modern('tools/call', call, { capabilities });
    const { requestState, inputRequests } = first.json.result;
    const [key = ''] = Object.keys(inputRequests);
    const inputResponses = { [key]: yes };
    const again = { ...call, inputResponses, ...params(requestState) };
    await client.modern('tools/call', again, { capabilities, ...change });
  };

const rightRetry = retry((requestState) => ({ requestState }));

const form = { name: 'test_elicitation', arguments: { message: 'Who?' } };
const user = { username: 'ada', email: 'ada@example.com' };

/** Lets a tool request a form, and fills it in. */
const fillIn =
  (content: object): RuleCase['right'] =>
  async (client) => {
    const first = await client.modern('tools/call', form, { capabilities });
    const { requestState, inputRequests } = first.json.result;
    const [key = ''] = Object.keys(inputRequests);
    const inputResponses = { [key]: { action: 'accept', content } };
    await client.modern(
      'tools/call',
      { ...form, inputResponses, ...(requestState && { requestState }) },
      { capabilities },
    );
  };

const page =
  (cursorOf: (next: unknown) => unknown): RuleCase['right'] =>
  async (client) => {
    const { json } = await client.modern('resources/list');
    await client.modern('resources/list', { cursor: cursorOf(json.result.nextCursor) });
  };

const unknownVersion = {
  headers: { 'mcp-protocol-version': '2099-01-01' },
  meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
};

const calls =
  (count: number): RuleCase['right'] =>
  async (client) => {
    await client.misbehave('header-mismatch');
    for (let sent = 0; sent < count; sent++) await greet(client);
  };

const afterDelay =
  (seconds: number): RuleCase['right'] =>
  async (client) => {
    await client.misbehave('too-many-requests');
    await greet(client);
    await client.moveClock(seconds);
    await greet(client);
  };

/** Calls a tool that needs another scope. */
const stepUps =
  (count: number): RuleCase['right'] =>
  async (client) => {
    const headers = { authorization: `Bearer ${await client.token()}` };
    const change = { path: '/mcp/protected', headers };
    const params = { name: 'delete_record', arguments: { collection: 'books', id: 1 } };
    for (let sent = 0; sent < count; sent++) await client.modern('tools/call', params, change);
    await client.modern('tools/list', {}, change);
  };

/** Resumes a stream that the server has ended, after some seconds. */
const resume = (seconds: number) => async (client: RuleClient) => {
  const session = await client.session();
  const { text } = await session.request('tools/call', { name: 'test_reconnection' });
  const [, id = ''] = [...text.matchAll(/^id: (.+)$/gm)].at(-1) ?? [];
  await client.moveClock(seconds);
  await client.listen(session, { 'last-event-id': id });
};

/** Sends a request with a token. */
const useToken =
  (tokenOf: (client: RuleClient) => Promise<string>) =>
  async (client: RuleClient): Promise<unknown> => {
    const headers = { authorization: `Bearer ${await tokenOf(client)}` };
    return client.modern('tools/list', {}, { path: '/mcp/protected', headers });
  };

/** Calls a tool that needs another scope, and again with the token of another login. */
const stepUp = (scope: string) => async (client: RuleClient) => {
  const params = { name: 'delete_record', arguments: { collection: 'books', id: 1 } };
  for (const each of ['openid mcp:read', scope]) {
    const headers = { authorization: `Bearer ${await logIn(client, { scope: each })}` };
    await client.modern('tools/call', params, { path: '/mcp/protected', headers });
  }
};

const afterGone =
  (next: (client: RuleClient, send: () => Promise<unknown>) => Promise<unknown>) =>
  async (client: RuleClient) => {
    await client.misbehave('session-gone');
    const session = await client.session();
    await session.request('tools/call', hello);
    await afterCrossing();
    await next(client, () => session.request('tools/list'));
  };

const cancelled = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: {
    requestId,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    },
  },
});

const cancelSlow = (whileOpen: boolean) => async (client: RuleClient) => {
  const send = () =>
    client.modern(
      'tools/list',
      {},
      {
        message: () => cancelled('slow'),
        headers: { 'mcp-method': 'notifications/cancelled' },
      },
    );
  const change = { id: 'slow' };
  const params = { name: 'slow', arguments: { seconds: 60 } };
  await client.openModern('tools/call', params, change, async () => whileOpen && (await send()));
  if (!whileOpen) await send();
};

/** Sends a request of a session while another one is open. */
const twoTokens = (second: string) => async (client: RuleClient) => {
  const session = await client.session();
  const message = (id: number, progressToken: string, method: string, params: object) => ({
    ...{ jsonrpc: '2.0', id, method },
    params: { ...params, _meta: { progressToken } },
  });
  const slow = { name: 'slow', arguments: { seconds: 60 } };
  await client.openInSession(session, message(1, 'a', 'tools/call', slow), () =>
    session.send(message(2, second, 'tools/list', {})),
  );
};

const polls = (seconds: number) => async (client: RuleClient) => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const params = { name: 'slow_compute', arguments: { seconds: 60 } };
  const { json } = await client.modern('tools/call', params, { capabilities });
  const { taskId } = json.result;
  await client.modern('tasks/get', { taskId }, { capabilities });
  await client.moveClock(seconds);
  await client.modern('tasks/get', { taskId }, { capabilities });
};

/** Meets a misbehaviour that names a canary URL; a wrong client requests it. */
const canary = (rule: string, name: string, method: string, params: object): RuleCase => {
  const meet = async (client: RuleClient) => {
    await client.misbehave(name);
    await client.modern(method, { ...params }, { capabilities: { elicitation: { url: {} } } });
  };
  return {
    rule,
    right: meet,
    async wrong(client) {
      await meet(client);
      await client.send(`GET /mcp/canary/loose/${name}`);
    },
  };
};

export const memoryRules: readonly RuleCase[] = [
  {
    rule: 'id-unique-while-open',
    right: async (client) => (await client.session()).request('tools/list'),
    async wrong(client) {
      const session = await client.session();
      const message = { jsonrpc: '2.0', id: 'same', method: 'ping' };
      await session.send(message);
      await session.send(message);
    },
  },
  {
    rule: 'new-id-on-retry',
    right: rightRetry,
    wrong: retry((requestState) => ({ requestState }), { id: 1 }),
  },
  { rule: 'elicitation-content', right: fillIn(user), wrong: fillIn({ username: 5 }) },
  { rule: 'progress-token-unique', right: twoTokens('b'), wrong: twoTokens('a') },
  {
    rule: 'state-byte-for-byte',
    right: rightRetry,
    wrong: retry((state) => ({ requestState: `${state} ` })),
  },
  {
    rule: 'inputs-before-retry',
    right: rightRetry,
    wrong: retry((requestState) => ({ requestState, inputResponses: {} })),
  },
  {
    rule: 'state-nowhere-else',
    right: rightRetry,
    wrong: retry((requestState) => ({ ...hello, inputResponses: {}, requestState })),
  },
  {
    rule: 'cursor-unchanged',
    right: page((next) => next),
    wrong: page((next) => `${next}x`),
  },
  {
    rule: 'no-fallback-after-version-error',
    async right(client) {
      await client.modern('tools/list', {}, unknownVersion);
      await client.modern('tools/list');
    },
    async wrong(client) {
      await client.modern('tools/list', {}, unknownVersion);
      await client.initialize();
    },
  },
  { rule: 'one-retry-after-header-mismatch', right: calls(2), wrong: calls(3) },
  { rule: 'retry-after-kept', right: afterDelay(3), wrong: afterDelay(0) },
  { rule: 'step-up-bounded', right: stepUps(1), wrong: stepUps(3) },
  { rule: 'retry-respected', right: resume(1), wrong: resume(0) },
  {
    rule: 'resource-in-authorization',
    right: useToken(logIn),
    wrong: useToken((client) => logIn(client, { inAuthorization: false })),
  },
  {
    rule: 'resource-in-token-request',
    right: useToken(logIn),
    wrong: useToken((client) => logIn(client, { inTokenRequest: false })),
  },
  {
    rule: 'step-up-keeps-scopes',
    right: stepUp('openid mcp:read mcp:write'),
    wrong: stepUp('mcp:read mcp:write'),
  },
  {
    rule: 'new-session-after-404',
    right: afterGone((client) => client.initialize()),
    wrong: afterGone((_client, send) => send()),
  },
  { rule: 'cancel-by-closing', right: cancelSlow(false), wrong: cancelSlow(true) },
  {
    rule: 'cancel-own-request',
    async right(client) {
      const session = await client.session();
      await session.request('tools/list');
      await session.notify('notifications/cancelled', { requestId: 1 });
    },
    wrong: async (client) =>
      (await client.session()).notify('notifications/cancelled', { requestId: 99 }),
  },
  {
    rule: 'initialize-not-cancelled',
    async right(client) {
      const session = await client.session();
      await session.request('tools/list');
      await session.notify('notifications/cancelled', { requestId: 1 });
    },
    wrong: async (client) =>
      (await client.session()).notify('notifications/cancelled', { requestId: 0 }),
  },
  { rule: 'poll-interval', right: polls(1), wrong: polls(0) },
  canary('no-network-refs', 'network-ref', 'tools/list', {}),
  canary('no-url-prefetch', 'url-elicitation', 'tools/call', hello),
  {
    rule: 'endpoint-of-same-origin',
    right: (client) => client.openOld('/mcp/sse?misbehave=foreign-endpoint'),
    async wrong(client) {
      await client.openOld('/mcp/sse?misbehave=foreign-endpoint');
      await client.send('POST /mcp/canary/loose/foreign-endpoint');
    },
  },
  {
    rule: 'list-cached-while-fresh',
    async right(client) {
      await client.misbehave('changing-list');
      await client.modern('tools/list');
      await client.moveClock(61);
      await client.modern('tools/list');
    },
    async wrong(client) {
      await client.misbehave('changing-list');
      await client.modern('tools/list');
      await client.modern('tools/list');
    },
  },
  {
    rule: 'private-list-not-shared',
    async right(client) {
      await client.misbehave('private-list');
      await listAndCall(client, 'a', 'a');
      await listAndCall(client, 'b', 'b');
    },
    async wrong(client) {
      await client.misbehave('private-list');
      await listAndCall(client, 'a', 'b');
    },
  },
  {
    rule: 'token-only-to-its-server',
    right: (client) => client.send('GET /mcp/canary/loose/icon-script'),
    wrong: (client) =>
      client.send('GET /mcp/canary/loose/icon-script', { headers: { authorization: 'Bearer a' } }),
  },
];
