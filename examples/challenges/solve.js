/**
 * Solutions of challenges with axios: node solve.js http-head
 *
 * PRACTICE_API is the URL of the sandbox in which the challenge was started.
 */

import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';

const api = axios.create({
  baseURL: process.env.PRACTICE_API ?? 'http://localhost:3000/s/mary',
  // Failures are part of solutions.
  validateStatus: () => true,
});

const callback = 'http://localhost:4711/callback';
const verifier = 'a-code-verifier-of-forty-three-characters-or-more';
const book = {
  title: 'Emma',
  author: 'Jane Austen',
  isbn: '9780306406157',
  publishedYear: 1815,
  pages: 474,
};

/** Creates a payment of 20.00 USD. */
const pay = (headers = {}) =>
  api.post(
    '/v1/payment_intents',
    new URLSearchParams({
      ...{ amount: '2000', currency: 'usd', 'payment_method_types[]': 'card' },
      ...{ payment_method: 'pm_card_visa', confirm: 'true' },
    }),
    { headers: { Authorization: 'Bearer sk_test_practice', ...headers } },
  );

/** @param {string} token */
const bearer = (token) => ({ headers: { Authorization: `Bearer ${token}` } });
/** @param {string} text @param {'hex' | 'base64url'} encoding */
const sha256 = (text, encoding) => createHash('sha256').update(text).digest(encoding);

