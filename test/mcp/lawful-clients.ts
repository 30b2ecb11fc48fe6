/** Clients that the judge must not blame: unusual but lawful clients, and clients that no observation decides about. */

import { connect } from 'node:http2';
import { isProxied } from '../support/create-service.js';
import { logIn } from './log-in.js';
import type { RuleClient } from './rule-client.js';

interface JudgedClient {
  readonly rule: string;
  readonly name: string;
  readonly act: (client: RuleClient) => Promise<unknown>;
}

export interface LawfulClient extends JudgedClient {
  /** Default: `kept`. */
  readonly outcome?: 'not-reached';
}

const hello = { name: 'greet', arguments: { name: 'Ada' } };
const slow = { name: 'slow', arguments: { seconds: 60 } };
const rpc = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method,
  params,
});

/** `initialize` of 2024-11-05. */
const begin = (id: number) => {
  const clientInfo = { name: 'old', version: '1' };
  return rpc(id, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
};

const withHeaders = (headers: Readonly<Record<string, string>>) => (client: RuleClient) =>
  client.modern('tools/list', {}, { headers });

/** A session of HTTP+SSE, as @modelcontextprotocol/sdk 1.x and mcp-remote have it. */
const oldSession = (client: RuleClient, headers: Readonly<Record<string, string>> = {}) => {
  const act = async (send: (message: object) => Promise<unknown>) => {
    await send(begin(0));
    await send(rpc(undefined, 'notifications/initialized'));
    await send(rpc(1, 'tools/list'));
    await send(rpc(2, 'tools/call', hello));
  };
  return client.oldSession('/mcp/sse', act, headers);
};

/** Its newest revision, as @ai-sdk/mcp sends it over each transport. */
const newest = { 'mcp-protocol-version': '2025-11-25' };

const overHttpSse: readonly LawfulClient[] = [
  { rule: 'initialized-first', name: 'a client of HTTP+SSE', act: (client) => oldSession(client) },
  { rule: 'initialize-once', name: 'a client of HTTP+SSE', act: (client) => oldSession(client) },
  {
    ...{ rule: 'negotiated-version', name: 'a client of HTTP+SSE with its newest revision' },
    ...{ act: (client) => oldSession(client, newest), outcome: 'not-reached' },
  },
  {
    ...{ rule: 'negotiated-version', outcome: 'not-reached' },
    name: 'a session of 2025-03-26 with a header that it does not know',
    act: async (client) => (await client.session('2025-03-26')).send(rpc(1, 'ping'), newest),
  },
  {
    ...{ rule: 'accept-both-types', name: 'a client of HTTP+SSE without Accept' },
    ...{ act: (client) => oldSession(client), outcome: 'not-reached' },
  },
  {
    ...{ rule: 'session-header', name: 'a client of HTTP+SSE' },
    ...{ act: (client) => oldSession(client), outcome: 'not-reached' },
  },
];

/** Sends the same message again after a response of HTTP that rejected it. */
const again = (status: number) => async (client: RuleClient) => {
  const session = await client.session();
  await plan(client, { status });
  for (const _twice of [1, 2]) await session.send(rpc(7, 'tools/call', hello));
};

const plan = (client: RuleClient, ...sequence: readonly object[]) =>
  client.send('PUT /api/sandbox/faults', {
    json: { rules: [{ match: { path: '/mcp' }, sequence }] },
  });

const rejectedMessages: readonly LawfulClient[] = [401, 403, 429, 503].map((status) => ({
  rule: 'id-unique-while-open',
  name: `the same message after ${status}`,
  act: again(status),
}));

/** Sends requests before the first response. */
const overlapping = async (client: RuleClient) => {
  const rejection = { status: 429, retryAfter: 2, delayMs: 300 };
  await plan(client, rejection, rejection, rejection);
  await Promise.all([1, 2, 3].map((id) => client.modern('tools/list', {}, { id })));
};

const afterDate = async (client: RuleClient) => {
  await plan(client, { status: 503, retryAfter: { seconds: 3, as: 'date' } });
  await client.modern('tools/list', {}, { id: 1 });
  await client.moveClock(4);
  await client.modern('tools/list', {}, { id: 2 });
};

const otherRequest = async (client: RuleClient) => {
  await plan(client, { status: 429, retryAfter: 5 });
  await client.modern('tools/call', hello, { id: 1 });
  await client.modern('tools/list', {}, { id: 2 });
};

/** Calls a tool whose response is 429, held back by a fault plan, and then again. */
const delayedRejection = (timeoutMs: number) => async (client: RuleClient) => {
  await client.misbehave('too-many-requests');
  await plan(client, { delayMs: 1000 });
  const signal = AbortSignal.timeout(timeoutMs);
  await client.modern('tools/call', hello, { id: 1, signal }).catch(() => undefined);
  await client.modern('tools/call', hello, { id: 2 });
};

const waits: readonly LawfulClient[] = [
  {
    ...{ rule: 'retry-after-kept', name: 'a client that left before a delayed 429' },
    ...{ act: delayedRejection(300), outcome: 'not-reached' },
  },
  {
    ...{ rule: 'retry-after-kept', name: 'a client whose requests overlap' },
    ...{ act: overlapping, outcome: 'not-reached' },
  },
  { rule: 'retry-after-kept', name: 'a client that waits for a date', act: afterDate },
  {
    ...{ rule: 'retry-after-kept', name: 'a client that sends another request' },
    ...{ act: otherRequest, outcome: 'not-reached' },
  },
];

const inSession = (revision: string) => (client: RuleClient) =>
  client.session(revision, `/mcp?revisions=${revision}`);

/** Probes with a request of 2026-07-28, and falls back to a session. */
const fallingBack = (revision: string) => async (client: RuleClient) => {
  await client.modern('server/discover', {}, { path: `/mcp?revisions=${revision}` });
  const session = await inSession(revision)(client);
  await session.request('tools/list');
};

const listenFirst = async (client: RuleClient) => {
  await client.get({});
  await (await client.session()).request('tools/list');
};

const fallbacks: readonly LawfulClient[] = [
  ...['2025-11-25', '2025-06-18', '2025-03-26'].map(
    (revision): LawfulClient => ({
      rule: 'no-fallback-after-version-error',
      name: `a fallback to a server of ${revision}`,
      act: fallingBack(revision),
      outcome: 'not-reached',
    }),
  ),
  {
    ...{ rule: 'no-fallback-after-version-error', outcome: 'not-reached' },
    name: 'a client that knows only sessions, and begins twice',
    async act(client) {
      await client.misbehave('version-error-2026-07-28');
      for (const _twice of [1, 2]) await client.initialize();
    },
  },
  { rule: 'session-header', name: 'a GET before initialize', act: listenFirst },
  {
    rule: 'session-header',
    name: 'a GET after a server of 2024-11-05 has rejected initialize',
    outcome: 'not-reached',
    async act(client) {
      const path = '/mcp?revisions=2024-11-05';
      await client.initialize({}, path);
      await client.oldSession(path, async (send) => {
        await send(begin(0));
      });
    },
  },
];

const route = { name: 'route_order', arguments: { region: 'eu', shard: 7 } };

const unknownHeaders = async (client: RuleClient) => {
  await client.modern('tools/call', route, { id: 1 });
  await client.modern('tools/list', {}, { id: 2 });
  const headers = { 'mcp-param-region': 'eu', 'mcp-param-shard': '7' };
  await client.modern('tools/call', route, { id: 3, headers });
};

const yes = { action: 'accept', content: { ok: true } };

/** Two processes of a client begin the same call, and continue it in the other order. */
const twoProcesses = async (client: RuleClient) => {
  const call = { name: 'test_input_required_result_request_state', arguments: {} };
  const options = { capabilities: { elicitation: {} } };
  const states: unknown[] = [];
  for (const id of [1, 2]) {
    const { json } = await client.modern('tools/call', call, { ...options, id });
    states.push(json.result.requestState);
  }
  for (const [index, requestState] of states.entries()) {
    const again = { ...call, requestState, inputResponses: { confirm: yes } };
    await client.modern('tools/call', again, { ...options, id: 2 - index });
  }
};

const cancelOf = (requestId: unknown) => ({
  ...rpc(undefined, 'notifications/cancelled', { requestId, _meta: ofModern }),
});

const ofModern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends notifications/cancelled for the request `listen`. */
const sendCancelled = (client: RuleClient) =>
  client.modern('notifications/cancelled', {}, { message: () => cancelOf('listen') });

/** Opens a subscription, and closes it after `whileOpen`. */
const subscription = (client: RuleClient, whileOpen?: () => Promise<unknown>) => {
  const params = { notifications: { toolsListChanged: true } };
  return client.openModern('subscriptions/listen', params, { id: 'listen' }, whileOpen);
};

const closedFirst = async (client: RuleClient) => {
  await subscription(client);
  await sendCancelled(client);
};

const stillOpen = (client: RuleClient) =>
  subscription(client, async () => {
    await sendCancelled(client);
    await client.moveClock(2);
    await client.modern('prompts/list', {}, { id: 'later' });
  });

/** A client of 2025-03-26, which does not know the parameter resource. */
const oldLogin = async (client: RuleClient) => {
  const token = await logIn(client, { inAuthorization: false, inTokenRequest: false });
  const authorization = `Bearer ${token}`;
  const params = {
    ...{ protocolVersion: '2025-03-26', capabilities: {} },
    clientInfo: { name: 'old', version: '1' },
  };
  await client.post(rpc(1, 'initialize', params), { authorization }, '/mcp/protected');
};

const aboutStreams: readonly LawfulClient[] = [
  {
    rule: 'cancel-by-closing',
    name: 'a subscription that is closed before the notification',
    act: closedFirst,
  },
  {
    ...{ rule: 'inputs-before-retry', outcome: 'not-reached' },
    name: 'a retry of a result that has only requestState',
    async act(client) {
      const call = { name: 'needs_no_input', arguments: {} };
      const { json } = await client.modern('tools/call', call, { id: 1 });
      const { requestState } = json.result;
      await client.modern('tools/call', { ...call, requestState }, { id: 2 });
    },
  },
  {
    ...{ rule: 'retry-respected', outcome: 'not-reached' },
    name: 'a stream that its client has closed',
    async act(client) {
      const session = await client.session();
      await client.listen(session);
      await client.listen(session, { 'last-event-id': 'main-1_1' });
    },
  },
  ...['resource-in-authorization', 'resource-in-token-request'].map((rule) => ({
    ...{ rule, outcome: 'not-reached' as const },
    ...{ name: 'a client of 2025-03-26', act: oldLogin },
  })),
];

const others: readonly LawfulClient[] = [
  { rule: 'accept-both-types', name: 'Accept: */*', act: withHeaders({ accept: '*/*' }) },
  {
    rule: 'accept-both-types',
    name: 'Accept in another order and case',
    act: withHeaders({ accept: 'TEXT/Event-Stream;q=0.5, Application/JSON; charset=utf-8' }),
  },
  {
    rule: 'accept-event-stream',
    name: 'Accept in another case, with a weight',
    act: async (client) =>
      client.listen(await client.session(), {
        accept: 'application/json;q=0.1, Text/Event-Stream; q=0.5',
      }),
  },
  {
    rule: 'content-type-json',
    name: 'a type in capitals, with a charset',
    act: withHeaders({ 'content-type': 'APPLICATION/JSON ; charset="utf-8"' }),
  },
  {
    rule: 'bearer-scheme',
    name: 'the scheme in lower case',
    act: (client) =>
      client.modern(
        'tools/list',
        {},
        { path: '/mcp/protected', headers: { authorization: 'bearer a' } },
      ),
  },
  {
    rule: 'initialized-first',
    name: 'ping before notifications/initialized',
    outcome: 'not-reached',
    async act(client) {
      const { headers } = await client.initialize();
      const id = String(headers['mcp-session-id']);
      await client.post(rpc(1, 'ping'), {
        'mcp-session-id': id,
        'mcp-protocol-version': '2025-11-25',
      });
    },
  },
  {
    rule: 'id-unique-while-open',
    name: 'the same ids in two sessions',
    async act(client) {
      for (const session of [await client.session(), await client.session()]) {
        await session.request('tools/list');
      }
    },
  },
  { rule: 'argument-headers', name: 'a client that did not know the tool', act: unknownHeaders },
  { rule: 'state-byte-for-byte', name: 'one of two processes', act: twoProcesses },
  { rule: 'new-id-on-retry', name: 'one of two processes', act: twoProcesses },
  {
    rule: 'cursor-unchanged',
    name: 'a page that another process has listed',
    act: (client) =>
      client.modern('resources/list', {
        cursor: Buffer.from('resources:50').toString('base64url'),
      }),
  },
  {
    rule: 'new-session-after-404',
    name: 'a session that is ended after 404',
    async act(client) {
      await client.misbehave('session-gone');
      const session = await client.session();
      await session.request('tools/call', hello);
      await session.end();
      await client.initialize();
    },
  },
  {
    rule: 'elicitation-action',
    name: 'content with decline',
    act: (client) =>
      client.modern('tools/call', {
        ...hello,
        inputResponses: { a: { action: 'decline', content: {} } },
      }),
  },
];

export const lawfulClients: readonly LawfulClient[] = [
  ...overHttpSse,
  ...rejectedMessages,
  ...waits,
  ...fallbacks,
  ...aboutStreams,
  ...others,
];

/** Sends a request while another one is open. */
const whileOpen = (id: string, meta: object, otherId: string) => (client: RuleClient) =>
  client.openModern('tools/call', slow, { id, meta }, () =>
    client.modern('prompts/list', {}, { id: otherId, meta }),
  );

export const unclearClients: readonly JudgedClient[] = [
  {
    rule: 'cancel-by-closing',
    name: 'notifications/cancelled before a subscription is closed',
    act: (client) => subscription(client, () => sendCancelled(client)),
  },
  {
    rule: 'id-unique-while-open',
    name: 'an id of two processes of 2026-07-28',
    act: whileOpen('a', {}, 'a'),
  },
  {
    rule: 'progress-token-unique',
    name: 'a token of two processes of 2026-07-28',
    act: whileOpen('a', { progressToken: 1 }, 'b'),
  },
  {
    rule: 'initialized-first',
    name: 'a request that may have overtaken the notification',
    act: (client) => client.beginAndList(1),
  },
];

/** Sends two requests with one id at once, over one connection of HTTP/2. */
async function overHttp2(client: RuleClient): Promise<void> {
  const session = connect(client.url);
  const send = (method: string, params: object) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': client.path,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params && { 'mcp-name': String(params.name) }),
    });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    stream.on('error', () => undefined).end(JSON.stringify(rpc(1, method, { ...params, _meta })));
    return stream;
  };
  const open = send('tools/call', slow);
  await client.untilOpen();
  const other = send('prompts/list', {}).resume();
  await new Promise((resolve) => other.on('close', resolve));
  open.close();
  session.destroy();
}

