import { once } from 'node:events';
import { connect } from 'node:net';
import type { DestinationStream } from 'pino';
import { Type } from 'typebox';
import { afterEach, describe, expect, test } from 'vitest';
import { configFrom } from '#config/config.js';
import type { LogLevel } from '#config/parse-settings.js';
import { settings } from '#config/settings.js';
import { HttpError } from '#http/http-error.js';
import type { Area } from '#kit/area.js';
import { endpoint, open } from '#kit/endpoint.js';
import { Offers } from '#kit/offers/offers.js';
import { RequestCounts } from '#kit/request-counts.js';
import { createMemoryState } from '#state/memory/memory-state.js';
import { CapacityError } from '#state/state.js';
import { listen } from '#wire/servers/listen.js';
import { send } from '../../test/support/service.js';
import { servicesOver } from '../../test/support/services.js';
import { createApp } from './create-app.js';
import type { ListedRoutes } from './late-endpoints.js';
import { createLog } from './request-log.js';
import { wireService } from './wire-service.js';

const noteSchema = Type.Object(
  {
    title: Type.String({ minLength: 1 }),
    stars: Type.Integer({ minimum: 1, maximum: 5 }),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    owner: Type.Optional(Type.Object({ name: Type.String() })),
  },
  { additionalProperties: false },
);

