/** Limits that need several requests to a service. */

import { connect } from 'node:http2';
import { expect } from 'vitest';
import { openSession, request as requestMcp } from '../../mcp/mcp.js';
import { Authenticator } from '../../passkeys/authenticator.js';
import { frame, opcodes, openWebSocket, text } from '../../support/raw-web-socket.js';
import type { TestService } from '../../support/service.js';
import type { Rule } from './rule.js';

/** Loads posts of this many values, and patches one of them. */
async function patched({ send }: TestService, values: number): Promise<number> {
  const headers = { 'X-Sandbox': 'bounds-of-patches' };
  // The record, its id and the list are values, too.
  const posts = [{ id: 1, list: Array(values - 3).fill(1) }];
  await send('PUT /api/sandbox/data', { headers, json: { posts } });
  return (await send('PATCH /my/posts/1', { headers, json: {} })).status;
}

async function registered(
  { send }: TestService,
  { idBytes, keyBytes }: { idBytes?: number; keyBytes?: number },
): Promise<boolean> {
  const headers = { Host: 'localhost:4712' };
  const path = '/s/bounds-of-passkeys/api/auth/passkeys/register';
  const options = await send(`POST ${path}/options`, { headers, json: { username: 'ada' } });
  const authenticator = new Authenticator('http://localhost:4712', idBytes);
  const made = authenticator.create(options.json.challenge, keyBytes ? { keyBytes } : {});
  const { status, json } = await send(`POST ${path}/verify`, { headers, json: made });
  if (status !== 201 && !/is too long/.test(json.message)) throw new Error(json.message);
  return status === 201;
}

/** Sends this many pings to a client that reads them, and returns whether the first is still known. */
async function knowsFirstPing({ url }: TestService, pings: number): Promise<boolean> {
  const socket = await openWebSocket(url, `/api/ws/pings?interval=0.01&count=${pings + 1}`);
  try {
    for (let number = 1; number <= pings; number++) await socket.next();
    socket.send(frame(opcodes.pong, '1'));
    for (;;) {
      const found = await socket.next();
      if (found === undefined) throw new Error('The socket is closed.');
      if (found.opcode === opcodes.text) return JSON.parse(found.payload.toString()).asked;
    }
  } finally {
    socket.connection.socket.destroy();
  }
}

async function roomAccepts({ url }: TestService, bytes: number): Promise<boolean> {
  const socket = await openWebSocket(url, '/s/bounds-of-rooms/api/ws/room/a?from=a');
  try {
    await socket.text();
    socket.send(text('x'.repeat(bytes)));
    return (await socket.next())?.opcode === opcodes.text;
  } finally {
    socket.connection.socket.destroy();
  }
}

/** Begins operations, and returns whether all are accepted. */
async function runsOperations({ url }: TestService, count: number): Promise<boolean> {
  const socket = await openWebSocket(url, '/s/bounds-of-graphql/graphql', {
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
  });
  const query = 'subscription { countdown(from: 1000, interval: 60) }';
  const say = (message: object) => socket.send(text(JSON.stringify(message)));
  try {
    say({ type: 'connection_init' });
    await socket.text();
    for (let id = 0; id < count; id++) {
      say({ id: String(id), type: 'subscribe', payload: { query } });
    }
    for (let id = 0; id < count; id++) {
      if (JSON.parse(await socket.text()).type === 'error') return false;
    }
    return true;
  } finally {
    socket.connection.socket.destroy();
  }
}

/** The list counts 32 bytes more for each header. */
function statusOverHttp2({ url }: TestService, listBytes: number): Promise<unknown> {
  const session = connect(url);
  const headers: Record<string, string> = {
    ':method': 'GET',
    ':path': '/health',
    ':scheme': 'http',
    ':authority': 'a',
  };
  // A single one must be shorter than what may be sent.
  for (const name of ['x-a', 'x-b', 'x-c']) headers[name] = 'x'.repeat(16_000);
  const size = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 32,
    0,
  );
  const rest = 'x'.repeat(listBytes - size - 'x-d'.length - 32);
  const stream = session.request({ ...headers, 'x-d': rest });
  return new Promise((resolve, reject) => {
    stream.on('response', ({ ':status': status }) => resolve(status)).on('error', reject);
    session.on('error', reject);
  }).finally(() => session.destroy());
}

