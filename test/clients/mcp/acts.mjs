/**
 * Acts of real clients, by which the judge reaches its rules. Each act has its own sandbox, because
 * misbehaviours and capabilities differ. Clients differ in what they can do: an act names them.
 */

import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Login } from './log-in.mjs';
import { tokenFor } from './token-for.mjs';

/**
 * @typedef {{ url: string, capabilities?: object, put: (path: string, json: object) => Promise<unknown>, token?: string, running: (count: number) => Promise<unknown> }} Place
 * @typedef {{
 *   tools: (cursor?: string) => Promise<any>,
 *   call: (name: string, args?: object, options?: object) => Promise<any>,
 *   raw: any,
 *   close: () => Promise<unknown>,
 * }} Opened
 */

/** Calls of tools that request input. @type {readonly (readonly [string, object])[]} */
const questions = [
  ['ask_user', { question: 'Who?' }],
  ['test_elicitation', { message: 'Who?' }],
  ['ask_model', { text: 'Paris is large.' }],
  ['show_roots', {}],
  ['multi_input', {}],
  ['confirm_delete', {}],
  ['test_input_required_result_request_state', {}],
];
export const asking = { elicitation: {}, sampling: {}, roots: { listChanged: true } };
const accepted = {
  action: 'accept',
  content: { ok: true, confirmed: true, username: 'ada', email: 'ada@example.com', name: 'Ada' },
};
const sampled = {
  ...{ role: 'assistant', model: 'test', stopReason: 'endTurn' },
  content: { type: 'text', text: 'Paris' },
};
const roots = { roots: [{ uri: 'file:///home/ada', name: 'home' }] };

/** @type {Record<string, (place: Place) => Promise<Opened>>} */
export const clients = {
  async 'sdk-1'({ url, token, capabilities = {} }) {
    const client = new Client1({ name: 'sdk-1', version: '1.0.0' }, { capabilities });
    if ('elicitation' in capabilities) client.setRequestHandler(ElicitRequestSchema, respond);
    if ('sampling' in capabilities) respondFurther(client);
    const target = new URL(url);
    const isOld = target.pathname.endsWith('/sse');
    await client.connect(
      isOld ? new SSEClientTransport(target) : new Http1(target, withToken(token)),
    );
    return {
      tools: (cursor) => client.listTools(cursor ? { cursor } : {}),
      call: (name, args = {}, options = {}) =>
        client.callTool({ name, arguments: /** @type {any} */ (args) }, undefined, options),
      raw: client,
      close: () => client.close(),
    };
  },
  async 'client-2'({ url, token, capabilities = {} }) {
    const client = new Client2(
      { name: 'client-2', version: '1.0.0' },
      { capabilities, versionNegotiation: { mode: 'auto' } },
    );
    if ('elicitation' in capabilities)
      client.setRequestHandler('elicitation/create', /** @type {any} */ (respond));
    if ('sampling' in capabilities) {
      client.setRequestHandler('sampling/createMessage', () => /** @type {any} */ (sampled));
      client.setRequestHandler('roots/list', () => roots);
    }
    await client.connect(new Http2(new URL(url), withToken(token)));
    return {
      tools: (cursor) => client.listTools(cursor ? { cursor } : {}),
      call: (name, args = {}, options = {}) =>
        client.callTool({ name, arguments: /** @type {any} */ (args) }, options),
      raw: client,
      close: () => client.close(),
    };
  },
  async 'ai-sdk'({ url, token, capabilities = {} }) {
    const { elicitation } = /** @type {any} */ (capabilities);
    const client = await createMCPClient({
      transport: {
        ...{ type: new URL(url).pathname.endsWith('/sse') ? 'sse' : 'http', url },
        ...headersOf(token),
      },
      ...(elicitation && { capabilities: { elicitation } }),
    });
    /** @type {Record<string, any>} */
    const toolNamed = {};
    if (elicitation)
      client.onElicitationRequest(ElicitationRequestSchema, /** @type {any} */ (respond));
    return {
      tools: (cursor) => client.listTools(cursor ? { params: { cursor } } : {}),
      async call(name, args = {}, options = {}) {
        const { signal } = /** @type {{ signal?: AbortSignal }} */ (options);
        toolNamed[name] ??= (await client.tools())[name];
        return toolNamed[name].execute(args, {
          toolCallId: '1',
          messages: [],
          abortSignal: signal,
        });
      },
      raw: client,
      close: () => client.close(),
    };
  },
};

const headersOf = (/** @type {string | undefined} */ token) => ({
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
});
const withToken = (/** @type {string | undefined} */ token) => ({ requestInit: headersOf(token) });