/** @param {string} operation @param {number} a @param {number} b */
const soap = (operation, a, b) =>
  api.post(
    '/api/soap/calculator',
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
      <${operation} xmlns="http://tempuri.org/"><intA>${a}</intA><intB>${b}</intB></${operation}>
    </e:Body></e:Envelope>`,
    {
      headers: {
        'Content-Type': 'text/xml; charset=utf-8',
        SOAPAction: `"http://tempuri.org/${operation}"`,
      },
    },
  );

/**
 * Logs in by OpenID Connect with PKCE, and returns the tokens.
 *
 * @param {string} scope
 */
async function logIn(scope) {
  const params = {
    client_id: 'demo-spa',
    redirect_uri: callback,
    response_type: 'code',
    scope,
    state: 'a-random-state',
    code_challenge: sha256(verifier, 'base64url'),
    code_challenge_method: 'S256',
    auto: 'ada',
  };
  const { headers } = await api.get('/oidc/authorize', { params, maxRedirects: 0 });
  const response = new URL(headers.location).searchParams;
  const fields = {
    grant_type: 'authorization_code',
    client_id: 'demo-spa',
    redirect_uri: callback,
    code_verifier: verifier,
    code: response.get('code') ?? '',
  };
  return (await api.post('/oidc/token', new URLSearchParams(fields))).data;
}

/**
 * Reads a page and all pages after it.
 *
 * @param {string} url
 */
async function readPages(url) {
  const { headers } = await api.get(url);
  const next = /<([^>]*)>; rel="next"/.exec(headers.link)?.[1];
  if (next !== undefined) await readPages(next);
}

/** Repeats a POST with the same key, whether its response arrives or not. */
async function createOnce() {
  const headers = { 'Idempotency-Key': '"order-1"' };
  for (let attempt = 0; attempt < 2; attempt++) {
    await api.post('/api/Books', book, { headers }).catch(() => {});
  }
}

const solutions = {
  'http-head': () => api.head('/api/Books/1'),

  async 'http-not-modified'() {
    const { headers } = await api.get('/api/Books/1');
    await api.get('/api/Books/1', { headers: { 'If-None-Match': headers.etag } });
  },

  'http-redirects': () => api.get('/api/http/redirect/3'),

  async 'http-cookie'() {
    const { headers } = await api.get('/api/http/cookies/set?flavour=oat', { maxRedirects: 0 });
    const Cookie = headers['set-cookie']?.[0]?.split(';')[0];
    await api.get('/api/http/cookies', { headers: { Cookie } });
  },

  'rest-pages': () => readPages('/api/Books?limit=10'),

  async 'rest-if-match'() {
    const { headers } = await api.get('/api/Events/1');
    const condition = { headers: { 'If-Match': headers.etag } };
    await api.patch('/api/Events/1', { ticketsSold: 1 }, condition);
  },

  'rest-idempotency': createOnce,

  async 'rest-json-patch'() {
    const operations = [
      { op: 'test', path: '/price', value: 12.99 },
      { op: 'replace', path: '/price', value: 9.5 },
    ];
    const headers = { 'Content-Type': 'application/json-patch+json' };
    await api.patch('/api/Books/1', operations, { headers });
  },

  async 'auth-jwt'() {
    const user = { username: 'user', password: 'user-secret' };
    const { data } = await api.post('/api/auth/jwt/login', user);
    await api.get('/api/auth/jwt/me', bearer(data.accessToken));
  },

  async 'auth-client-credentials'() {
    const fields = new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' });
    const auth = { username: 'demo-client', password: 'demo-client-secret' };
    const { data } = await api.post('/api/auth/oauth/token', fields, { auth });
    await api.get('/api/auth/oauth/protected', bearer(data.access_token));
  },

  async 'auth-hmac'() {
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', 'demo-hmac-secret').update(`${time}.{}`).digest('hex');
    const headers = { 'X-Timestamp': time, 'X-Signature': signature };
    await api.post('/api/auth/hmac', {}, { headers });
  },

  'oidc-code': () => logIn('openid'),

  async 'oidc-refresh'() {
    const { refresh_token } = await logIn('openid offline_access');
    const fields = { grant_type: 'refresh_token', client_id: 'demo-spa', refresh_token };
    await api.post('/oidc/token', new URLSearchParams(fields));
  },

  async 'graphql-variables'() {
    const query = 'query ($id: Int!) { book(id: $id) { title } }';
    await api.post('/graphql', { query, variables: { id: 1 } });
  },

  async 'graphql-persisted'() {
    const query = '{ book(id: 1) { title } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(query, 'hex') } };
    await api.post('/graphql', { query, extensions });
    await api.post('/graphql', { extensions });
  },

  'soap-add': () => soap('Add', 12, 4),

  async 'soap-fault'() {
    await soap('Divide', 12, 0);
    await soap('Divide', 12, 4);
  },

  'grpc-hello': () => api.post('/hello.HelloService/SayHello', { greeting: 'Ada' }),

  'grpc-metadata': () =>
    api.post('/practice.v1.Echo/Unary', {}, { headers: { 'X-Color': 'green' } }),

  'payments-first': () => pay(),

  async 'payments-key'() {
    const key = { 'Idempotency-Key': 'order-7' };
    await pay(key);
    await pay(key);
  },

  async 'webhooks-verify'() {
    // The signature covers the bytes, so they must not be parsed.
    const path = '/api/webhooks/samples/github';
    const { headers, data } = await api.get(path, { responseType: 'arraybuffer' });
    await api.post('/api/webhooks/verify/github', data, {
      headers: {
        'Content-Type': 'application/json',
        'X-Hub-Signature-256': headers['x-hub-signature-256'],
      },
    });
  },

  async 'webhooks-retry'() {
    const { data: bin } = await api.post('/api/webhooks/bins');
    const options = { headers: { 'Webhook-Id': 'msg_1' } };
    await api.post(`/api/webhooks/${bin.id}?status=503`, { event: 'paid' }, options);
    await api.post(`/api/webhooks/${bin.id}`, { event: 'paid' }, options);
  },

  'streams-events': () =>
    api.get('/api/sse/clock?count=3&interval=0', { headers: { Accept: 'text/event-stream' } }),

  // A body whose length is unknown is sent in chunks.
  'streams-chunked': () =>
    api.post('/api/methods/post', Readable.from(['of unknown ', 'length']), {
      headers: { 'Content-Type': 'text/plain' },
    }),

  async 'resilience-retry-after'() {
    const { headers } = await api.get('/api/Books/2');
    await sleep(headers['retry-after'] * 1000);
    await api.get('/api/Books/2');
  },

  'resilience-safe-post': createOnce,
};

const id = process.argv[2] ?? '';
const solve = Object.entries(solutions).find(([each]) => each === id)?.[1];
if (solve === undefined) throw new Error(`There is no solution of ${id}.`);
await solve();