async function namesOfClient(service: TestService, length: number): Promise<number> {
  const path = `/s/bounds-of-names-${length}`;
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x'.repeat(length) },
  };
  await service.send(`POST ${path}/mcp`, {
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  });
  const { json } = await service.send(`GET ${path}/api/sandbox/mcp/sessions`);
  return json[0].client.length;
}

/** Completes the id of a post, of which there are 100 at first. */
async function completesIds(service: TestService, count: number): Promise<boolean> {
  const path = `/s/bounds-of-ids-${count}`;
  for (let more = 100; more < count; more++) {
    await service.send(`POST ${path}/api/Posts`, { json: { title: 'a', body: 'b', userId: 1 } });
  }
  const params = {
    ref: { type: 'ref/resource', uri: 'practice://{collection}/{id}' },
    argument: { name: 'id', value: '' },
    context: { arguments: { collection: 'posts' } },
  };
  const options = { path: `${path}/mcp` };
  const { messages } = await requestMcp(service, 'completion/complete', params, options);
  const { values, total, hasMore } = messages[0].result.completion;
  expect(total).toBe(count);
  return values.length === count && !hasMore;
}

export const serviceRules: readonly Rule[] = [
  {
    limit: 'areas/data/read/list-query.ts#maxFaults',
    value: 20,
    async accepts(size, { send }) {
      const unknown = Array.from({ length: size }, (_, place) => `unknown${place}=1`).join('&');
      return (await send(`GET /api/Books?${unknown}`)).json.errors.length === size;
    },
  },
  {
    limit: 'areas/data/write/perform-write.ts#maxPatchedValues',
    value: 50_000,
    accepts: async (size, service) => (await patched(service, size)) === 200,
  },
  {
    limit: 'areas/data/endpoints/respond-to-write.ts#maxWaitSeconds',
    value: 60,
    async accepts(size, { send }) {
      const headers = { 'X-Sandbox': 'bounds-of-waits', Prefer: `wait=${size}` };
      const json = { title: 'a', userId: 1 };
      const response = await send('POST /api/Todos', { headers, json });
      return response.headers['preference-applied'] === `wait=${size}`;
    },
  },
  {
    limit: 'areas/graphql/streams/serve-socket.ts#maxOperations',
    value: 50,
    accepts: (size, service) => runsOperations(service, size),
  },
  {
    limit: 'areas/mcp/control/settings-endpoints.ts#maxClientLength',
    value: 100,
    accepts: async (size, service) => (await namesOfClient(service, size)) === size,
  },
  {
    limit: 'areas/mcp/prompts/complete.ts#maxValues',
    value: 100,
    accepts: (size, service) => completesIds(service, size),
  },
  {
    limit: 'areas/mcp/sessions/run-calls.ts#maxUriLength',
    value: 2000,
    async accepts(size, service) {
      const session = await openSession(service, '2025-11-25', { path: '/s/bounds-of-uris/mcp' });
      const uri = `practice://${'x'.repeat(size - 'practice://'.length)}`;
      return (await session.request('resources/subscribe', { uri })).json.error === undefined;
    },
  },
  {
    limit: 'areas/passkeys/register.ts#maxIdBytes',
    value: 1023,
    accepts: (size, service) => registered(service, { idBytes: size }),
  },
  {
    limit: 'areas/passkeys/register.ts#maxKeyBytes',
    value: 1024,
    accepts: (size, service) => registered(service, { keyBytes: size }),
  },
  {
    limit: 'areas/session/visitor.ts#maxValueLength',
    value: 100,
    // A longer value is replaced.
    async accepts(size, { send }) {
      const { headers } = await send('GET /api/auth/session/csrf', {
        headers: { Cookie: `session-form=${'x'.repeat(size)}`, Accept: 'text/html' },
      });
      return headers['set-cookie'] === undefined;
    },
  },
  {
    limit: 'areas/websocket/push.ts#maxRemembered',
    value: 100,
    accepts: (size, service) => knowsFirstPing(service, size),
  },
  {
    limit: 'areas/websocket/room.ts#maxTextBytes',
    value: 65_536,
    accepts: (size, service) => roomAccepts(service, size),
  },
  {
    limit: 'http/sending/send-bytes.ts#maxPacedSeconds',
    value: 600,
    accepts: async (size, { send }) =>
      (await send(`HEAD /api/http/bytes/${size}?bytesPerSecond=1`)).status === 200,
  },
  {
    limit: 'wire/http2/http2-sessions.ts#maxHeaderListBytes',
    value: 65_536,
    accepts: async (size, service) => (await statusOverHttp2(service, size)) === 200,
  },
];