/** @param {Client1} client */
function respondFurther(client) {
  client.setRequestHandler(CreateMessageRequestSchema, () => /** @type {any} */ (sampled));
  client.setRequestHandler(ListRootsRequestSchema, () => roots);
}

/**
 * Lets a client of the SDK 1.x, which reaches the server through mcp-remote, use more of it.
 *
 * @param {Client1} client
 */
export async function useMore(client) {
  client.setRequestHandler(ElicitRequestSchema, respond);
  respondFurther(client);
  const call = (/** @type {string} */ name, args = {}) =>
    client.callTool({ name, arguments: args }).catch(() => undefined);
  await client.listTools();
  await call('route_order', { region: 'eu', shard: 7 });
  await call('route_order', { region: 'eu', shard: null });
  await client.setLoggingLevel('info').catch(() => undefined);
  for (const [name, args] of questions) await call(name, args);
}

/** Fills in a form by its schema. @param {any} request */
function respond({ params: { requestedSchema, mode } }) {
  if (mode === 'url') return { action: 'decline' };
  const names = Object.keys(requestedSchema?.properties ?? {});
  const values = names.map((name) => [name, valueFor(requestedSchema.properties[name])]);
  return { ...accepted, content: Object.fromEntries(values) };
}

/** @param {any} schema */
function valueFor({ type, enum: values, format }) {
  if (values) return values[0];
  if (format === 'email') return 'ada@example.com';
  return { boolean: true, integer: 1, number: 1 }[/** @type {string} */ (type)] ?? 'ada';
}

const all = Object.keys(clients);

/** @type {(act: () => Promise<unknown>) => Promise<unknown>} */
const failing = (act) =>
  act().then(
    () => Promise.reject(new Error('It must fail.')),
    () => undefined,
  );

/**
 * The path selects a misbehaviour or a revision. What must fail is in `failing`. An act that opens its
 * clients itself is unopened.
 *
 * @type {readonly {
 *   name: string, by: readonly string[], path?: string, capabilities?: object, isUnopened?: boolean,
 *   act: (client: Opened, place: Place, open: (more?: object) => Promise<Opened>) => Promise<unknown>,
 * }[]}
 */
