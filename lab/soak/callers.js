/**
 * Who calls during a soak. Ordinary callers do what people do in every area, and their waiting is
 * measured. Hostile ones never do the same thing twice, so that whatever is remembered of a caller is
 * remembered again and again.
 */

import { writeRequest } from '../fuzz/write-request.js';

/**
 * @typedef {object} SoakRequest
 * @property {string} method
 * @property {string} path
 * @property {readonly (readonly [string, string])[]} [headers]
 * @property {string} [body]
 *
 * @typedef {object} Caller
 * @property {string} name
 * @property {number} pauseMs Between two batches
 * @property {number} [batch] How many requests at once, one when left out
 * @property {boolean} [isHostile]
 * @property {boolean} [isNewConnection] A connection of its own for each batch
 * @property {readonly number[]} [statuses] What is right; below 400 when left out
 * @property {(index: number) => SoakRequest} next
 */

const json = /** @type {const} */ (['Content-Type', 'application/json']);
const soapType = /** @type {const} */ (['Content-Type', 'text/xml; charset=utf-8']);
const form = /** @type {const} */ (['Content-Type', 'application/x-www-form-urlencoded']);
const mebibyte = 1024 * 1024;

/**
 * @param {string} path
 * @param {unknown} value
 * @param {readonly (readonly [string, string])[]} [headers]
 * @returns {SoakRequest}
 */
const post = (path, value, headers = []) => ({
  method: 'POST',
  path,
  headers: [json, ...headers],
  body: JSON.stringify(value),
});

/** @param {string} path @param {readonly (readonly [string, string])[]} [headers] */
const get = (path, headers = []) => ({ method: 'GET', path, headers });

/** Of the bodies of a soak this takes longest to parse and to write again: 30,000 objects of as many shapes. */
export const dearestBody = JSON.stringify(
  Array.from({ length: 30_000 }, (_, index) => ({ [`n${index}`]: 'ž"\\' })),
);

