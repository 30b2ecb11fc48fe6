/**
 * Valid and damaged requests from the OpenAPI description, whose responses are checked against it:
 * the status, the media type, and the body by its schema.
 */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { callJson } from '../../harness/call.js';
import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError, parseBody } from '../judge-response.js';
import { inHeader, inTarget, mutateText, oddValue } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {Record<string, any>} Json
 * @typedef {object} Operation
 * @property {string} method
 * @property {string} path
 * @property {readonly Json[]} parameters
 * @property {Json | undefined} requestBody
 * @property {Json} responses
 *
 * @typedef {{values: Record<string, string[]>, credentials: [string, string][]}} Known
 */

/** Paths with separate generators. */
const otherSources =
  /^\/(?:graphql|api\/soap\/|mcp(?:\/sse)?$|llm\/(?:openai|anthropic|gemini|ollama)\/)/;

/** Paths whose responses have the requested status, and any body. */
const asAsked = /^\/api\/http\/(?:drip$|formats\/problem$|responses\/)/;

/** Paths whose errors may have the shape of another standard or server; others are judged by the common shape. */
const otherErrors =
  /^(?:\/s\/[^/]+)?\/(?:json-server|mcp|llm|httpbin\/(?:status|drip)|api\/http\/(?:status|respond|formats\/problem))/;

/**
 * Returns whether an error has the shape of another standard: problem details, json-server's, JSON-RPC.
 *
 * @param {string} path
 * @param {WireResponse} response
 */
function isOtherError(path, response) {
  if (!otherErrors.test(path)) return false;
  const type = response.headers.get('content-type') ?? '';
  const { status, error } = parseBody(response) ?? {};
  return type !== 'application/json; charset=utf-8' || status === undefined || error === undefined;
}

/** Statuses of any path, documented or not. */
const anywhere = [405, 414, 417, 431, 501];

const wholeName = 'description';

/** @returns {import('../run-fuzz.js').Source} */
export function describedRequests() {
  /** @type {Operation[]} */
  let operations = [];
  /** @type {(operation: Operation, response: WireResponse) => string | undefined} */
  let judge = () => undefined;
  /** @type {Known} */
  let known = { values: {}, credentials: [] };
  return {
    name: 'openapi',
    async prepare(url) {
      const text = JSON.stringify(await callJson(url, 'GET', '/openapi.json?formats=all'));
      // Schemas are validated separately, so references must be absolute.
      const description = JSON.parse(text.replaceAll('"$ref":"#/', `"$ref":"${wholeName}#/`));
      operations = readOperations(description);
      judge = responseJudge(description);
      known = await collectKnown(url);
      await watchSandboxes(url);
    },
    next(random) {
      const operation = random.pick(operations);
      return makeCase(random, operation, known, judge);
    },
  };
}

/**
 * @param {Json} description
 * @returns {Operation[]}
 */
function readOperations(description) {
  /** @param {any} value */
  const resolve = (value) =>
    value?.$ref
      ?.split('/')
      .slice(1)
      .reduce((/** @type {Json} */ at, /** @type {string} */ name) => at[name], description) ??
    value;
  return Object.entries(description.paths)
    .filter(([path]) => !otherSources.test(path))
    .flatMap(([path, item]) =>
      Object.entries(/** @type {Json} */ (item)).flatMap(([shown, operation]) =>
        // One operation represents any method.
        (operation['x-methods'] ?? [shown]).map((/** @type {string} */ method) => ({
          method: method.toUpperCase(),
          path,
          parameters: (operation.parameters ?? []).map(resolve),
          requestBody: resolve(operation.requestBody),
          responses: Object.fromEntries(
            Object.entries(operation.responses).map(([status, each]) => [status, resolve(each)]),
          ),
        })),
      ),
    );
}

/**
 * @param {Json} description
 * @returns {(operation: Operation, response: WireResponse) => string | undefined}
 */
