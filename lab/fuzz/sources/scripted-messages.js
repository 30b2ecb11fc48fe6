/** Scripted responses, multipart bodies and tus uploads, valid and damaged. */

import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError, parseBody } from '../judge-response.js';
import { inHeader, mutateText, oddValue } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {import('../run-fuzz.js').RequestCase} RequestCase
 */

const own = /** @type {const} */ ([['X-Sandbox', 'scripted']]);
const json = /** @type {const} */ (['Content-Type', 'application/json']);

/** @returns {import('../run-fuzz.js').Source} */
export function scriptedMessages() {
  return {
    name: 'scripted',
    next: (random) => random.pick([scripted, scripted, asQuery, multipart, concatenated])(random),
  };
}

const names = [
  ...[
    'X-A',
    'x-lower',
    'ETag',
    'Location',
    'Retry-After',
    'Vary',
    'Set-Cookie',
    'Content-Encoding',
  ],
  ...[
    'Content-Type',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'X-A\r\nX-Injected',
    'é',
  ],
  ...['X A', '', ':path', '__proto__', 'X'.repeat(101), 'Trailer', 'Date'],
];
const values = [
  ...['1', '', 'a\r\nX-Injected: 1', 'a\nX-Injected: 1', '\u010d\u010aX-Injected: 1', 'é', '안녕'],
  ...['\ud800', '\0', 'x'.repeat(1001), 'gzip', '-1', '"a"', '*', '\x85', '\u2028', 'a=b; Path=/'],
];

/** @param {Random} random */
function someHeaders(random) {
  const pairs = Array.from({ length: random.below(4) }, () => {
    const value = random.pick(values);
    return [random.pick(names), random.chance(20) ? mutateText(random, value) : value];
  });
  return random.chance(50) ? pairs : Object.fromEntries(pairs);
}

/** @param {Random} random */
function script(random) {
  /** @type {Record<string, () => unknown>} */
  const members = {
    status: () => random.pick([200, 204, 205, 206, 299, 304, 404, 599, 100, 600]),
    headers: () => someHeaders(random),
    headerEncoding: () => random.pick(['latin1', 'utf-8', 'utf8']),
    body: () => random.pick(['', 'hello', '안녕', 'x'.repeat(70_000)]),
    bodyBase64: () => random.pick(['', 'H4sIAAAA', 'YQ==', 'YQ', '!', 'A'.repeat(400)]),
    chunks: () => Array.from({ length: random.below(4) }, () => ({ data: random.pick(['', 'a']) })),
    trailers: () => someHeaders(random),
    informational: () => [
      { status: random.pick([102, 103, 199, 101, 99]), headers: someHeaders(random) },
    ],
  };
  const chosen = Object.entries(members).filter(() => random.chance(35));
  return Object.fromEntries(
    chosen.map(([name, make]) => [name, random.chance(5) ? oddValue(random) : make()]),
  );
}