const testArea: Area = {
  name: 'test',
  title: 'Test',
  front: {
    start: '/test',
  },
  summary: 'Routes that go wrong in every way.',
  endpoints: () => [
    endpoint('GET', '/test/unexpected', {
      handle: async () => {
        throw new TypeError('secret detail');
      },
    }),
    endpoint('GET', '/test/not-even-an-error', {
      handle: async () => {
        throw 'text';
      },
    }),
    endpoint('GET', '/test/full', {
      handle: async () => {
        throw new CapacityError('No room.');
      },
    }),
    endpoint('GET', '/test/refused', {
      handle: async () => {
        const headers = { 'retry-after': '7' };
        throw new HttpError(429, 'Too fast.', { headers, body: { retryAfter: 7 } });
      },
    }),
    endpoint('GET', '/test/unwritable', { handle: async () => ({ stars: 5n }) }),
    endpoint('GET', '/test/:id', { handle: async () => ({ id: true }) }),
    endpoint('POST', '/test/bins', { handle: async () => ({ bins: true }) }),
    endpoint('DELETE', '/test/:id', {
      handle: async (_request, reply) => reply.code(204).send(),
    }),
    endpoint('POST', '/test/notes', { body: noteSchema, handle: async ({ body }) => body }),
    endpoint('GET', '/test/list', {
      query: open({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
      handle: async ({ query }) => query,
    }),
  ],
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function areaWith(name: string, endpoints: Area['endpoints']): Area {
  return { name, title: name, front: { start: `/${name}` }, summary: `Tests ${name}.`, endpoints };
}

async function start(
  logLevel: LogLevel = 'error',
  areas: readonly Area[] = [testArea],
  listed: ListedRoutes['areas'] = {},
) {
  const lines: Record<string, unknown>[] = [];
  const destination: DestinationStream = { write: (line) => void lines.push(JSON.parse(line)) };
  const config = configFrom(settings, {});
  const state = createMemoryState({ clock: Date.now });
  const services = await servicesOver(state, config);
  const offers = new Offers(areas, services);
  const counts = new RequestCounts();
  const log = createLog(logLevel, destination);
  const parts = { areas, infrastructure: [], offers, listed };
  const app = await createApp(config, parts, services, log, counts);
  const service = wireService(offers, app, log);
  const listener = await listen({ host: config.host, port: 0, service });
  stops.push(() => listener.close());
  const url = `http://127.0.0.1:${listener.port}`;
  const sendHere: typeof send extends (url: string, ...rest: infer Rest) => infer Response
    ? (...rest: Rest) => Response
    : never = (...rest) => send(url, ...rest);
  return { lines, port: listener.port, send: sendHere, app, counts };
}

describe('an unexpected failure', () => {
  test.each(['/test/unexpected', '/test/not-even-an-error', '/test/unwritable'])(
    'at %s is 500 without detail, logged once with the request id',
    async (path) => {
      const { lines, send } = await start();
      const headers = { 'x-request-id': 'find-me' };
      const { status, json, text } = await send(`GET ${path}?password=hush`, { headers });
      expect(status).toBe(500);
      expect(Object.keys(json)).toEqual(['status', 'error', 'message']);
      expect(text).not.toContain('secret detail');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ level: 'error', requestId: 'find-me', route: path });
      expect(JSON.stringify(lines)).not.toContain('hush');
    },
  );
});

test('an error of a handler keeps its status, headers and extra members', async () => {
  const { lines, send } = await start();
  const { status, headers, json } = await send('GET /test/refused');
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('7');
  expect(json).toEqual({
    status: 429,
    error: 'Too Many Requests',
    message: 'Too fast.',
    retryAfter: 7,
  });
  expect(lines).toEqual([]);
});

test('a number limit that is reached is 409', async () => {
  const { send } = await start();
  expect((await send('GET /test/full')).json).toMatchObject({ status: 409, message: 'No room.' });
});

test('a method that a static path does not support never reaches a wider path', async () => {
  const { send } = await start();
  expect((await send('DELETE /test/other')).status).toBe(204);
  // Neither path supports PUT: its 405 must not name the methods of the wider one.
  for (const method of ['DELETE', 'PUT']) {
    const { status, headers } = await send(`${method} /test/bins`);
    expect(status).toBe(405);
    expect(headers.allow).toBe('POST');
  }
});

describe('a JSON body', () => {
  const json = 'application/json';
  const good = { title: 'x', stars: 3 };

  test('that fits its schema reaches the handler', async () => {
    const { send } = await start();
    expect((await send('POST /test/notes', { json: good })).json).toEqual(good);
  });

  test('may begin with a byte-order mark', async () => {
    const { send } = await start();
    const body = `\ufeff${JSON.stringify(good)}`;
    const headers = { 'content-type': json };
    expect((await send('POST /test/notes', { body, headers })).json).toEqual(good);
  });

  test.each([
    ['is missing', undefined, json, 400, 'no body'],
    ['is broken', '{"title":}', json, 400, 'line 1, column 10'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 400, 'not valid UTF-8'],
    ['is nested too deep', '['.repeat(600) + ']'.repeat(600), json, 400, 'nested deeper'],
    ['has no type', '{}', undefined, 415, 'has no Content-Type'],
    ['has another type', '{}', 'text/plain', 415, 'is text/plain'],
    ['has a type that is none', '{}', ';;', 415, 'Send Content-Type: application/json'],
    ['is over 1 MiB', `"${'a'.repeat(1024 * 1024)}"`, json, 413, '1 MiB'],
    ['is no object', '[]', json, 400, 'The body must be an object; got an array.'],
  ])('that %s is rejected', async (_name, body, type, status, message) => {
    const { send } = await start();
    const response = await send('POST /test/notes', {
      ...(body !== undefined && { body }),
      headers: type === undefined ? {} : { 'content-type': type },
    });
    expect(response.status).toBe(status);
    expect(response.json.message).toContain(message);
  });

  test('with a coding is rejected with the accepted coding', async () => {
    const { send } = await start();
    const headers = { 'content-type': json, 'content-encoding': 'gzip' };
    const response = await send('POST /test/notes', { body: 'x', headers });
    expect(response.status).toBe(415);
    expect(response.headers['accept-encoding']).toBe('identity');
  });

  test('that is wrong in many fields names every one', async () => {
    const { send } = await start();
    const body = { stars: 9, kind: 'z', owner: { name: 1 }, extra: true };
    const { status, json } = await send('POST /test/notes', { json: body });
    expect(status).toBe(400);
    expect(json.errors).toEqual(
      expect.arrayContaining([
        {
          field: 'title',
          message: 'title is missing; it must be a string of at least 1 character.',
        },
        { field: 'stars', message: 'stars must be an integer from 1 to 5; got 9.' },
        { field: 'kind', message: 'kind must be "a"; got "z".' },
        { field: 'owner.name', message: 'owner.name must be a string; got 1.' },
        {
          field: 'extra',
          message: 'Unknown field extra. Use title, stars, kind, owner.',
        },
      ]),
    );
    expect(json.errors).toHaveLength(5);
  });

  test('is not coerced: a number in quotes is not a number', async () => {
    const { send } = await start();
    const { json } = await send('POST /test/notes', { json: { title: 'x', stars: '3' } });
    expect(json.errors).toEqual([
      { field: 'stars', message: 'stars must be an integer from 1 to 5; got "3".' },
    ]);
  });

  test('with __proto__ pollutes nothing and is rejected as an unknown field', async () => {
    const { send } = await start();
    const body = '{"title":"x","stars":1,"__proto__":{"kind":"a"}}';
    const { status } = await send('POST /test/notes', {
      body,
      headers: { 'content-type': json },
    });
    expect(status).toBe(400);
  });
});

test('a query parameter is parsed as its type, and named if it is wrong', async () => {
  const { send } = await start();
  expect((await send('GET /test/list?limit=3')).json).toEqual({ limit: 3 });
  expect((await send('GET /test/list?limit=x')).json).toMatchObject({
    status: 400,
    errors: [
      {
        field: 'limit',
        message: 'limit must be an integer of at least 1; got "x".',
      },
    ],
  });
});

test.each(['0x10', '1e1', '1.0', '9.9999999999999999', '+3', '%203', '3%20', '', '-', 'true'])(
  'an integer query parameter must be written only in digits, not as "%s"',
  async (text) => {
    const { send } = await start();
    const { status, json } = await send(`GET /test/list?limit=${text}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ field: 'limit' }]);
  },
);

test('an integer that no double can represent is rejected as sent', async () => {
  const { send } = await start();
  const { status, json } = await send(`GET /test/list?limit=${'9'.repeat(400)}`);
  expect(status).toBe(400);
  expect(json.errors[0].message).toMatch(/^limit must be an integer of at least 1; got "9{40}…"/);
});

describe('the log', () => {
  test('has one line per request at info, without query or headers', async () => {
    const { lines, send } = await start('info');
    await send('GET /test/x?api_key=hush', { headers: { authorization: 'hush' } });
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: expect.any(String),
        method: 'GET',
        route: '/test/:id',
        status: 200,
        durationMs: expect.any(Number),
        ip: '127.0.0.1',
        msg: 'request',
      },
    ]);
  });

  test('has only harmless headers and parameters at debug', async () => {
    const { lines, send } = await start('debug');
    await send('GET /test/hush?api_key=hush&page=2&hush=1', {
      headers: { authorization: 'Bearer hush', 'x-anything': 'hush', accept: 'text/plain' },
    });
    expect(JSON.stringify(lines)).not.toContain('hush');
    expect(lines[0]).toMatchObject({ query: { page: '2' } });
    expect(lines[0]?.headers).toStrictEqual({
      accept: 'text/plain',
      connection: expect.any(String),
      host: expect.any(String),
    });
  });

  test('omits health checks', async () => {
    const { lines, send } = await start('info');
    await send('GET /health');
    await send('GET /Health/ready');
    expect(lines).toEqual([]);
  });
});

describe('an area', () => {
  test('makes its endpoints once, and responds to several first requests', async () => {
    let calls = 0;
    const area = areaWith('dice', () => {
      calls += 1;
      return [endpoint('GET', '/dice/:id', { handle: async ({ params }) => params })];
    });
    const { send } = await start('error', [area]);
    expect(calls).toBe(1);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, id) => send(`GET /dice/${id}`)),
    );
    expect(responses.map(({ json }) => json)).toEqual(
      Array.from({ length: 20 }, (_, id) => ({ id: String(id) })),
    );
    expect(calls).toBe(1);
  });

  test('shares no path with another', async () => {
    const endpoints = () => [endpoint('GET', '/same', { handle: async () => ({}) })];
    const both = ['one', 'two'].map((name) => areaWith(name, endpoints));
    await expect(start('error', both)).rejects.toThrow('/same has routes of two areas.');
  });

  test('responds on its own paths, also where a wider path supports more methods', async () => {
    const wide = areaWith('wide', () => [
      endpoint('GET', '/:name', { handle: async () => ({ wide: true }) }),
      endpoint('POST', '/:name', { handle: async () => ({ wide: true }) }),
    ]);
    const narrow = areaWith('narrow', () => [
      endpoint('GET', '/narrow', { handle: async () => ({ narrow: true }) }),
    ]);
    const { send } = await start('error', [wide, narrow]);
    expect((await send('GET /narrow')).json).toEqual({ narrow: true });
    const rejected = await send('POST /narrow');
    expect([rejected.status, rejected.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await send('POST /other')).json).toEqual({ wide: true });
  });

  test.each(['loaded', 'not loaded'])(
    'a client that leaves before the area is %s is not counted',
    async (outcome) => {
      let begin = () => {};
      const isBegun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      let load = () => {};
      const isLoaded = new Promise<void>((resolve) => {
        load = resolve;
      });
      let calls = 0;
      const handle = async () => ({ calls: ++calls });
      const make = async () => {
        begin();
        await isLoaded;
        if (outcome === 'not loaded') throw new Error('no room');
        return [endpoint('GET', '/late', { handle })];
      };
      const area: Area = { ...areaWith('late', make), isLate: true };
      const { lines, port, counts } = await start('debug', [area], { late: [['GET', '/late']] });
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
      await isBegun;
      socket.resetAndDestroy();
      await once(socket, 'close');
      // The close has reached the service before the response to another connection.
      await fetch(`http://127.0.0.1:${port}/`);
      load();
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect([counts.inFlight, calls]).toEqual([0, 0]);
      expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );
});
