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
 * A request whose round trips are counted. `prepare` returns the request, after other requests that it needs.
 *
 * @typedef {object} CountedRequest
 * @property {string} name
 * @property {number} most Round trips that it may need
 * @property {(send: Send) => Promise<Given>} prepare
 *
 * @typedef {{path: string, method?: string, json?: unknown, headers?: Record<string, string>}} Given
 * @typedef {(given: Given) => Promise<any>} Send returns the parsed body
 */

const sandbox = { 'X-Sandbox': 'round-trips' };
const bearer = { Authorization: 'Bearer sk-practice-openai' };
const messages = [{ role: 'user', content: 'What is the capital of Norway?' }];

/** @type {readonly CountedRequest[]} */
export const countedRequests = [
  {
    name: 'GET /api/Books/1',
    most: 2,
    prepare: async () => ({ path: '/api/Books/1', headers: sandbox }),
  },
  {
    name: 'GET /api/Books?limit=5',
    most: 3,
    prepare: async () => ({ path: '/api/Books?limit=5', headers: sandbox }),
  },
  {
    name: 'POST /api/Todos',
    most: 4,
    prepare: async () => ({
      ...{ path: '/api/Todos', method: 'POST', headers: sandbox },
      json: { title: 'Count', userId: 1 },
    }),
  },
  {
    name: 'PATCH /api/Books/1',
    most: 3,
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
    most: 2,
    prepare: async () => ({
      path: '/api/RateLimit/status',
      headers: { 'X-Client-Id': 'round-trips' },
    }),
  },
  {
    name: 'POST /llm/openai/v1/chat/completions',
    most: 15,
    prepare: async () => ({
      ...{ path: '/llm/openai/v1/chat/completions', method: 'POST' },
      ...{ json: { model: 'practice-1', messages }, headers: { ...sandbox, ...bearer } },
    }),
  },
  {
    name: 'GET /api/Books/1 of a pupil of a class',
    most: 6,
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
  const send = async ({ path, method = 'GET', json, headers = {} }) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(service + path, {
      method,
      headers: { ...headers, ...type },
      ...body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const counted = [];
  for (const { name, most, prepare } of countedRequests) {
    const given = await prepare(send);
    await send(given);
    let least = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 7; time++) {
      const before = trips();
      await send(given);
      least = Math.min(least, trips() - before);
    }
    counted.push({ name, most, trips: least });
  }
  return counted;
}