/** @param {Random} random @returns {RequestCase} */
function scripted(random) {
  const given = script(random);
  const method = random.pick(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']);
  const path = random.chance(80) ? '/api/http/respond' : '/api/http/responses/fuzzed';
  const body = asBytes(JSON.stringify(given));
  return {
    kind: 'a script',
    method,
    bytes: writeRequest(method, path, [...own, json], body),
    judge: (response) => judgeScripted(response, path.endsWith('respond') ? given : {}),
  };
}

/** @param {Random} random @returns {RequestCase} */
function asQuery(random) {
  const query = new URLSearchParams({
    header: `${random.pick(names)}:${random.pick(values)}`,
    ...(random.chance(50) && { headerEncoding: random.pick(['latin1', 'utf-8', 'x']) }),
  });
  const path = random.pick([
    `/api/http/status/${random.pick(['200', '204', '503', '200:1,404'])}?${query}`,
    `/httpbin/response-headers?${new URLSearchParams([[random.pick(names), random.pick(values)]])}`,
  ]);
  return {
    kind: 'a header in a query',
    method: 'GET',
    bytes: writeRequest('GET', path, own),
    judge: (response) => judgeScripted(response, {}),
  };
}

/**
 * @param {WireResponse} response
 * @param {Record<string, unknown>} given
 */
function judgeScripted(response, { status = 200 }) {
  const { head, headers } = response;
  if (headers.has('x-injected')) return 'a header that became two';
  if (/[\0\x7f]|\r(?!\n)|(?<!\r)\n/.test(head)) return 'a control character in the head';
  if (response.status === 500) return 'an unexpected failure';
  if (response.status === 400 && status !== 400 && !headers.has('content-security-policy')) {
    return judgeRestError(response);
  }
  return undefined;
}

const boundaries = [
  'cut',
  '----WebKitFormBoundary7MA4YWxkTrZu0gW',
  '-',
  '--',
  'c'.repeat(70),
  "'()+_,-./:=?",
];
const heads = [
  'Content-Disposition: form-data; name="a"',
  'content-disposition:form-data;name=a',
  'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain',
  'Content-Disposition: form-data; name="f"; filename*=utf-8\'\'%e2%82%ac',
  'Content-Disposition: form-data; name="j"\r\nContent-Type: application/json',
  'Content-Disposition : form-data; name="a"',
  'Content-Disposition: attachment',
  'X: y',
  '',
];

/** @param {Random} random @returns {RequestCase} */
function multipart(random) {
  const boundary = random.pick(boundaries);
  const parts = Array.from({ length: random.below(5) }, () => {
    const content = random.pick(['', 'x', '\r\n', `--${boundary}`, `\r\n--${boundary}x`, '\xff\0']);
    return `--${boundary}\r\n${random.pick(heads)}\r\n\r\n${content}\r\n`;
  });
  let body = `${parts.join('')}--${boundary}--\r\n`;
  if (random.chance(20)) body = body.replaceAll('\r\n', '\n');
  if (random.chance(50)) body = mutateText(random, body).replace(/[^\0-\xff]/g, '~');
  const named = random.chance(80) ? `"${boundary}"` : mutateText(random, boundary);
  const type = inHeader(`multipart/form-data; boundary=${named}`);
  const path = random.pick(['/api/methods/post', '/httpbin/post', '/api/http/uploads']);
  return {
    kind: `multipart to ${path}`,
    method: 'POST',
    bytes: writeRequest('POST', path, [...own, ['Content-Type', type]], body),
    judge: (response) => judgeMultipart(response, path),
  };
}

/** @param {WireResponse} response @param {string} path */
function judgeMultipart(response, path) {
  if (response.status >= 500) return 'an unexpected failure';
  if (response.status >= 400) return judgeRestError(response);
  const shown = parseBody(response);
  if (shown === undefined) return 'no JSON';
  if (path.endsWith('uploads')) return undefined;
  const isParsed =
    Object.keys(shown.form ?? {}).length > 0 || Object.keys(shown.files ?? {}).length > 0;
  // A fault of one part leaves the other parts readable.
  const isOfPart = /\bpart \d+\b/.test(shown.parseError ?? 'part 0');
  if (isParsed && !isOfPart) return 'a form with a parseError';
  return isParsed || shown.parseError || !/multipart\/form-data/.test(JSON.stringify(shown.headers))
    ? undefined
    : 'multipart that vanished';
}

const tus = '/api/http/uploads/tus';

/** @param {Random} random @returns {RequestCase} */
function concatenated(random) {
  const concat = random.pick([
    'partial',
    `final;${tus}/abc ${tus}/def`,
    'final;',
    'final; ',
    'x',
    '',
  ]);
  /** @type {[string, string][]} */
  const headers = [['Tus-Resumable', '1.0.0']];
  if (random.chance(70)) {
    headers.push([
      'Upload-Concat',
      random.chance(50) ? concat : inHeader(mutateText(random, concat)),
    ]);
  }
  if (random.chance(50))
    headers.push(['Upload-Length', random.pick(['0', '5', '-1', 'x', '99999999999'])]);
  if (random.chance(30)) headers.push(['Upload-Defer-Length', random.pick(['1', '0', '', 'x'])]);
  return {
    kind: 'a tus upload',
    method: 'POST',
    bytes: writeRequest('POST', tus, [...own, ...headers], ''),
    judge: (response) => {
      if (response.status === 201) return undefined;
      return response.status >= 500 ? 'an unexpected failure' : judgeRestError(response);
    },
  };
}
