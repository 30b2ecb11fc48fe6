/**
 * Valid requests whose responses contain what was sent: echoes, dumps, captures and records that are read back, results that
 * can be computed. The response is compared with the request.
 */

import { isDeepStrictEqual } from 'node:util';
import { callJson } from '../../harness/call.js';
import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { parseBody } from '../judge-response.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {import('../run-fuzz.js').RequestCase} RequestCase
 *
 * @typedef {object} Sent
 * @property {string} method
 * @property {string} target
 * @property {[string, string][]} query Decoded
 * @property {[string, string][]} headers
 * @property {string} type Of the body
 * @property {string} body Each byte a character
 * @property {unknown} value What the body means: JSON, a form's fields or nothing
 * @property {string} bytes The whole request
 */

const sandbox = 'fuzz-echo';
const own = /** @type {[string, string]} */ (['X-Sandbox', sandbox]);
const json = /** @type {[string, string]} */ (['Content-Type', 'application/json']);
const names = ['a', 'b', 'page', 'x-y', 'é', 'a b', 'length', 'A'];
const words = ['', '1', 'Oslo', 'a b', 'é', '안녕', '&=?#%+', '"\\', 'null', '💥', 'x'.repeat(200)];

/** @param {Random} random @returns {string} */
const token = (random) => `t${random.below(2 ** 31).toString(36)}`;

/** @param {Random} random @param {number} most @returns {[string, string][]} */
const pairs = (random, most) =>
  Array.from({ length: 1 + random.below(most) }, () => [random.pick(names), random.pick(words)]);

/** @param {readonly (readonly [string, string])[]} fields */
const formOf = (fields) =>
  fields
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');

/**
 * Groups values by name, as echoes show them: repeated ones are a list.
 *
 * @param {readonly (readonly [string, string])[]} fields
 */
function grouped(fields) {
  /** @type {Record<string, string | string[]>} */
  const all = {};
  for (const [name, value] of fields) {
    const known = all[name];
    all[name] = known === undefined ? value : [known, value].flat();
  }
  return all;
}

/** @param {Random} random @returns {{type: string, body: string, value: unknown}} */
function someBody(random) {
  const fields = pairs(random, 4);
  const value = { token: token(random), list: [1, 2.5, null, true, { a: {} }], fields };
  return random.pick([
    { type: 'application/json', body: asBytes(JSON.stringify(value)), value },
    { type: 'application/x-www-form-urlencoded', body: formOf(fields), value: grouped(fields) },
    {
      type: 'text/plain',
      body: asBytes(`${token(random)} ${random.pick(words)}\r\n`),
      value: undefined,
    },
    { type: 'application/octet-stream', body: `\xff\x00${token(random)}\x80`, value: undefined },
  ]);
}

/**
 * Makes a request with parameters, headers and, unless it is a GET, a body.
 *
 * @param {Random} random
 * @param {string} method
 * @param {string} path
 * @returns {Sent}
 */
function makeSent(random, method, path) {
  const query = /** @type {[string, string][]} */ ([['token', token(random)], ...pairs(random, 4)]);
  const target = `${path}${path.includes('?') ? '&' : '?'}${formOf(query)}`;
  const { type, body, value } =
    method === 'GET' ? { type: '', body: '', value: undefined } : someBody(random);
  const headers = /** @type {[string, string][]} */ ([
    ['Host', 'localhost'],
    ['X-Echo', token(random)],
    ['x-lower', random.pick(['v', 'a, b', '"q"'])],
    ...(type === ''
      ? []
      : [
          ['Content-Type', type],
          ['Content-Length', String(body.length)],
        ]),
  ]);
  const bytes = writeRequest(method, target, headers, type === '' ? undefined : body);
  return { method, target, query, headers, type, body, value, bytes };
}

/**
 * Compares members of a response with what they must be; `undefined` members of the expectation are not compared.
 *
 * @param {any} shown
 * @param {Record<string, unknown>} expected
 * @returns {string | undefined}
 */