function responseJudge(description) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(description, wholeName);
  return ({ method, path, parameters, responses }, response) => {
    const { status, headers, body } = response;
    // The owner or the caller chooses the response of a bin.
    if (/^\/api\/webhooks\/\{binId\}/.test(path) && headers.has('content-security-policy')) {
      return undefined;
    }
    const isSimulated = headers.get('x-simulated') === 'true';
    const documented = responses[status];
    const isWhatever =
      responses.default !== undefined &&
      (method === 'HEAD' || responses.default.content?.['*/*'] !== undefined);
    if (documented === undefined && (asAsked.test(path) || isWhatever)) return undefined;
    const isRestError =
      documented?.content?.['application/problem+json'] === undefined &&
      !isOtherError(path, response);
    if (status >= 400 && method !== 'HEAD' && isRestError) {
      const fault = judgeRestError(response);
      if (fault !== undefined) return fault;
    }
    if (documented === undefined) {
      return isSimulated || anywhere.includes(status) ? undefined : `status ${status} undocumented`;
    }
    if (status >= 400 && isOtherError(path, response)) return undefined;
    if (method === 'HEAD' || documented.content === undefined) {
      return body === '' || status >= 400 ? undefined : 'a body where none is documented';
    }
    const sent = (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
    const types = Object.keys(documented.content);
    const type = [sent, '*/*'].find((each) => types.includes(each));
    if (type === undefined) return `of type ${sent} where ${types.join(', ')} is documented`;
    const { schema } = documented.content[type];
    if (headers.has('content-encoding') || !/[/+]json$/.test(sent) || !schema) return undefined;
    if (ajv.validate(schema, parseBody(response))) return undefined;
    const [first] = ajv.errors ?? [];
    // A caller may select members by name, which no description can express.
    const areChosen = parameters.some(({ name }) => name === 'fields');
    if (areChosen && first?.keyword === 'required') return undefined;
    return `a body that ${first?.instancePath || 'as a whole'} ${first?.message}`;
  };
}

/**
 * Collects existing ids, tokens and credentials, without which most requests would be rejected
 * early.
 *
 * @param {string} url
 * @returns {Promise<Known>}
 */
async function collectKnown(url) {
  /** @type {(method: string, path: string, value?: unknown) => Promise<Json>} */
  const call = (method, path, value) => callJson(url, method, path, value);
  const { credentials } = await call('GET', '/api/auth');
  const { basic, bearer, oauth, apiKey, jwt } = credentials;
  const { username, password } = jwt[0];
  const login = await call('POST', '/api/auth/jwt/login', { username, password });
  const { csrfToken } = await call('GET', '/api/auth/csrf/token');
  const { next_cursor: cursor } = await call('GET', '/api/pagination/cursor');
  const binId = [];
  const requestId = [];
  for (let count = 0; count < 3; count++) {
    const bin = await call('POST', '/api/webhooks/bins', { name: 'kept' });
    const capture = await call('POST', `/api/webhooks/${bin.id}`, { a: 1 });
    binId.push(bin.id);
    requestId.push(capture.requestId);
  }
  const pairs = [
    `${basic.username}:${basic.password}`,
    'Ada:secret',
    `${oauth.clientId}:${oauth.clientSecret}`,
  ];
  const authorizations = [
    ...pairs.map((pair) => `Basic ${Buffer.from(pair).toString('base64')}`),
    ...[...Object.values(bearer), login.accessToken].map((token) => `Bearer ${token}`),
  ];
  return {
    values: {
      id: ['1', '2', '7', '25', '100', '30', ...binId, ...challenges],
      isbn: ['9780141439518', '978-0-14-143951-8'],
      provider: ['stripe', 'github', 'shopify'],
      user: ['Ada'],
      a: ['Ada'],
      password: ['secret'],
      b: ['secret'],
      delay: ['0', '0.001', '-1', '11', 'x', ''],
      duration: ['0', '0.001', '-1', '3601', 'x', ''],
      interval: ['0', '0.001', '-1', '61', 'x', ''],
      wait: ['0', '-1', '99', 'x', ''],
      error: ['400', '404', '503', '599', '399', '600', 'x'],
      api_key: [apiKey],
      username: [username],
      refreshToken: [login.refreshToken],
      cursor: [cursor],
      binId,
      requestId,
    },
    credentials: [
      ...authorizations.map((value) => /** @type {[string, string]} */ (['Authorization', value])),
      ['X-API-Key', apiKey],
      ['Cookie', `api_key=${apiKey}`],
      ['Cookie', `XSRF-TOKEN=${csrfToken}`],
      ['X-CSRF-Token', csrfToken],
    ],
  };
}

