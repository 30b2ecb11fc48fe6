/**
 * Callers of a soak. Ordinary callers use every area, and their latency is measured. Hostile
 * callers never repeat themselves, so that everything that the service stores about a caller grows.
 */

import { callJson } from '../harness/call.js';
import { asBytes, writeRequest } from '../harness/raw-http.js';

/**
 * @typedef {{method: string, bytes: string}} SoakRequest
 *
 * @typedef {object} Caller
 * @property {string} name
 * @property {number} [pauseMs] Between two batches, 20 by default
 * @property {number} [batch] How many requests at once, one by default
 * @property {boolean} [isHostile]
 * @property {boolean} [isNewConnection] Whether each batch has a new connection
 * @property {readonly number[]} [statuses] The expected ones; all below 400 by default
 * @property {(index: number) => SoakRequest} next
 */

const mebibyte = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };
const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/**
 * @param {string} method
 * @param {string} path
 * @param {Readonly<Record<string, string>>} [headers]
 * @param {string} [body] Each byte a character
 * @returns {SoakRequest}
 */
function request(method, path, headers = {}, body) {
  return { method, bytes: writeRequest(method, path, Object.entries(headers), body) };
}

/** @param {string} path @param {Readonly<Record<string, string>>} [headers] */
const get = (path, headers) => request('GET', path, headers);

/** @param {string} path @param {unknown} value @param {Readonly<Record<string, string>>} [headers] */
const post = (path, value, headers) =>
  request('POST', path, { ...json, ...headers }, asBytes(JSON.stringify(value)));

/** @param {string} query @param {Readonly<Record<string, string>>} [headers] */
const graphql = (query, headers) => post('/graphql', { query }, headers);

/** @param {number} intA */
function add(intA) {
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><Add xmlns="http://tempuri.org/"><intA>${intA}</intA><intB>1</intB></Add></e:Body></e:Envelope>`;
  return request('POST', '/api/soap/calculator', xml, body);
}

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

/** The body that is slowest to parse and to write: 30,000 objects of as many shapes. */
export const dearestBody = JSON.stringify(
  Array.from({ length: 30_000 }, (_, index) => ({ [`n${index}`]: 'ž"\\' })),
);

/** @param {{clientId: string, clientSecret: string}} client */
function requestToken({ clientId, clientSecret }) {
  const grant = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  return request('POST', '/api/auth/oauth/token', form, grant);
}

/**
 * @param {string} url
 * @returns {Promise<Caller[]>}
 */
export async function ordinaryCallers(url) {
  const { credentials } = await callJson(url, 'GET', '/api/auth');
  const { basic, bearer, apiKey, oauth, jwt } = credentials;
  const { username, password } = jwt[0];
  const basicValue = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  const bin = await callJson(url, 'POST', '/api/webhooks/bins', { name: 'soak' });
  const binPath = new URL(bin.url).pathname;
  const dates = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-02T00:00:00Z' };
  const inSandbox = (/** @type {number} */ index) => ({
    'X-Sandbox': `soak-${Math.floor(index / 5) % 5}`,
  });
  const region = encodeURIComponent('{ countries(region: "Europe") { name capital } }');
  const byId = 'query ($id: Int!) { book(id: $id) { title } }';
  const callers = {
    methods: inTurn(
      (index) => get(`/api/methods/get?page=${index % 7}`),
      (index) => post('/api/methods/post', { index }),
      () => request('PUT', '/api/methods/any', {}, 'text'),
      () => get('/api/methods/get'),
    ),
    auth: inTurn(
      () => get('/api/auth/basic', { Authorization: `Basic ${basicValue}` }),
      () => get('/api/auth/bearer', { Authorization: `Bearer ${bearer.admin}` }),
      () => get('/api/auth/api-key/header', { 'X-API-Key': apiKey }),
      () => post('/api/auth/jwt/login', { username, password }),
      () => get('/api/auth/csrf/token'),
    ),
    resources: inTurn(
      () => get('/api/Events?limit=10&sort=-price'),
      (index) => get(`/api/Books/${1 + (index % 25)}`),
      () => get('/api/Events?city=Oslo&price_gte=10'),
      (index) => post('/api/Events', { name: 'A soak', ...dates }, inSandbox(index)),
      (index) => request('DELETE', '/api/sandbox', inSandbox(index)),
    ),
    graphql: inTurn(
      () => graphql('{ books { id title author } }'),
      (index) => post('/graphql', { query: byId, variables: { id: 1 + (index % 25) } }),
      () => get(`/graphql?query=${region}`),
    ),
    soap: inTurn(
      () => add(2),
      () => get('/api/soap/calculator?wsdl'),
    ),
    webhooks: inTurn(
      (index) => post(binPath, { index }),
      () => get(`/api/webhooks/bins/${bin.id}`),
      () => get('/api/webhooks/samples/stripe'),
    ),
    others: inTurn(
      () => get('/api/pagination/page?page=2&size=10'),
      () => get('/api/pagination/link?page=3&per_page=5'),
      () => get('/api/RateLimit/status', { 'X-Client-Id': 'soak' }),
      () => get('/api/versioned/profile', { 'X-API-Version': '2' }),
      (index) => get(`/images/books/${1 + (index % 25)}.svg`),
      () => get('/'),
      () => get('/openapi.json'),
      () => get('/health'),
    ),
  };
  return [
    ...Object.entries(callers).map(([name, next]) => ({ name, pauseMs: 10, next })),
    {
      name: 'new connections',
      pauseMs: 50,
      isNewConnection: true,
      next: inTurn(
        () => get('/api/methods/get'),
        () => requestToken(oauth),
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
      next: (index) => get('/api/RateLimit', { 'X-Client-Id': `client-${index}` }),
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
        post('/api/webhooks/bins', { name: `bin ${index}` }, { 'X-Sandbox': `b-${index % 50}` }),
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
