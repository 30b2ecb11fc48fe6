/**
 * Ordinary requests to every area, each with what its response must contain. Their names are the names of the folders in
 * `src/areas`, and of what is beside them.
 */

import { connect } from 'node:tls';
import { greet, addition as soapAddition } from '../fuzz/sources/echoes.js';
import { callJson } from '../harness/call.js';
import { asBytes, converse, writeRequest } from '../harness/raw-http.js';
import { frame, handshake, opcodes } from '../hostile/client-frames.js';

/**
 * @typedef {object} SoakRequest
 * @property {string} method
 * @property {string} bytes
 * @property {string | undefined} [shown] What the body of the response must contain
 *
 * @typedef {(index: number) => SoakRequest} Make
 *
 * @typedef {object} Conversation What no single response shows
 * @property {string} name
 * @property {number} pauseMs
 * @property {(index: number) => Promise<readonly string[]>} once Returns what was wrong
 */

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const grpcWeb = { 'Content-Type': 'application/grpc-web' };
/** An EchoRequest with a count of 2. */
const twice = '\0\0\0\0\x02 \x02';
const patienceMs = 30_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {Readonly<Record<string, string>>} [headers]
 * @param {string} [body] Each byte a character
 * @param {string} [shown]
 * @returns {SoakRequest}
 */
export function request(method, path, headers = {}, body, shown) {
  return { method, shown, bytes: writeRequest(method, path, Object.entries(headers), body) };
}

/** @param {string} path @param {string} [shown] @param {Readonly<Record<string, string>>} [headers] */
export const get = (path, shown, headers) => request('GET', path, headers, undefined, shown);

/**
 * @param {string} path
 * @param {unknown} value
 * @param {string} [shown]
 * @param {Readonly<Record<string, string>>} [headers]
 */
export const post = (path, value, shown, headers) =>
  request('POST', path, { ...json, ...headers }, asBytes(JSON.stringify(value)), shown);

/** @param {number} index */
const inSandbox = (index) => ({ 'X-Sandbox': `soak-${Math.floor(index / 5) % 5}` });
const own = { 'X-Sandbox': 'soak-areas' };
const dates = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-02T00:00:00Z' };
const region = encodeURIComponent('{ countries(region: "Europe") { name capital } }');
const byId = 'query ($id: Int!) { book(id: $id) { id } }';
const openai = { Authorization: 'Bearer sk-practice-openai' };
const anthropic = { 'X-Api-Key': 'sk-practice-anthropic', 'Anthropic-Version': '2026-10-21' };
const model = 'practice-1';

/**
 * @param {string} url
 * @returns {Promise<Record<string, readonly Make[]>>}
 */
