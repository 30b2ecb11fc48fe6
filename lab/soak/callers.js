/**
 * Callers of a soak. Ordinary callers use every area, and their latency is measured. Hostile
 * callers never repeat themselves, so that everything that the service stores about a caller grows.
 */

import { addition } from '../fuzz/sources/echoes.js';
import { callJson } from '../harness/call.js';
import { asBytes } from '../harness/raw-http.js';
import { dearestBody } from '../harness/reference-work.js';
import { areaRequests, get, post, request } from './areas.js';

/**
 * @typedef {import('./areas.js').SoakRequest} SoakRequest
 *
 * @typedef {object} Caller
 * @property {string} name
 * @property {number} [pauseMs] Between two batches, 20 by default
 * @property {number} [batch] How many requests at once, one by default
 * @property {boolean} [isHostile]
 * @property {boolean} [isNewConnection] Whether each batch has a new connection
 * @property {readonly number[]} [statuses] The expected ones; all below 400 by default
 * @property {import('./areas.js').Make} next
 */

const mebibyte = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };
const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** @param {string} query @param {Readonly<Record<string, string>>} [headers] */
const graphql = (query, headers) => post('/graphql', { query }, '{"data":{', headers);

/** @param {number} intA */
const add = (intA) => ({ ...addition(intA), shown: `<AddResult>${intA + 1}</AddResult>` });

/**
 * Makes requests in turn.
 *
 * @param {readonly ((index: number) => SoakRequest)[]} makers
 * @returns {Caller['next']}
 */
const inTurn =
  (...makers) =>
  (index) =>
    (makers[index % makers.length] ?? (() => get('/')))(index);

/** @param {{clientId: string, clientSecret: string}} client */
function requestToken({ clientId, clientSecret }) {
  const grant = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  return request('POST', '/api/auth/oauth/token', form, grant, '"access_token":"');
}

/**
 * @param {string} url
 * @returns {Promise<Caller[]>}
 */
export async function ordinaryCallers(url) {
  const { credentials } = await callJson(url, 'GET', '/api/auth');
  const callers = await areaRequests(url);
  return [
    ...Object.entries(callers).map(([name, makers]) => ({ name, next: inTurn(...makers) })),
    {
      name: 'new connections',
      pauseMs: 50,
      isNewConnection: true,
      next: inTurn(
        () => get('/api/methods/get', '"method":"GET"'),
        () => requestToken(credentials.oauth),
      ),
    },
  ];
}

/**
 * Makes hostile callers. Everything that they fill has a limit (10,000 client ids, refresh families
 * and tokens of a sandbox, 100 bins), which they
 * reach during the warm-up. Any later growth has no limit.
 *
 * @param {string} url
 * @returns {Promise<Caller[]>}
 */
export async function hostileCallers(url) {
  const { credentials } = await callJson(url, 'GET', '/api/auth');
  const { username, password } = credentials.jwt[1];
  const bin = await callJson(url, 'POST', '/api/webhooks/bins', { name: 'flood' });
  const brackets = `[${'0,'.repeat(mebibyte / 2 - 4)}0]`;
  const dashes = `<a><!--${'- '.repeat(mebibyte / 2 - 4)}`;
  const bodies = [
    request('POST', '/api/methods/post', json, brackets),
    request('POST', '/api/methods/any', {}, '\xff\x00'.repeat(mebibyte / 2)),
    request('POST', '/api/soap/calculator', xml, dashes),
    request('POST', '/api/methods/post', json, asBytes(dearestBody)),
    request('POST', '/graphql', json, `{"query":"${'{a '.repeat(33_000)}"}`),
    request('POST', '/api/methods/post', form, 'a=%C5%BE&'.repeat(mebibyte / 9)),
    request('POST', '/api/methods/post', json, `${brackets.slice(0, -1)},`),
  ];
  const addTodo = 'mutation { addTodo(title: "T", userId: 1, priority: "low") { id } }';

  const capture = request('POST', new URL(bin.url).pathname, {}, 'x'.repeat(64 * 1024));

  /** @type {Omit<Caller, 'isHostile'>[]} */
  const callers = [
    {
      // 1,750 a second: a million in ten minutes.
      name: 'client ids',
      batch: 35,
      next: (index) => get('/api/RateLimit', '{', { 'X-Client-Id': `client-${index}` }),
    },
    {
      name: 'sandboxes',
      next: inTurn(
        (index) => {
          const headers = { ...json, 'X-Sandbox': `s-${index}` };
          return request('PATCH', '/api/Books/1', headers, `{"title":"T${index}"}`);
        },
        (index) => graphql(addTodo, { 'X-Sandbox': `g-${index}` }),
      ),
    },
    {
      name: 'bins',
      batch: 2,
      next: (index) =>
        post('/api/webhooks/bins', { name: `bin ${index}` }, `"name":"bin ${index}"`, {
          'X-Sandbox': `b-${index % 50}`,
        }),
    },
    { name: 'captures of 64 KiB', pauseMs: 25, next: () => capture },
    { name: 'logins', batch: 3, next: () => post('/api/auth/jwt/login', { username, password }) },
    { name: 'OAuth tokens', batch: 3, next: () => requestToken(credentials.oauth) },
    { name: 'Digest challenges', statuses: [401], next: () => get('/api/auth/digest') },
    {
      name: 'documents never seen twice',
      pauseMs: 10,
      next: (index) =>
        graphql(`query Q${index} { a${index}: books { id title } b: countries { name } }`),
    },
    { name: 'messages never seen twice', pauseMs: 10, next: add },
    {
      name: 'hosts never seen twice',
      pauseMs: 200,
      next: (index) => get(`http://host-${index}.test/openapi.json`),
    },
    {
      name: 'unknown paths',
      pauseMs: 10,
      statuses: [404],
      next: (index) => get(`/nowhere/${index}`),
    },
    {
      name: 'bodies of 1 MiB',
      pauseMs: 500,
      statuses: [200, 400, 500],
      next: inTurn(...bodies.map((body) => () => body)),
    },
    {
      name: 'garbage',
      pauseMs: 50,
      isNewConnection: true,
      statuses: [400],
      next: (index) => request(`BREW${index}`, '/'),
    },
    {
      name: 'abandoned streams',
      pauseMs: 100,
      isNewConnection: true,
      next: () => get(`/api/webhooks/bins/${bin.id}/events`),
    },
    {
      name: 'sign-ups',
      statuses: [201, 409, 429, 503],
      next: () => post('/api/accounts', {}),
    },
  ];
  return callers.map((caller) => ({ ...caller, isHostile: true }));
}
