/** Counts round trips to Redis: how often the service writes, and then waits for a reply. */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Starts a relay to a Redis server. Writes that follow each other without a reply between are one round trip.
 *
 * @param {string} url
 * @returns {Promise<{url: string, trips: () => number, close: () => Promise<void>}>}
 */
export async function relayTo(url) {
  const { hostname, port } = new URL(url);
  let trips = 0;
  const server = createServer((service) => {
    const redis = connect(Number(port), hostname);
    let isWaiting = false;
    service.on('data', (bytes) => {
      if (!isWaiting) trips++;
      isWaiting = true;
      redis.write(bytes);
    });
    redis.on('data', (bytes) => {
      isWaiting = false;
      service.write(bytes);
    });
    for (const [one, other] of [
      [service, redis],
      [redis, service],
    ]) {
      one?.on('error', () => {});
      one?.on('close', () => other?.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    trips: () => trips,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * A request whose round trips are counted, or several. `prepare` returns it, after other requests that it needs.
 *
 * @typedef {object} CountedRequest
 * @property {string} name
 * @property {number} most Round trips that it may need
 * @property {(send: Send) => Promise<Given | (() => Promise<unknown>)>} prepare
 *
 * @typedef {object} Given
 * @property {string} path
 * @property {string} [method]
 * @property {unknown} [json]
 * @property {Record<string, string>} [form]
 * @property {Record<string, string>} [headers]
 *
 * @typedef {(given: Given) => Promise<any>} Send returns the parsed body, or the target of a redirect
 */

const sandbox = { 'X-Sandbox': 'round-trips' };
const bearer = { Authorization: 'Bearer sk-practice-openai' };
const messages = [{ role: 'user', content: 'What is the capital of Norway?' }];
const chat = { path: '/llm/openai/v1/chat/completions', method: 'POST' };
const client = {
  client_id: 'demo-web',
  redirect_uri: 'http://127.0.0.1/callback',
};

/** @type {readonly CountedRequest[]} */
export const countedRequests = [
  {
    name: 'GET /api/Books/1',
    most: 1,
    prepare: async () => ({ path: '/api/Books/1', headers: sandbox }),
  },
  {
    name: 'GET /api/Books?limit=5',
    most: 1,
    prepare: async () => ({ path: '/api/Books?limit=5', headers: sandbox }),
  },
  {
    name: 'POST /api/Todos',
    most: 2,
    prepare: async () => ({
      ...{ path: '/api/Todos', method: 'POST', headers: sandbox },
      json: { title: 'Count', userId: 1 },
    }),
  },
  {
    name: 'PATCH /api/Books/1',
    most: 2,
    prepare: async () => ({
      ...{ path: '/api/Books/1', method: 'PATCH', headers: sandbox },
      json: { available: false },
    }),
  },
  {
    name: 'a capture of a bin',
    most: 2,
    async prepare(send) {
      const bin = await send({
        path: '/api/webhooks/bins',
        method: 'POST',
        json: {},
        headers: sandbox,
      });
      return { path: new URL(bin.url).pathname, method: 'POST', json: { a: 1 } };
    },
  },
  {
    name: 'GET /api/RateLimit/status',
    most: 1,
    prepare: async () => ({
      path: '/api/RateLimit/status',
      headers: { 'X-Client-Id': 'round-trips' },
    }),
  },
  {
    name: 'POST /llm/openai/v1/chat/completions',
    most: 4,
    prepare: async () => ({
      ...chat,
      ...{ json: { model: 'practice-1', messages }, headers: { ...sandbox, ...bearer } },
    }),
  },
  {
    name: 'POST /llm/openai/v1/chat/completions, a stream of a script',
    most: 5,
    async prepare(send) {
      const headers = { ...bearer, 'X-Sandbox': 'round-trips-script' };
      const turns = Array.from({ length: 20 }, (_, place) => ({ text: `Turn ${place}` }));
      await send({ path: '/api/sandbox/llm', method: 'PUT', json: { turns }, headers });
      return { ...chat, json: { model: 'practice-1', messages, stream: true }, headers };
    },
  },
  {
    name: 'a login at /oidc: authorize, and the code for tokens',
    most: 7,
    prepare: async (send) => async () => {
      const wanted = { ...client, response_type: 'code', scope: 'openid', auto: 'ada' };
      const { location } = await send({
        path: `/oidc/authorize?${new URLSearchParams(wanted)}`,
        headers: sandbox,
      });
      const code = new URL(location).searchParams.get('code') ?? '';
      const secret = 'demo-web-secret-of-32-characters';
      await send({
        ...{ path: '/oidc/token', method: 'POST', headers: sandbox },
        form: { ...client, client_secret: secret, grant_type: 'authorization_code', code },
      });
    },
  },
  {
    name: 'GET /api/Books/1 of a pupil of a class',
    most: 4,
    async prepare(send) {
      const { joinCode } = await send({
        path: '/api/classes',
        method: 'POST',
        json: { name: 'Count' },
      });
      const joined = await send({
        ...{ path: '/api/classes/join', method: 'POST' },
        json: { joinCode, name: 'Ada' },
      });
      return { path: `${new URL(joined.url ?? joined.address).pathname}/api/Books/1` };
    },
  },
];

/**
 * Returns the round trips of each request: the least of several, because the service also writes by itself.
 *
 * @param {string} service Its URL; it must use the relay
 * @param {() => number} trips
 * @returns {Promise<{name: string, most: number, trips: number}[]>}
 */
export async function countRoundTrips(service, trips) {
  /** @type {Send} */
  const send = async ({ path, method = 'GET', json, form, headers = {} }) => {
    const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(service + path, {
      ...{ method, headers: { ...headers, ...type }, redirect: 'manual' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    const location = response.headers.get('location');
    if (response.status >= 300 && location !== null) return { location };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return isJson ? JSON.parse(text) : undefined;
  };
  const counted = [];
  for (const { name, most, prepare } of countedRequests) {
    const given = await prepare(send);
    const run = () => (typeof given === 'function' ? given() : send(given));
    await run();
    let least = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 7; time++) {
      const before = trips();
      await run();
      least = Math.min(least, trips() - before);
    }
    counted.push({ name, most, trips: least });
  }
  return counted;
}