const methods = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PURGE QUERY'.split(' ');

const oddHeaders = [
  ...['Accept', 'Accept-Encoding', 'Content-Encoding', 'Content-Type', 'If-Match', 'If-None-Match'],
  ...['If-Modified-Since', 'Range', 'X-Sandbox', 'X-Request-Id', 'X-Client-Id', 'Authorization'],
  ...['Cookie', 'Origin', 'Access-Control-Request-Method', 'X-Forwarded-Host', 'X-Forwarded-Proto'],
  ...['X-HTTP-Method-Override', 'X-API-Version', 'Forwarded', 'Last-Event-ID', 'TE', 'Via', 'DNT'],
  ...['X-CSRF-Token', 'X-Timestamp', 'X-Signature', 'Stripe-Signature', 'Prefer', '__proto__'],
];
const oddValues = [
  ...['', '*', '"1"', 'W/"1"', 'gzip', 'identity', 'application/json', 'text/plain', 'bytes=0-1'],
  ...['null', '0', '-1', '1', '2', 'v2', 'a=b', 'a=b; c', ';', ',', '=', '"', 'Basic', 'GET'],
  ...['application/vnd.practice.v2+json', 'localhost', 'https', '2.0', '\xff', 'Bearer x y'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'text/html;q=0.9,*/*;q=0'],
  'multipart/form-data; boundary=x',
];
const challenges = ['rest-if-match', 'http-cookie', 'auth-jwt', 'oidc-code', 'webhooks-verify'];
const sandboxes = ['fuzz-1', 'fuzz-2', 'fuzz-3', 'fuzz.4', 'fuzz_5'];

/**
 * Records the requests of every sandbox, and starts a challenge in each, so that all of them are observed.
 *
 * @param {string} url
 */
async function watchSandboxes(url) {
  for (const [index, sandbox] of sandboxes.entries()) {
    await callJson(url, 'PUT', `/s/${sandbox}/api/sandbox/recording`, { on: true });
    await callJson(url, 'POST', `/s/${sandbox}/api/challenges/${challenges[index]}/start`);
  }
}

/**
 * @param {Random} random
 * @param {Operation} operation
 * @param {Known} known
 * @param {(operation: Operation, response: WireResponse) => string | undefined} judge
 * @returns {import('../run-fuzz.js').RequestCase}
 */