function differs(shown, expected) {
  for (const [name, value] of Object.entries(expected)) {
    if (value === undefined || isDeepStrictEqual(shown?.[name], value)) continue;
    return `${name} is ${JSON.stringify(shown?.[name])?.slice(0, 200)}, not ${JSON.stringify(value).slice(0, 200)}`;
  }
  return undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** @param {string} body */
function textOf(body) {
  try {
    return decoder.decode(Buffer.from(body, 'latin1'));
  } catch {
    return undefined;
  }
}

/** @param {Sent} sent */
const shownBody = ({ body }) => textOf(body) ?? Buffer.from(body, 'latin1').toString('base64');

/** @param {Sent} sent */
const isForm = ({ type }) => type.endsWith('urlencoded');

/** @type {(sent: Sent, response: WireResponse) => string | undefined} */
function judgeMethods(sent, response) {
  const hasBody = sent.type !== '';
  return differs(parseBody(response), {
    method: sent.method,
    query: grouped(sent.query),
    contentType: hasBody ? sent.type : undefined,
    bodyLength: hasBody ? sent.body.length : undefined,
    body: hasBody ? shownBody(sent) : undefined,
    json: sent.type === 'application/json' ? sent.value : undefined,
    form: isForm(sent) ? sent.value : undefined,
  });
}

/** @type {(sent: Sent, response: WireResponse) => string | undefined} */
function judgeAny(sent, response) {
  const { headers } = parseBody(response) ?? {};
  return judgeMethods(sent, response) ?? differs(headers, Object.fromEntries(sent.headers));
}

/** httpbin capitalises names. @param {Sent} sent */
const httpbinHeaders = ({ headers }) =>
  Object.fromEntries(
    headers.map(([name, value]) => [
      name.replace(/(?:^|-)[a-z]/g, (at) => at.toUpperCase()),
      value,
    ]),
  );

/** @type {(sent: Sent, response: WireResponse) => string | undefined} */
function judgeHttpbin(sent, response) {
  const shown = parseBody(response);
  const text = textOf(sent.body);
  return (
    differs(shown, {
      args: shown?.args === undefined ? undefined : grouped(sent.query),
      data: sent.type === '' || isForm(sent) || text === undefined ? undefined : text,
      json: sent.type === 'application/json' ? sent.value : undefined,
      form: isForm(sent) ? sent.value : undefined,
    }) ?? differs(shown?.headers, httpbinHeaders(sent))
  );
}

/** @type {(sent: Sent, response: WireResponse) => string | undefined} */
const judgeDump = ({ bytes }, { body }) =>
  body === bytes ? undefined : 'not the bytes that were sent';

/** @type {(sent: Sent, response: WireResponse) => string | undefined} */
const judgeJsonDump = (sent, response) =>
  differs(parseBody(response), {
    method: sent.method,
    target: sent.target,
    headers: sent.headers.map(([name, value]) => ({ name, value })),
    body: shownBody(sent),
  });

/** @type {(sent: Sent, response: WireResponse) => string | undefined} */
const judgeCapture = (sent, response) =>
  differs(parseBody(response), {
    method: sent.method,
    query: grouped(sent.query),
    queryString: sent.target.slice(sent.target.indexOf('?') + 1),
    headers: sent.headers.map(([name, value]) => ({ name, value })),
    bodySize: sent.body.length,
    body: sent.type === '' ? null : shownBody(sent),
  });

/** Echoes of whole requests: methods, a path, and what the response must show. */
const echoes = /** @type {const} */ ([
  [['POST'], '/api/methods/post', judgeMethods],
  [['PUT'], '/api/methods/put', judgeMethods],
  [['PATCH'], '/api/methods/patch', judgeMethods],
  [['GET'], '/api/methods/get', judgeMethods],
  [['POST', 'PUT', 'PATCH', 'GET'], '/api/methods/any', judgeAny],
  [['POST', 'PUT', 'PATCH', 'GET'], '/s/fuzz-echo/api/methods/any', judgeAny],
  [['POST', 'PUT', 'PATCH', 'GET'], '/httpbin/anything/below', judgeHttpbin],
  [['POST'], '/httpbin/post', judgeHttpbin],
  [['GET'], '/httpbin/get', judgeHttpbin],
  [['GET'], '/httpbin/headers', judgeHttpbin],
  [['POST', 'GET'], '/api/http/dump', judgeDump],
  [['POST'], '/api/http/dump?as=json', judgeJsonDump],
]);

/**
 * Makes a case whose response must have a status, and be what the judge expects.
 *
 * @param {string} kind
 * @param {Pick<Sent, 'method' | 'bytes'>} sent
 * @param {number} status
 * @param {(response: WireResponse) => string | undefined} judge
 * @param {RequestCase['follow']} [follow]
 * @returns {RequestCase}
 */
function expecting(kind, { method, bytes }, status, judge, follow) {
  return {
    ...{ kind, method, bytes },
    judge: (response) =>
      response.status === status ? judge(response) : `status ${response.status}`,
    ...(follow && { follow }),
  };
}

/** @param {string} path @param {[string, string][]} [headers] */
const get = (path, headers = [own]) => ({
  method: 'GET',
  bytes: writeRequest('GET', path, headers),
});

/** @param {string} method @param {string} path @param {unknown} value @param {[string, string][]} [headers] */
const send = (method, path, value, headers = [own]) => ({
  method,
  bytes: writeRequest(method, path, [...headers, json], asBytes(JSON.stringify(value))),
});

/** @param {Random} random @returns {RequestCase} */
function echo(random) {
  const [methods, path, judge] = random.pick(echoes);
  const sent = makeSent(random, random.pick(methods), path);
  return expecting(`an echo of ${path}`, sent, 200, (response) => judge(sent, response));
}

/** @param {Random} random @param {string} binId @returns {RequestCase} */
function capture(random, binId) {
  const sent = makeSent(
    random,
    random.pick(['POST', 'PUT', 'GET']),
    `/api/webhooks/${binId}/below`,
  );
  const follow = (/** @type {WireResponse} */ response) => {
    const { requestId } = parseBody(response) ?? {};
    const path = `/api/webhooks/bins/${binId}/requests/${requestId}`;
    return expecting('a capture, read back', get(path), 200, (read) => judgeCapture(sent, read));
  };
  return expecting('a capture', sent, 200, () => undefined, follow);
}

/** @param {Random} random @returns {RequestCase} */
function record(random) {
  const value = {
    text: `${token(random)} ${random.pick(words)}`,
    n: random.below(1000) / 4,
    list: [1, {}],
  };
  const path = random.pick(['/my/notes', '/json-server/notes']);
  const judge = (/** @type {WireResponse} */ response) => differs(parseBody(response), value);
  const follow = (/** @type {WireResponse} */ response) =>
    expecting('a record, read back', get(`${path}/${parseBody(response)?.id}`), 200, judge);
  return expecting(`a record in ${path}`, send('POST', path, value), 201, judge, follow);
}

/** @param {Random} random @returns {RequestCase} */
function upload(random) {
  const body = `\xff\x00${token(random)}`;
  const headers = [
    own,
    /** @type {[string, string]} */ (['Content-Type', 'application/octet-stream']),
  ];
  const sent = { method: 'POST', bytes: writeRequest('POST', '/api/http/uploads', headers, body) };
  const follow = (/** @type {WireResponse} */ response) => {
    const path = `/api/http/uploads/content/${parseBody(response)?.id}`;
    const judge = (/** @type {WireResponse} */ read) =>
      read.body === body ? undefined : 'not the bytes that were uploaded';
    return expecting('an upload, read back', get(path), 200, judge, () =>
      // A sandbox has a limit of files.
      expecting(
        'a deletion',
        { method: 'DELETE', bytes: writeRequest('DELETE', path.replace('/content', ''), [own]) },
        204,
        () => undefined,
      ),
    );
  };
  const size = (/** @type {WireResponse} */ response) =>
    differs(parseBody(response), { size: body.length });
  return expecting('an upload', sent, 201, size, follow);
}

const openai = /** @type {[string, string]} */ (['Authorization', 'Bearer sk-practice-openai']);
const anthropic = /** @type {[string, string][]} */ ([
  ['X-Api-Key', 'sk-practice-anthropic'],
  ['Anthropic-Version', '2026-10-21'],
]);
const model = 'practice-1';

/**
 * Requests with one right response: the text that must be in the body, or a function of the parsed body.
 *
 * @type {readonly ((word: string, number: number) => readonly [kind: string, sent: Pick<Sent, 'method' | 'bytes'>, shown: string])[]}
 */
const results = [
  (word) => [
    'a chat',
    send(
      'POST',
      '/llm/openai/v1/chat/completions',
      { model, messages: [{ role: 'user', content: word }] },
      [openai],
    ),
    `"content":"You wrote: ${word}"`,
  ],
  (word) => [
    'a response of a model',
    send('POST', '/llm/openai/v1/responses', { model, input: word, store: false }, [openai]),
    `"text":"You wrote: ${word}"`,
  ],
  (word) => [
    'a message to a model',
    send(
      'POST',
      '/llm/anthropic/v1/messages',
      { model, max_tokens: 50, messages: [{ role: 'user', content: word }] },
      anthropic,
    ),
    `"text":"You wrote: ${word}"`,
  ],
  (word) => ['an MCP call', greet(word), `"text":"Hello, ${word}!"`],
  (word) => [
    'a call by JSON-RPC',
    send('POST', '/api/jsonrpc', { jsonrpc: '2.0', id: word, method: 'echo', params: [word] }),
    `{"jsonrpc":"2.0","result":["${word}"],"id":"${word}"}`,
  ],
  (word) => [
    'a mutation',
    send('POST', '/graphql', { query: addTodo, variables: { t: word } }),
    `"title":"${word}"`,
  ],
  (word) => ['a scripted response', send('POST', '/api/http/respond', { body: word }), word],
  (word) => [
    'cookies',
    get('/api/http/cookies', [['Cookie', `a=${word}`]]),
    `{"name":"a","value":"${word}"}`,
  ],
  (word) => [
    'cookies of httpbin',
    get('/httpbin/cookies', [['Cookie', `a=${word}`]]),
    `"a": "${word}"`,
  ],
  (word) => [
    'headers of httpbin',
    get(`/httpbin/response-headers?X-A=${word}`),
    `"X-A": "${word}"`,
  ],
  (word) => ['Base64', get(`/httpbin/base64/${Buffer.from(word).toString('base64url')}`), word],
  (_word, number) => ['a sum by SOAP', addition(number), `<AddResult>${number + 1}</AddResult>`],
];

const addTodo =
  'mutation ($t: String!) { addTodo(title: $t, userId: 1, priority: "low") { title } }';

/** @param {string} name */
export function greet(name) {
  const revision = '2026-07-28';
  const meta = 'io.modelcontextprotocol/';
  const _meta = {
    [`${meta}protocolVersion`]: revision,
    [`${meta}clientInfo`]: { name: 'fuzz', version: '1' },
    [`${meta}clientCapabilities`]: {},
  };
  const params = { name: 'greet', arguments: { name }, _meta };
  return send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, [
    own,
    ['Accept', 'application/json, text/event-stream'],
    ['MCP-Protocol-Version', revision],
    ['Mcp-Method', 'tools/call'],
    ['Mcp-Name', 'greet'],
  ]);
}