/** @param {number} intA */
const addition = (intA) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><Add xmlns="http://tempuri.org/"><intA>${intA}</intA><intB>1</intB></Add></e:Body></e:Envelope>`;

/** @param {number} intA @returns {SoakRequest} */
const add = (intA) => ({
  method: 'POST',
  path: '/api/soap/calculator',
  headers: [soapType],
  body: addition(intA),
});

/**
 * @param {(method: string, path: string, value?: unknown) => Promise<any>} ask
 * @returns {Promise<Caller[]>}
 */
export async function ordinaryCallers(ask) {
  const { credentials } = await ask('GET', '/api/auth');
  const { basic, bearer, apiKey, oauth, jwt } = credentials;
  const basicValue = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  const [admin] = jwt;
  const bin = await ask('POST', '/api/webhooks/bins', { name: 'soak' });
  const event = {
    name: 'A soak',
    startsAt: '2030-01-01T00:00:00Z',
    endsAt: '2030-01-02T00:00:00Z',
  };
  /** @type {readonly (readonly [string, (index: number) => SoakRequest])[]} */
  const rounds = [
    [
      'methods',
      (index) =>
        [
          get(`/api/methods/get?page=${index % 7}`),
          post('/api/methods/post', { index }),
          { method: 'PUT', path: '/api/methods/any', body: 'text' },
          get('/api/methods/options'.replace('options', 'get')),
        ][index % 4] ?? get('/'),
    ],
    [
      'auth',
      (index) =>
        [
          get('/api/auth/basic', [['Authorization', `Basic ${basicValue}`]]),
          get('/api/auth/bearer', [['Authorization', `Bearer ${bearer.admin}`]]),
          get('/api/auth/api-key/header', [['X-API-Key', apiKey]]),
          post('/api/auth/jwt/login', { username: admin.username, password: admin.password }),
          get('/api/auth/csrf/token'),
        ][index % 5] ?? get('/'),
    ],
    [
      'resources',
      (index) =>
        [
          get('/api/Events?limit=10&sort=-price'),
          get(`/api/Books/${1 + (index % 25)}`),
          get('/api/Events?city=Oslo&price_gte=10'),
          post('/api/Events', event, [['X-Sandbox', `soak-${Math.floor(index / 5) % 5}`]]),
          {
            method: 'DELETE',
            path: '/api/sandbox',
            headers: [/** @type {const} */ (['X-Sandbox', `soak-${Math.floor(index / 5) % 5}`])],
          },
        ][index % 5] ?? get('/'),
    ],
    [
      'graphql',
      (index) =>
        [
          post('/graphql', { query: '{ books { id title author } }' }),
          post('/graphql', {
            query: 'query ($id: Int!) { book(id: $id) { title } }',
            variables: { id: 1 + (index % 25) },
          }),
          get(
            `/graphql?query=${encodeURIComponent('{ countries(region: "Europe") { name capital } }')}`,
          ),
        ][index % 3] ?? get('/'),
    ],
    ['soap', (index) => [add(2), get('/api/soap/calculator?wsdl')][index % 2] ?? get('/')],
    [
      'webhooks',
      (index) =>
        [
          post(new URL(bin.url).pathname, { index }),
          get(`/api/webhooks/bins/${bin.id}`),
          get('/api/webhooks/samples/stripe'),
        ][index % 3] ?? get('/'),
    ],
    [
      'others',
      (index) =>
        [
          get('/api/pagination/page?page=2&size=10'),
          get('/api/pagination/link?page=3&per_page=5'),
          get('/api/RateLimit/status', [['X-Client-Id', 'soak']]),
          get('/api/versioned/profile', [['X-API-Version', '2']]),
          get(`/images/books/${1 + (index % 25)}.svg`),
          get('/'),
          get('/openapi.json'),
          get('/health'),
        ][index % 8] ?? get('/'),
    ],
  ];
  const grant = `grant_type=client_credentials&client_id=${oauth.clientId}&client_secret=${oauth.clientSecret}`;
  return [
    ...rounds.map(([name, next]) => ({ name, pauseMs: 10, next })),
    {
      name: 'new connections',
      pauseMs: 50,
      isNewConnection: true,
      next: (index) =>
        index % 2 === 0
          ? get('/api/methods/get')
          : { method: 'POST', path: '/api/auth/oauth/token', headers: [form], body: grant },
    },
  ];
}

/**
 * What they fill has a bound each (10,000 client ids, refresh families and tokens of a sandbox, 100 bins), and
 * they come often enough to reach it while the service warms up; what grows afterwards has none.
 *
 * @param {(method: string, path: string, value?: unknown) => Promise<any>} ask
 * @returns {Promise<Caller[]>}
 */
export async function hostileCallers(ask) {
  const { paths } = await ask('GET', '/openapi.json');
  const { credentials } = await ask('GET', '/api/auth');
  const { oauth, jwt } = credentials;
  const [, user] = jwt;
  const grant = `grant_type=client_credentials&client_id=${oauth.clientId}&client_secret=${oauth.clientSecret}`;
  const bin = await ask('POST', '/api/webhooks/bins', { name: 'flood' });
  const large = 'x'.repeat(64 * 1024);
  const dashes = `<a><!--${'- '.repeat(mebibyte / 2 - 4)}`;
  const brackets = `[${'0,'.repeat(mebibyte / 2 - 4)}0]`;
  const bytes = '\xff\x00'.repeat(mebibyte / 2);

  /** @type {Omit<Caller, 'isHostile'>[]} */
  const callers = [
    {
      // 1,750 a second: a million in ten minutes.
      name: 'client ids',
      pauseMs: 20,
      batch: 35,
      next: (index) => get('/api/RateLimit', [['X-Client-Id', `client-${index}`]]),
    },
    {
      name: 'sandboxes',
      pauseMs: 20,
      next: (index) =>
        index % 2 === 0
          ? {
              method: 'PATCH',
              path: '/api/Books/1',
              headers: [json, ['X-Sandbox', `s-${index}`]],
              body: `{"title":"T${index}"}`,
            }
          : post(
              '/graphql',
              { query: 'mutation { addTodo(title: "T", userId: 1, priority: "low") { id } }' },
              [['X-Sandbox', `g-${index}`]],
            ),
    },
    {
      name: 'bins',
      pauseMs: 20,
      batch: 2,
      next: (index) =>
        post('/api/webhooks/bins', { name: `bin ${index}` }, [['X-Sandbox', `b-${index % 50}`]]),
    },
    {
      name: 'captures of 64 KiB',
      pauseMs: 25,
      next: () => ({ method: 'POST', path: new URL(bin.url).pathname, body: large }),
    },
    {
      name: 'logins',
      pauseMs: 20,
      batch: 3,
      next: () => post('/api/auth/jwt/login', { username: user.username, password: user.password }),
    },
    {
      name: 'OAuth tokens',
      pauseMs: 20,
      batch: 3,
      next: () => ({ method: 'POST', path: '/api/auth/oauth/token', headers: [form], body: grant }),
    },
    {
      name: 'Digest challenges',
      pauseMs: 20,
      statuses: [401],
      next: () => get('/api/auth/digest'),
    },
    {
      name: 'documents never seen twice',
      pauseMs: 10,
      next: (index) =>
        post('/graphql', {
          query: `query Q${index} { a${index}: books { id title } b: countries { name } }`,
        }),
    },
    {
      name: 'messages never seen twice',
      pauseMs: 10,
      next: (index) => add(index),
    },
    {
      name: 'hosts never seen twice',
      pauseMs: 200,
      next: (index) => get(`http://host-${index}.test/openapi.json`),
    },
    {
      name: 'paths that are not there',
      pauseMs: 10,
      statuses: [404],
      next: (index) => get(`/nowhere/${index}`),
    },
    {
      name: 'bodies of 1 MiB',
      pauseMs: 500,
      statuses: [200, 400, 500],
      next: (index) =>
        [
          { method: 'POST', path: '/api/methods/post', headers: [json], body: brackets },
          { method: 'POST', path: '/api/methods/any', body: bytes },
          { method: 'POST', path: '/api/soap/calculator', headers: [soapType], body: dashes },
          {
            method: 'POST',
            path: '/api/methods/post',
            headers: [json],
            body: Buffer.from(dearestBody).toString('latin1'),
          },
          {
            method: 'POST',
            path: '/graphql',
            headers: [json],
            body: `{"query":"${'{a '.repeat(33_000)}"}`,
          },
          {
            method: 'POST',
            path: '/api/methods/post',
            headers: [form],
            body: 'a=%C5%BE&'.repeat(mebibyte / 9),
          },
          {
            method: 'POST',
            path: '/api/methods/post',
            headers: [json],
            body: `${brackets.slice(0, -1)},`,
          },
        ][index % 7] ?? get('/'),
    },
    {
      name: 'garbage',
      pauseMs: 50,
      isNewConnection: true,
      statuses: [400],
      next: (index) => ({ method: `BREW${index}`, path: '/' }),
    },
    {
      name: 'streams that are left',
      pauseMs: 100,
      isNewConnection: true,
      next: () => get(`/api/webhooks/bins/${bin.id}/events`),
    },
  ];
  if ('/api/accounts' in paths) {
    callers.push({
      name: 'sign-ups',
      pauseMs: 20,
      statuses: [201, 409, 429, 503],
      next: () => post('/api/accounts', {}),
    });
  }
  return callers.map((caller) => ({ ...caller, isHostile: true }));
}

/** @param {SoakRequest} request */
export function bytesOf({ method, path, headers = [], body }) {
  return writeRequest(method, path, headers, body);
}