/** Clients that are wrong in another way than the first one of the rule. */
export const wrongClients: readonly JudgedClient[] = [
  // A proxy forwards it on several connections.
  ...(isProxied
    ? []
    : [
        {
          rule: 'id-unique-while-open',
          name: 'an id twice on a connection of HTTP/2',
          act: overHttp2,
        },
      ]),
  {
    rule: 'id-unique-while-open',
    name: 'an id again after its response',
    async act(client) {
      const session = await client.session();
      for (const method of ['tools/list', 'prompts/list']) await session.send(rpc(5, method));
    },
  },
  {
    rule: 'accept-event-stream',
    name: 'Accept: */* of a GET, which the server rejects',
    act: async (client) => client.listen(await client.session(), { accept: '*/*' }),
  },
  {
    rule: 'argument-headers',
    name: 'a listed tool without its headers',
    async act(client) {
      await client.modern('tools/list', {}, { id: 1 });
      await client.modern('tools/call', route, { id: 2 });
    },
  },
  {
    rule: 'cursor-unchanged',
    name: 'a cursor of another list',
    async act(client) {
      const { json } = await client.modern('resources/list', {}, { id: 1 });
      await client.modern('tools/list', { cursor: json.result.nextCursor }, { id: 2 });
    },
  },
  {
    rule: 'cursor-unchanged',
    name: 'its own cursor',
    act: (client) => client.modern('tools/list', { cursor: '2' }, { id: 1 }),
  },
  {
    rule: 'initialize-once',
    name: 'initialize twice over HTTP+SSE',
    act: (client) =>
      client.oldSession('/mcp/sse', async (send) => {
        for (const id of [0, 1]) {
          await send(begin(id));
        }
      }),
  },
  {
    rule: 'retry-after-kept',
    name: 'a client that ignores a delayed 429',
    act: delayedRejection(30_000),
  },
  {
    rule: 'batches-by-revision',
    name: 'a batch of 2026-07-28',
    act: (client) => client.modern('tools/list', {}, { message: (each) => [each] }),
  },
  { rule: 'cancel-by-closing', name: 'a subscription that stays open', act: stillOpen },
  {
    rule: 'no-headers-of-absent-arguments',
    name: 'a header of a nested argument that is null',
    act: (client) =>
      client.modern(
        'tools/call',
        { name: 'route_order', arguments: { region: 'eu', customer: { tier: null } } },
        { headers: { 'mcp-param-region': 'eu', 'mcp-param-customer-tier': 'gold' } },
      ),
  },
  {
    rule: 'session-header',
    name: 'DELETE without a session',
    act: (client) => client.send('DELETE /mcp'),
  },
];