function makeCase(random, operation, { values, credentials }, judge) {
  const oddness = random.chance(25) ? 0 : random.pick([5, 15, 40]);
  const { path, query, isOtherPath } = makeTarget(random, operation, values, oddness);
  /** @type {[string, string][]} */
  const headers = [];
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'header' || !random.chance(25)) continue;
    if (name === 'X-Sandbox' && random.chance(95)) headers.push([name, random.pick(sandboxes)]);
    else headers.push([name, inHeader(textOf(makeValue(random, schema ?? {}, oddness)))]);
  }
  if (random.chance(60)) {
    const [name, value] = random.pick(credentials);
    headers.push([name, random.chance(oddness) ? inHeader(mutateText(random, value)) : value]);
  }
  while (random.chance(oddness / 2)) {
    const value = random.pick(oddValues);
    const sent = random.chance(50) ? value : inHeader(mutateText(random, value));
    headers.push([random.pick(oddHeaders), sent]);
  }
  const changing = /^\/api\/sandbox\/(faults|bugs)/.exec(operation.path)?.[1];
  if (changing !== undefined) {
    // Valid plans and bugs affect responses, so they get separate sandboxes.
    const others = headers.filter(([name]) => name !== 'X-Sandbox');
    headers.splice(0, headers.length, ...others, ['X-Sandbox', `fuzz-${changing}`]);
  }
  const body = makeBody(random, operation, values, headers, oddness);
  const isOtherMethod = random.chance(oddness / 4);
  const method = isOtherMethod ? random.pick(methods) : operation.method;
  const target = query === '' ? path : `${path}?${query}`;
  return {
    kind: `${operation.method} ${operation.path}`,
    method,
    bytes: writeRequest(method, target, headers, body),
    judge(response) {
      const isPreflight =
        method === 'OPTIONS' && headers.some(([name]) => /^access-control-r/i.test(name));
      if (method === operation.method && !isOtherPath && !isPreflight)
        return judge(operation, response);
      // Undescribed responses are judged by the rules for every response.
      const isSimulated = response.headers.get('x-simulated') === 'true';
      if (response.status === 500 && !isSimulated) return 'status 500';
      const isUnjudged =
        response.status < 400 || method === 'HEAD' || isOtherError(operation.path, response);
      return isUnjudged ? undefined : judgeRestError(response);
    },
  };
}

/**
 * @param {Random} random
 * @param {Operation} operation
 * @param {Record<string, string[]>} values
 * @param {number} oddness
 */
function makeTarget(random, { path, parameters }, values, oddness) {
  let filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    const pool = values[name];
    const value =
      pool?.length && !random.chance(oddness)
        ? random.pick(pool)
        : textOf(makeValue(random, parameter?.schema ?? {}, oddness));
    // Unescaped, these characters would lead to another path.
    return inTarget(random, value).replaceAll('?', '%3F').replaceAll('/', '%2F') || '-';
  });
  const isOtherPath = random.chance(oddness / 8);
  if (isOtherPath) {
    filled = random.pick([
      () => `${filled}/`,
      () => `${filled}//`,
      () => `${filled}/more`,
      () => filled.toUpperCase(),
      () => filled.replace('/', '/./'),
      () => `/${inTarget(random, mutateText(random, filled))}`,
    ])();
  }
  const pairs = [];
  for (const { name, in: place, schema, required } of parameters) {
    if (place !== 'query' || !(required || random.chance(15))) continue;
    if (random.chance(oddness / 4)) continue;
    const pool = values[name];
    const isPaced = ['delay', 'duration', 'interval', 'wait'].includes(name);
    const value =
      pool?.length && (isPaced || !random.chance(oddness))
        ? random.pick(pool)
        : makeValue(random, schema ?? {}, oddness);
    // A list repeats the parameter for each value.
    const texts = schema?.type === 'array' && Array.isArray(value) ? value.map(textOf) : [value];
    for (const text of texts) pairs.push(`${name}=${inTarget(random, textOf(text))}`);
    if (random.chance(oddness / 8)) pairs.push(`${name}=${inTarget(random, textOf(value))}`);
  }
  while (random.chance(oddness / 3)) {
    const name = random.pick(['x', '__proto__', 'limit', 'id_in', 'sort', 'a[b]', '', 'toString']);
    pairs.push(
      `${name}=${inTarget(random, mutateText(random, random.pick(['1', 'id,-name', 'a'])))}`,
    );
  }
  return { path: filled, query: pairs.join('&'), isOtherPath };
}

/**
 * @param {Random} random
 * @param {Operation} operation
 * @param {Record<string, string[]>} values
 * @param {[string, string][]} headers Gains a Content-Type
 * @param {number} oddness
 * @returns {string | undefined} each byte a character
 */