export const acts = [
  {
    name: 'lists-and-calls',
    by: all,
    async act(client) {
      await client.tools();
      await client.call('greet', { name: 'Ada' });
      await client.call('route_order', { region: 'eu', shard: 7 });
      await client.call('route_order', { region: 'eu', shard: 7, express: false });
      await Promise.all([client.call('greet', { name: 'Ada' }), client.call('get_clock')]);
    },
  },
  {
    name: 'lists-over-sse',
    by: ['sdk-1', 'ai-sdk'],
    path: 'mcp/sse',
    async act(client) {
      await client.tools();
      await client.call('greet', { name: 'Ada' });
    },
  },
  {
    name: 'reads',
    by: ['ai-sdk'],
    async act({ raw }) {
      await raw.listResources();
      await raw.readResource({ uri: 'practice://books/1' });
      await raw.experimental_listPrompts();
      await raw.experimental_getPrompt({
        name: 'describe_collection',
        arguments: { collection: 'books' },
      });
    },
  },
  {
    name: 'pages',
    by: ['ai-sdk'],
    async act({ raw }) {
      const { nextCursor } = await raw.listResources();
      await raw.listResources({ params: { cursor: nextCursor } });
    },
  },
  {
    name: 'watches-progress',
    by: ['sdk-1', 'client-2'],
    async act(client) {
      const onprogress = () => undefined;
      await Promise.all(
        ['a', 'b'].map(() => client.call('test_tool_with_progress', {}, { onprogress })),
      );
    },
  },
  {
    name: 'sets-level',
    by: ['sdk-1', 'client-2'],
    path: 'mcp?revisions=2025-11-25',
    act: ({ raw }) => raw.setLoggingLevel('info'),
  },
  {
    name: 'answers-in-sessions',
    by: ['sdk-1', 'client-2'],
    path: 'mcp?revisions=2025-11-25',
    capabilities: asking,
    act: respondToAll,
  },
  { name: 'answers', by: ['client-2'], capabilities: asking, act: respondToAll },
  {
    name: 'answers-forms',
    by: ['ai-sdk'],
    capabilities: { elicitation: {} },
    act: (client) => client.call('test_elicitation', { message: 'Who?' }),
  },
  {
    name: 'answers-with-errors',
    by: ['sdk-1', 'client-2'],
    path: 'mcp?revisions=2025-11-25',
    capabilities: asking,
    async act(client) {
      const schema =
        client.raw instanceof Client1 ? CreateMessageRequestSchema : 'sampling/createMessage';
      client.raw.setRequestHandler(schema, () => Promise.reject(new Error('No model.')));
      await client.call('ask_model', { text: 'Paris is large.' }).catch(() => undefined);
    },
  },
  {
    name: 'cancels',
    by: ['sdk-1', 'client-2'],
    act: cancel,
  },
  {
    name: 'cancels-in-a-session',
    by: ['client-2'],
    path: 'mcp?revisions=2025-11-25',
    act: cancel,
  },
  {
    name: 'asks-for-a-level',
    by: ['client-2'],
    act: ({ raw }) =>
      raw.callTool({
        ...{ name: 'greet', arguments: { name: 'Ada' } },
        _meta: { 'io.modelcontextprotocol/logLevel': 'info' },
      }),
  },
  {
    name: 'resumes',
    by: ['sdk-1', 'client-2'],
    path: 'mcp?revisions=2025-11-25',
    act: (client) => client.call('test_reconnection'),
  },
  {
    name: 'url-elicitation',
    by: all,
    path: 'mcp?misbehave=url-elicitation',
    capabilities: { elicitation: { form: {}, url: {} } },
    act: (client) => client.call('greet', { name: 'Ada' }).catch(() => undefined),
  },
  {
    name: 'network-ref',
    by: all,
    path: 'mcp?misbehave=network-ref',
    act: (client) => client.tools(),
  },
  {
    name: 'icon-script',
    by: all,
    path: 'mcp?misbehave=icon-script',
    act: (client) => client.tools(),
  },
  {
    name: 'changing-list',
    by: ['client-2'],
    path: 'mcp?misbehave=changing-list',
    async act(client) {
      await client.tools();
      await client.tools();
    },
  },
  {
    name: 'private-list',
    by: all,
    path: 'mcp?misbehave=private-list',
    async act(client, _place, open) {
      await client.tools();
      const other = await open({ token: 'b' });
      const { tools } = await other.tools();
      await other.call(tools.at(-1).name).catch(() => undefined);
      await other.close();
    },
  },
  {
    name: 'needs-a-scope',
    by: all,
    path: 'mcp/protected',
    isUnopened: true,
    async act(_client, { url }, open) {
      const token = await tokenFor(url, new Login(), 'openid mcp:read');
      const client = await open({ token });
      const change = () => client.call('delete_record', { collection: 'books', id: 1 });
      for (const _twice of [1, 2]) await change().catch(() => undefined);
      await client.tools();
      await client.close();
    },
  },
  {
    name: 'too-many-requests',
    by: all,
    path: 'mcp?misbehave=too-many-requests',
    async act(client, { put }) {
      await client.tools();
      await failing(() => client.call('greet', { name: 'Ada' }));
      await put('clock', { offsetSeconds: 5 });
      await client.call('greet', { name: 'Ada' });
    },
  },
  {
    name: 'header-mismatch',
    by: ['client-2'],
    path: 'mcp?misbehave=header-mismatch',
    act: (client) => failing(() => client.call('greet', { name: 'Ada' })),
  },
  {
    name: 'unknown-version',
    by: all,
    path: 'mcp?misbehave=version-error-2026-07-28',
    isUnopened: true,
    async act(_client, _place, open) {
      await failing(open);
      await failing(open);
    },
  },
  {
    name: 'session-gone',
    by: ['sdk-1', 'client-2', 'ai-sdk'],
    path: 'mcp?misbehave=session-gone&revisions=2025-11-25',
    async act(client, _place, open) {
      await client.call('greet', { name: 'Ada' }).catch(() => undefined);
      const next = await open();
      await next.tools();
      await next.close();
    },
  },
  {
    name: 'foreign-endpoint',
    by: ['sdk-1', 'ai-sdk'],
    path: 'mcp/sse?misbehave=foreign-endpoint',
    isUnopened: true,
    act: (_client, _place, open) => failing(open),
  },
];

/** @param {Opened} client */
async function respondToAll(client) {
  await client.tools();
  for (const [name, args] of questions) await client.call(name, args).catch(() => undefined);
}

/** @type {(client: Opened, place: Place) => Promise<void>} */
async function cancel(client, { running }) {
  const controller = new AbortController();
  const { signal } = controller;
  const called = failing(() => client.call('slow', { seconds: 60 }, { signal }));
  await running(1);
  controller.abort();
  await called;
  await running(0);
}