/** @param {number} number */
export function addition(number) {
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><Add xmlns="http://tempuri.org/"><intA>${number}</intA><intB>1</intB></Add></e:Body></e:Envelope>`;
  const headers = /** @type {[string, string][]} */ ([['Content-Type', 'text/xml; charset=utf-8']]);
  return { method: 'POST', bytes: writeRequest('POST', '/api/soap/calculator', headers, body) };
}

/** @param {Random} random @returns {RequestCase} */
function compute(random) {
  const [kind, sent, shown] = random.pick(results)(token(random), random.below(1000));
  return expecting(kind, sent, 200, ({ body }) =>
    body.includes(shown) ? undefined : `a body without ${shown}: ${body.slice(0, 200)}`,
  );
}

/** @returns {import('../run-fuzz.js').Source} */
export function echoRequests() {
  let binId = '';
  return {
    name: 'echoes',
    async prepare(url) {
      ({ id: binId } = await callJson(url, 'POST', `/s/${sandbox}/api/webhooks/bins`, {}));
      const notes = [{ id: 1, text: 'x', n: 1, list: [1] }];
      await callJson(url, 'PUT', `/s/${sandbox}/api/sandbox/data`, { notes });
    },
    next: (random) =>
      random.pick([
        () => echo(random),
        () => echo(random),
        () => compute(random),
        () => capture(random, binId),
        () => record(random),
        () => upload(random),
      ])(),
  };
}