function makeBody(random, { method, requestBody }, values, headers, oddness) {
  if (requestBody === undefined) {
    return random.chance(method === 'GET' ? 3 : 30) ? mutateText(random, '{"a": 1}') : undefined;
  }
  if (random.chance(oddness / 5)) return random.chance(50) ? undefined : '';
  const types = Object.keys(requestBody.content);
  const type = random.pick(types);
  const schema = requestBody.content[type]?.schema ?? {};
  const value = makeValue(random, schema, oddness);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, pool] of Object.entries(values)) {
      if (name in value && pool.length > 0 && !random.chance(oddness)) value[name] = pool[0];
    }
  }
  if (!random.chance(oddness / 6)) headers.push(['Content-Type', type === '*/*' ? 'text/x' : type]);
  if (/form-urlencoded/.test(type)) {
    const form = new URLSearchParams(
      Object.entries(typeof value === 'object' && value !== null ? value : {}).map(
        ([name, each]) => /** @type {[string, string]} */ ([name, textOf(each)]),
      ),
    ).toString();
    return random.chance(oddness) ? mutateText(random, form) : form;
  }
  const text = typeof value === 'string' && !/json/.test(type) ? value : JSON.stringify(value);
  const bytes = asBytes(text ?? '');
  if (random.chance(oddness / 3)) return mutateText(random, bytes);
  if (random.chance(oddness / 20)) return '['.repeat(random.below(5000));
  return bytes;
}

/**
 * Makes a value of a schema, or with some probability an invalid one.
 *
 * @param {Random} random
 * @param {Json} schema
 * @param {number} oddness
 * @returns {any}
 */
function makeValue(random, schema, oddness, depth = 0) {
  if (random.chance(oddness / 2) || depth > 5) return oddValue(random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return makeValue(random, random.pick(choices), oddness, depth + 1);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'object': {
      const names = Object.keys(schema.properties ?? {}).filter(
        (name) =>
          (schema.required?.includes(name) && !random.chance(oddness / 4)) || random.chance(50),
      );
      const pairs = names.map((name) => [
        name,
        makeValue(random, schema.properties[name], oddness, depth + 1),
      ]);
      if (random.chance(oddness / 3)) pairs.push(['__proto__', oddValue(random)]);
      return Object.fromEntries(pairs);
    }
    case 'array':
      return Array.from({ length: random.below(4) }, () =>
        makeValue(random, schema.items ?? {}, oddness, depth + 1),
      );
    case 'integer':
    case 'number':
      return makeNumber(random, schema, type === 'integer');
    case 'boolean':
      return random.chance(50);
    case 'null':
      return null;
    case 'string':
      return makeString(random, schema);
    default:
      return random.pick(['text', 1, true]);
  }
}

/**
 * @param {Random} random
 * @param {Json} schema
 * @param {boolean} isInteger
 */
function makeNumber(random, { minimum = 0, maximum = minimum + 1000 }, isInteger) {
  const number = random.pick([
    minimum,
    maximum,
    minimum + random.below(maximum - minimum + 1),
    minimum + random.below(Math.min(20, maximum - minimum + 1)),
  ]);
  return isInteger ? number : number + random.pick([0, 0.5, 0.01]) * (number < maximum ? 1 : 0);
}

/**
 * @param {Random} random
 * @param {Json} schema
 */
function makeString(random, { format, minLength = 0, maxLength = 40 }) {
  if (format === 'date-time')
    return random.pick(['2030-01-01T00:00:00Z', '2031-12-31T23:59:59.5+02:00']);
  if (format === 'date') return '2030-02-28';
  if (format === 'uri') return 'https://example.com/a?b=c';
  const words = ['Oslo', 'name', '-price', 'id,name', 'žluť', 'a b', '1', '2'];
  return random
    .pick([...words, 'x'.repeat(maxLength)])
    .slice(0, maxLength)
    .padEnd(minLength, 'x');
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