export async function areaRequests(url) {
  const { credentials } = await callJson(url, 'GET', '/api/auth');
  const { basic, bearer, apiKey, jwt } = credentials;
  const { username, password } = jwt[0];
  const basicValue = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  const bin = await callJson(url, 'POST', '/api/webhooks/bins', { name: 'soak' });
  const binPath = new URL(bin.url).pathname;
  const made = await callJson(url, 'POST', '/api/classes', { name: 'Soak' });
  const teacher = { 'X-Teacher-Key': made.teacherKey };
  const sandbox = `/s/${own['X-Sandbox']}/api`;
  await callJson(url, 'PUT', `${sandbox}/sandbox/bugs`, { level: 'junior', seed: 1, count: 3 });
  return {
    accounts: [() => get('/api/accounts', '"isRequired":false')],
    auth: [
      () => get('/api/auth/basic', basic.username, { Authorization: `Basic ${basicValue}` }),
      () => get('/api/auth/bearer', 'admin', { Authorization: `Bearer ${bearer.admin}` }),
      () => get('/api/auth/api-key/header', '{', { 'X-API-Key': apiKey }),
      () => post('/api/auth/jwt/login', { username, password }, '"accessToken":"ey'),
      () => get('/api/auth/csrf/token', '"csrfToken":"'),
    ],
    bins: [
      (index) => post(binPath, { index }, '"received":true'),
      () => get(`/api/webhooks/bins/${bin.id}`, `"id":"${bin.id}"`),
    ],
    bugs: [() => get('/api/sandbox/bugs', '"left":3', own)],
    challenges: [() => get('/api/challenges/rest-if-match', '"No lost update"', inSandbox(0))],
    classes: [() => get(`/api/classes/${made.id}`, `"id":"${made.id}"`, teacher)],
    data: [
      () => get('/api/Events?limit=10&sort=-price', '"price":'),
      (index) => get(`/api/Books/${1 + (index % 25)}`, `{"id":${1 + (index % 25)},`),
      () => get('/api/Events?price_gte=10&limit=3', '"price":'),
      (index) =>
        post('/api/Events', { name: 'A soak', ...dates }, '"name":"A soak"', inSandbox(index)),
      () => get('/json-server', ''),
      (index) => request('DELETE', '/api/sandbox', inSandbox(index)),
    ],
    graphql: [
      () =>
        post('/graphql', { query: '{ books { id title author } }' }, '{"data":{"books":[{"id":1,'),
      (index) => {
        const id = 1 + (index % 25);
        return post(
          '/graphql',
          { query: byId, variables: { id } },
          `{"data":{"book":{"id":${id}}}}`,
        );
      },
      () => get(`/graphql?query=${region}`, '"capital":"Oslo"'),
    ],
    health: [() => get('/health', '{"status":"ok"}'), () => get('/health/ready', '"')],
    http: [
      (index) => get(`/api/http/dump?index=${index}`, `GET /api/http/dump?index=${index} HTTP/1.1`),
      () => get('/api/http/status/200', ''),
      () => get('/api/http/cookies', '{"name":"a","value":"b"}', { Cookie: 'a=b' }),
      () => get('/api/http/stream/3', '}'),
    ],
    httpbin: [
      (index) => get(`/httpbin/get?page=${index}`, `"page": "${index}"`),
      () => request('POST', '/httpbin/anything', {}, 'text', '"data": "text"'),
    ],
    deliveries: [() => get('/api/webhooks/receiver-plan', '"wrong-signature"')],
    jsonrpc: [
      (index) =>
        post(
          '/api/jsonrpc',
          { jsonrpc: '2.0', id: index, method: 'echo', params: [index] },
          `{"jsonrpc":"2.0","result":[${index}],"id":${index}}`,
        ),
    ],
    llm: [
      (index) =>
        post(
          '/llm/openai/v1/chat/completions',
          { model, messages: [{ role: 'user', content: `soak ${index}` }] },
          `You wrote: soak ${index}`,
          { ...openai, ...inSandbox(index) },
        ),
      (index) =>
        post(
          '/llm/anthropic/v1/messages',
          { model, max_tokens: 50, messages: [{ role: 'user', content: `soak ${index}` }] },
          `You wrote: soak ${index}`,
          { ...anthropic, ...inSandbox(index) },
        ),
    ],
    mcp: [(index) => ({ ...greet(`Ada${index}`), shown: `Hello, Ada${index}!` })],
    methods: [
      (index) => get(`/api/methods/get?page=${index % 7}`, `"query":{"page":"${index % 7}"}`),
      (index) => post('/api/methods/post', { index }, `"json":{"index":${index}}`),
      () => request('PUT', '/api/methods/any', {}, 'text', '"body":"text"'),
      () => get('/api/methods/get', '"query":{}'),
    ],
    metrics: [() => get('/metrics', 'practice_api_connections ')],
    oidc: [
      () => get('/oidc/.well-known/openid-configuration', '"issuer":"http://localhost/oidc"'),
      () => get('/oidc/jwks', '"kty":"RSA"'),
    ],
    pagination: [
      () => get('/api/pagination/page?page=2&size=10', '"content":[{'),
      () => get('/api/pagination/link?page=3&per_page=5', '"id":'),
    ],
    passkeys: [
      () => get('/api/auth/passkeys', '"rpId":"localhost"'),
      () => post('/api/auth/passkeys/login/options', {}, '"challenge":"'),
    ],
    'practice-apis': [
      (index) => get(`/jsonplaceholder/posts/${1 + (index % 100)}/comments`, '"postId"'),
      (index) => get(`/dummyjson/products?limit=5&skip=${index % 90}`, '"total"'),
      (index) => get(`/petstore/v2/pet/findByStatus?status=sold`, '"sold"', inSandbox(index)),
      (index) => post('/restful-booker/auth', { username: 'admin', password: `${index}` }, 'Bad'),
    ],
    pictures: [(index) => get(`/images/books/${1 + (index % 25)}.svg`, '</svg>')],
    'rate-limit': [() => get('/api/RateLimit/status', '"used":0', { 'X-Client-Id': 'soak' })],
    sandbox: [() => get('/api/sandbox', `"name":"${own['X-Sandbox']}"`, own)],
    verdicts: [
      (index) => get('/api/sandbox/verdicts?judge=retries', '"judges":', inSandbox(index)),
    ],
    session: [() => get('/api/auth/session', '"authenticated":false')],
    signatures: [() => get('/api/auth/signature/keys', '"keyid":"test-key-rsa"')],
    grpc: [
      () => post('/hello.HelloService/SayHello', { greeting: 'Ada' }, 'hello Ada'),
      (index) =>
        post('/practice.v1.Books/List', { pageSize: 2 }, '"nextPageToken"', inSandbox(index)),
      () => request('POST', '/grpcbin.GRPCBin/Index', grpcWeb, '\0\0\0\0\0', 'grpc-status: 0'),
      () => request('POST', '/practice.v1.Echo/ServerStream', grpcWeb, twice, 'grpc-status: 0'),
    ],
    http2: [() => get('/api/http2/plan', '"settings-')],
    payments: [
      (index) =>
        request(
          'POST',
          '/v1/payment_intents',
          {
            ...{ Authorization: `Bearer sk_test_soak-${index % 5}`, ...form },
            'Idempotency-Key': `soak-${index % 50}`,
          },
          'amount=900&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true',
          '"status": "succeeded"',
        ),
      (index) =>
        get('/v1/balance', '"pending"', { Authorization: `Bearer sk_test_soak-${index % 5}` }),
    ],
    signing: [
      () => get('/api/webhooks/samples/stripe', '"object": "event"'),
      () => post('/api/webhooks/samples/github', { a: 1 }, '"X-Hub-Signature-256":"sha256='),
    ],
    soap: [
      (index) => ({ ...soapAddition(index), shown: `<AddResult>${index + 1}</AddResult>` }),
      () => get('/api/soap/calculator?wsdl', '</wsdl:definitions>'),
    ],
    tls: [() => get('/tls', '"name":"good"')],
    versioning: [() => get('/api/versioned/profile', '"firstName":', { 'X-API-Version': '2' })],
    site: [
      () => get('/', '{'),
      () => get('/openapi.json', '"openapi":"3.1'),
      () => get('/docs', ''),
    ],
  };
}

/**
 * @param {string} url
 * @param {string} tlsUrl
 * @returns {Conversation[]}
 */
export function areaConversations(url, tlsUrl) {
  return [
    {
      name: 'sse',
      pauseMs: 50,
      async once() {
        const { bytes } = get('/api/sse/clock?interval=0&count=3', undefined, {
          Connection: 'close',
        });
        const text = await converse(url, Buffer.from(bytes), () => false, patienceMs);
        const events = text.split('\ndata:').length - 1;
        return events === 3 ? [] : [`${events} events of 3`];
      },
    },
    {
      name: 'websocket',
      pauseMs: 50,
      async once(index) {
        const word = `echo ${index}`;
        const { bytes } = get('/api/ws/echo', undefined, handshake);
        const sent = Buffer.concat([Buffer.from(bytes), frame(opcodes.text, word)]);
        const text = await converse(url, sent, (received) => received.includes(word), patienceMs);
        return text.includes(word) ? [] : [`no echo, but ${JSON.stringify(text.slice(0, 40))}`];
      },
    },
    { name: 'tls handshakes', pauseMs: 200, once: () => callOverTls(tlsUrl) },
  ];
}

/** @param {string} tlsUrl @returns {Promise<string[]>} */
function callOverTls(tlsUrl) {
  return new Promise((resolve) => {
    let text = '';
    const options = { host: '127.0.0.1', port: Number(new URL(tlsUrl).port) };
    const socket = connect({ ...options, servername: 'good.localhost', rejectUnauthorized: false });
    socket.on('error', ({ message }) => resolve([message]));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () =>
      resolve(text.includes('{"status":"ok"}') ? [] : ['no response over TLS']),
    );
    socket.write(get('/health', undefined, { Connection: 'close' }).bytes);
  });
}
