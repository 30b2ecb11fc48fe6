/**
 * Malformed and ambiguous HTTP on separate connections: a table of shapes, each with the outcome
 * that RFC 9112 defines. Every shape is followed by a marker request, often preceded by a valid
 * request, and cut into pieces anywhere; each response must belong to its request.
 */

import { judgeHead, judgeRestError, parseBody } from '../judge-response.js';
import { cutAnywhere } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {import('../../harness/raw-http.js').Exchange} Exchange
 */

/**
 * Outcomes of a shape:
 * - `accepted`: it gets 200, and so does the marker after it;
 * - `last`: it gets 200, and the connection ends, because it cannot continue;
 * - `rejected`: it gets an error and `Connection: close`; the marker gets no response;
 * - `continued`: it gets an error, and the marker gets its response, because its beginning is
 * clear;
 * - `tolerated`: it is rejected or accepted; the standard allows both;
 * - `swallowed`: its body includes the marker and more, so nothing else handles them.
 *
 * @typedef {'accepted' | 'last' | 'rejected' | 'continued' | 'tolerated' | 'swallowed'} Outcome
 *
 * @typedef {(random: Random) => string} Write Writes the bytes of a request
 *
 * @typedef {object} Facts
 * @property {number | readonly number[]} [status] Of a rejection; 400 by default
 * @property {string | null} [body] What an echo of it contains
 * @property {string} [method] POST by default
 *
 * @typedef {{name: string, outcome: Outcome, write: Write} & Facts} Shape
 */

/**
 * Makes shapes with the same outcome.
 *
 * @param {Outcome} outcome
 * @param {Readonly<Record<string, Write | readonly [Write, Facts]>>} shapes
 * @param {Facts} [common]
 * @returns {Shape[]}
 */
function shapesOf(outcome, shapes, common) {
  return Object.entries(shapes).map(([name, shape]) => {
    const [write, facts] = typeof shape === 'function' ? [shape] : shape;
    return { name, outcome, write, ...common, ...facts };
  });
}

const path = '/api/methods/any';
const smuggled = 'GET /api/methods/get?smuggled=1 HTTP/1.1\r\nHost: a\r\n\r\n';

/**
 * Writes a POST with these headers, whose names are in any letter case, among meaningless ones.
 *
 * @param {readonly string[]} lines
 * @param {string} [body]
 * @returns {Write}
 */
function post(lines, body = '') {
  return (random) => {
    const others = ['X-Other: 1', 'accept: */*', 'USER-AGENT: x', 'X-Empty:', 'x-wide:  \tv\t '];
    const all = lines.map((line) => line.replace(/^[\w-]+/, (name) => anyCase(random, name)));
    while (random.chance(30)) all.splice(random.below(2) * all.length, 0, random.pick(others));
    all.splice(random.chance(50) ? 0 : all.length, 0, 'Host: a');
    return `POST ${path} HTTP/1.1\r\n${all.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
  };
}

/**
 * @param {Random} random
 * @param {string} name
 */
const anyCase = (random, name) =>
  random.pick([name, name.toLowerCase(), name.toUpperCase(), name.replace('e', 'E')]);

/** @param {string} chunks */
const chunked = (chunks) => post(['Transfer-Encoding: chunked'], chunks);

/** @param {string} value */
const length = (value, body = 'hello') => post([`Content-Length: ${value}`], body);

/** @param {readonly string[]} values */
const coding = (...values) =>
  post(
    values.map((value) => `Transfer-Encoding: ${value}`),
    '0\r\n\r\n',
  );

/** @param {string} line @param {string} [lines] @returns {Write} */
const get =
  (line, lines = 'Host: a\r\n') =>
  () =>
    `${line}\r\n${lines}\r\n`;

/** @param {string} lines */
const header = (lines) => get(`GET ${path} HTTP/1.1`, `Host: a\r\n${lines}`);

/** @type {readonly Shape[]} */
export const shapes = [
  ...shapesOf('accepted', {
    'a body with a length': [length('5'), { body: 'hello' }],
    'a length with zeros before it': [length('0005'), { body: 'hello' }],
    'a length among spaces': [length('  5  '), { body: 'hello' }],
    'a request inside a body': [length(String(smuggled.length), smuggled), { body: smuggled }],
    'null bytes in a body': [length('3', '\0\0\0'), { body: '\0\0\0' }],
  }),
  ...shapesOf('tolerated', {
    'a length among tabs': [length('\t5\t'), { body: 'hello' }],
  }),

  // Content-Length: RFC 9112 section 6.3, RFC 9110 section 8.6.
  ...shapesOf('rejected', {
    'two equal lengths': post(['Content-Length: 5', 'content-length: 5'], 'hello'),
    'two different lengths': post(
      ['Content-Length: 5', `Content-Length: ${5 + smuggled.length}`],
      `hello${smuggled}`,
    ),
    'a list of equal lengths': length('5, 5'),
    'a list of different lengths': length('5, 6'),
    'a length with a plus': length('+5'),
    'a negative length': length('-5'),
    'a length in hex': length('0x5'),
    'a length with a space in it': length('5 5'),
    'a length with a comma behind': length('5,'),
    'a length with an underscore': length('1_0'),
    'a length with a fraction': length('5.0'),
    'a length after a vertical tab': length('\x0b5'),
    'an empty length': length('', ''),
    'a length beyond 64 bits': length('18446744073709551621'),
  }),
  ...shapesOf('swallowed', {
    'a length beyond the limit': [length('9223372036854775807'), { status: 413 }],
  }),

  // Transfer-Encoding: RFC 9112 sections 6.1 and 6.3.
  ...shapesOf('rejected', {
    'a length beside chunks': post(
      ['Transfer-Encoding: chunked', 'Content-Length: 5'],
      `0\r\n\r\n${smuggled}`,
    ),
    'chunks beside a length': post(
      ['Content-Length: 6', 'Transfer-Encoding: chunked'],
      `0\r\n\r\nG`,
    ),
    'chunked twice': coding('chunked, chunked'),
    'two headers that say chunked': coding('chunked', 'chunked'),
    'chunked that is not last': coding('chunked, gzip'),
    'chunked, then identity in another header': coding('chunked', 'identity'),
    'an unknown coding': coding('xchunked'),
    identity: coding('identity'),
    'chunked in quotes': coding('"chunked"'),
    'chunked with a parameter': coding('chunked;q=1'),
    'chunked after a vertical tab': coding('\x0bchunked'),
    'chunked with a null byte behind': coding('chunked\0'),
    'gzip below chunked': [coding('gzip, chunked'), { status: 501 }],
    'identity below chunked': [coding('identity, chunked'), { status: 501 }],
    'gzip below chunked in another header': [coding('gzip', 'chunked'), { status: 501 }],
    'an empty coding': post(['Transfer-Encoding:']),
    'an empty coding beside a length': post(['Transfer-Encoding:', 'Content-Length: 5'], 'hello'),
    'a space before the colon of the coding': post(['Transfer-Encoding : chunked'], '0\r\n\r\n'),
    'a folded coding': post(['Transfer-Encoding:\r\n chunked'], '0\r\n\r\n'),
    'chunks in HTTP/1.0': () =>
      `POST ${path} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  }),
  ...shapesOf(
    'accepted',
    {
      'chunked in capitals': coding('CHUNKED'),
      'chunked among spaces': coding('  chunked '),
    },
    { body: null },
  ),
  ...shapesOf('tolerated', {
    'chunked after an empty list element': [coding(',chunked'), { body: null }],
  }),

  // Chunks: RFC 9112 section 7.1.
  ...shapesOf(
    'accepted',
    {
      'a chunk': chunked('5\r\nhello\r\n0\r\n\r\n'),
      'a chunk size with zeros': chunked(`${'0'.repeat(30)}5\r\nhello\r\n00\r\n\r\n`),
      'a chunk extension': chunked('5;a=b\r\nhello\r\n0;c="d;e"\r\n\r\n'),
      'a trailer': chunked('5\r\nhello\r\n0\r\nX: y\r\n\r\n'),
    },
    { body: 'hello' },
  ),
  ...shapesOf(
    'tolerated',
    {
      'a space before a chunk extension': chunked('5 ;a=b\r\nhello\r\n0\r\n\r\n'),
      'a space in a chunk extension': chunked('5; a=b\r\nhello\r\n0\r\n\r\n'),
      'an empty chunk extension': chunked('5;\r\nhello\r\n0\r\n\r\n'),
      'a space after a chunk size': chunked('5 \r\nhello\r\n0\r\n\r\n'),
      'a length in the trailer': chunked('5\r\nhello\r\n0\r\nContent-Length: 90\r\n\r\n'),
      'a coding in the trailer': chunked('5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'),
    },
    { body: 'hello' },
  ),
  ...shapesOf('rejected', {
    'a line feed in a chunk extension': chunked(`5;a\nhello\r\n0\r\n\r\n`),
    'a carriage return in a chunk extension': chunked('5;a\rb\r\nhello\r\n0\r\n\r\n'),
    'chunk extensions of 20 KiB': [
      chunked(`5;a=${'b'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`),
      { status: 413 },
    ],
    'a space before a chunk size': chunked(' 5\r\nhello\r\n0\r\n\r\n'),
    'a chunk size with 0x': chunked('0x5\r\nhello\r\n0\r\n\r\n'),
    'a chunk size with a plus': chunked('+5\r\nhello\r\n0\r\n\r\n'),
    'a negative chunk size': chunked('-5\r\nhello\r\n0\r\n\r\n'),
    'an underscore in a chunk size': chunked('5_\r\nhello\r\n0\r\n\r\n'),
    'no chunk size': chunked('\r\nhello\r\n0\r\n\r\n'),
    'a chunk size beyond 64 bits': chunked('ffffffffffffffff1\r\nhello\r\n0\r\n\r\n'),
    'a line feed after a chunk size': chunked('5\nhello\r\n0\r\n\r\n'),
    'a line feed after a chunk': chunked('5\r\nhello\n0\r\n\r\n'),
    'line feeds after the last chunk': chunked('5\r\nhello\r\n0\n\n'),
    'a line feed instead of the last line': chunked('5\r\nhello\r\n0\r\n\n'),
    'a chunk longer than it says': chunked('5\r\nhello!\r\n0\r\n\r\n'),
    'a chunk without its line end': chunked('5\r\nhello0\r\n\r\n'),
    'a trailer without a colon': chunked('5\r\nhello\r\n0\r\nX Y\r\n\r\n'),
    'a folded trailer': chunked('5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n'),
    'a line feed in the trailer': chunked('5\r\nhello\r\n0\r\nX: y\n\r\n'),
    // The chunk may arrive before the path is known to lead nowhere.
    'a malformed chunk for an unknown path': [
      () => 'POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      { status: [404, 400] },
    ],
  }),
  ...shapesOf('swallowed', {
    'a chunk size of 64 bits': chunked('ffffffffffffffff\r\nhello\r\n0\r\n\r\n'),
  }),

  // Line ends: RFC 9112 section 2.2.
  ...shapesOf('tolerated', {
    'only line feeds': () => `GET ${path} HTTP/1.1\nHost: a\n\n`,
    'a line feed after the request line': () => `GET ${path} HTTP/1.1\nHost: a\r\n\r\n`,
    'a line feed after a header': get(`GET ${path} HTTP/1.1`, 'Host: a\nX: y\r\n'),
    'a line feed instead of the empty line': () => `GET ${path} HTTP/1.1\r\nHost: a\r\n\n`,
  }),
  ...shapesOf('rejected', {
    'a carriage return in a header': header('X: a\rb\r\n'),
    'a header after a carriage return': post(['X: a\rTransfer-Encoding: chunked'], '0\r\n\r\n'),
    'two carriage returns': header('X: a\r\r\n'),
    'only carriage returns': () => `GET ${path} HTTP/1.1\rHost: a\r\r`,
  }),
  ...shapesOf('accepted', {
    'empty lines before': () => `\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  }),

  // Headers: RFC 9112 section 5, RFC 9110 section 5.
  ...shapesOf('rejected', {
    'a folded header': header('X: a\r\n b\r\n'),
    'a header folded by a tab': header('X: a\r\n\tb\r\n'),
    'an empty header that continues': header('X:\r\n b\r\n'),
    'a first header that is folded': () => `GET ${path} HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n`,
    'a space before a colon': header('X : y\r\n'),
    'a tab before a colon': header('X\t: y\r\n'),
    'a header without a name': header(': y\r\n'),
    'a header without a colon': header('X\r\n'),
    'a name that is not a token': (random) =>
      header(
        `X${random.pick(['@', '(', ')', '/', '"', '{', '=', ';', '?', '\xff', '\x01', '\0'])}: y\r\n`,
      )(random),
    'a null byte in a header': header('X: a\0b\r\n'),
    'a control character in a header': (random) =>
      header(`X: a${random.pick(['\x01', '\x08', '\x0b', '\x1f', '\x7f'])}b\r\n`)(random),
    'ten thousand headers': [header('a:b\r\n'.repeat(10_000)), { status: 431 }],
    'a header of 20 KiB': [header(`X: ${'y'.repeat(20_000)}\r\n`), { status: 431 }],
    'a name of 20 KiB': [header(`${'x'.repeat(20_000)}: y\r\n`), { status: 431 }],
  }),
  ...shapesOf('accepted', {
    'bytes beyond ASCII in a header': header('X: \xe9\xff\r\n'),
    'two thousand headers': header('a:b\r\n'.repeat(2000)),
  }),

  // Host: RFC 9112 section 3.2.
  ...shapesOf('continued', {
    'no Host': get(`GET ${path} HTTP/1.1`, ''),
    'two Hosts': header('Host: b\r\n'),
    'two equal Hosts': header('host: a\r\n'),
    'a Host with a space': get(`GET ${path} HTTP/1.1`, 'Host: a b\r\n'),
    'a Host with a user': get(`GET ${path} HTTP/1.1`, 'Host: u@a\r\n'),
  }),
  ...shapesOf('rejected', {
    'a folded Host': get(`GET ${path} HTTP/1.1`, 'Host:\r\n a\r\n'),
  }),

  // Request line: RFC 9112 section 3.
  ...shapesOf('accepted', {
    'an absolute target': get(`GET http://b:80${path} HTTP/1.1`),
  }),
  ...shapesOf('continued', {
    'an absolute target with a user': get(`GET http://u:p@b${path} HTTP/1.1`),
    'an absolute target without a host': get(`GET http://${path} HTTP/1.1`),
    'an absolute target of another scheme': get(`GET ftp://b${path} HTTP/1.1`),
  }),
  ...shapesOf('rejected', {
    'a host as the target': get('GET b:80 HTTP/1.1'),
    'a target without a slash': get('GET api/methods/any HTTP/1.1'),
    'CONNECT to a host': [get('CONNECT b:80 HTTP/1.1'), { method: 'CONNECT' }],
    'a null byte in the target': get(`GET ${path}?\0 HTTP/1.1`),
    'a control character in the target': get(`GET ${path}?\x01 HTTP/1.1`),
    'a target of 20 KiB': [get(`GET ${path}?${'a'.repeat(20_000)} HTTP/1.1`), { status: 431 }],
    'a space in the target': get(`GET ${path}?a b HTTP/1.1`),
    'a space before the method': get(` GET ${path} HTTP/1.1`),
    'an unknown method': get(`BREW ${path} HTTP/1.1`),
    'a method in lower case': get(`get ${path} HTTP/1.1`),
    'HTTP/0.9': () => `GET ${path}\r\n`,
    'HTTP/0.9 with a version': [get(`GET ${path} HTTP/0.9`), { status: 505 }],
    'HTTP/2.0 in words': [get(`GET ${path} HTTP/2.0`), { status: 505 }],
    'HTTP/3.0 in words': get(`GET ${path} HTTP/3.0`),
    'HTTP/1.10': get(`GET ${path} HTTP/1.10`),
    'HTTP in lower case': get(`GET ${path} http/1.1`),
    'a TLS handshake': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    garbage: (random) =>
      `${String.fromCharCode(...Array.from({ length: 40 }, () => 128 + random.below(128)))}\r\n\r\n`,
  }),
  ...shapesOf('tolerated', {
    'a byte beyond ASCII in the target': get(`GET ${path}?\xff HTTP/1.1`),
    'two spaces in the request line': get(`GET  ${path}  HTTP/1.1`),
    'tabs in the request line': get(`GET\t${path}\tHTTP/1.1`),
    'a space after the version': get(`GET ${path} HTTP/1.1 `),
    'HTTP/1.2': get(`GET ${path} HTTP/1.2`),
  }),

  // Connections: RFC 9112 section 9.
  ...shapesOf('last', {
    'Connection: close': header('Connection: close\r\n'),
    'Connection: close among others': header('Connection: x, CLOSE\r\n'),
    'HTTP/1.0': get(`GET ${path} HTTP/1.0`, ''),
    'Connection: close with a body': [
      post(['Connection: close', 'Content-Length: 5'], 'hello'),
      { body: 'hello' },
    ],
    'an upgrade to WebSocket': header('Connection: Upgrade\r\nUpgrade: websocket\r\n'),
    'an upgrade to HTTP/2': header(
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ),
    'an upgrade with a body': [
      post(['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 5'], 'hello'),
      { body: 'hello' },
    ],
    'a tunnel': [get(`CONNECT ${path} HTTP/1.1`), { method: 'CONNECT' }],
  }),
  ...shapesOf('accepted', {
    'HTTP/1.0 with keep-alive': get(`GET ${path} HTTP/1.0`, 'Connection: keep-alive\r\n'),
    'Expect: 100-continue': [
      post(['Expect: 100-continue', 'Content-Length: 5'], 'hello'),
      { body: 'hello' },
    ],
  }),
  ...shapesOf('rejected', {
    'another expectation': [
      post(['Expect: miracles', 'Content-Length: 5'], 'hello'),
      { status: 417 },
    ],
  }),
];

/** @returns {import('../run-fuzz.js').Source} */
export function malformedHttp() {
  return { name: 'malformed HTTP', next: (random) => exchangeOf(random, random.pick(shapes)) };
}

/**
 * @param {Random} random
 * @param {Shape} shape
 * @returns {import('../run-fuzz.js').ExchangeCase}
 */
export function exchangeOf(random, shape) {
  const token = String(random.below(2 ** 31));
  const echo = (/** @type {string} */ place) =>
    `GET /api/methods/get?${place}=${token} HTTP/1.1\r\nHost: a\r\n`;
  const before = random.chance(40) ? `${echo('before')}\r\n` : '';
  const marker = `${echo('marker')}Connection: close\r\n\r\n`;
  const bytes = before + shape.write(random) + marker;
  const methods = [...(before ? ['GET'] : []), shape.method ?? 'POST'];
  return {
    kind: shape.name,
    pieces: random.chance(50) ? [bytes] : cutAnywhere(random, bytes, 5),
    methods,
    // The connection would otherwise stay open until the time is up.
    ...(shape.outcome === 'swallowed' && { endsAfter: true }),
    judge: (exchange) => judgeExchange(shape, token, before !== '', exchange),
  };
}

/**
 * @param {Shape} shape
 * @param {string} token
 * @param {boolean} hasBefore
 * @param {Exchange} exchange
 * @returns {string | undefined}
 */
function judgeExchange(shape, token, hasBefore, { responses, rest, isEnded }) {
  if (!isEnded) return 'the connection stays open';
  if (rest !== '') return 'more than whole responses';
  for (const response of responses) {
    const fault = judgeHead(response);
    if (fault !== undefined) return fault;
    if (response.body.includes('"smuggled":"1"')) return 'a smuggled request got a response';
  }
  const queries = responses.map((response) => parseBody(response)?.query ?? {});
  const isFirst = queries[0]?.before === token;
  if (hasBefore !== isFirst) return 'the request before it got no first response';
  const [own, ...behind] = hasBefore ? responses.slice(1) : responses;
  const isMarked = queries.at(-1)?.marker === token;
  if (behind.length > 1 || (behind.length === 1 && !isMarked)) return 'too many responses';
  if (own === undefined) {
    return shape.outcome === 'swallowed' ? undefined : 'no response';
  }
  const isServed = behind.length === 1;
  const unserved = isServed ? undefined : 'the marker got no response';
  const served = isServed ? 'the marker got a response' : undefined;
  const ownFault = judgeOwn(shape, own);
  switch (shape.outcome) {
    case 'accepted':
      return ownFault ?? unserved;
    case 'last':
      return served ?? ownFault ?? judgeClosing(own);
    case 'continued':
      return judgeRejection(shape, own) ?? unserved;
    case 'rejected':
    case 'swallowed':
      return served ?? judgeRejection(shape, own);
    default:
      return isServed ? ownFault : judgeRejection(shape, own) && ownFault;
  }
}

/**
 * @param {Shape} shape
 * @param {WireResponse} response
 */
function judgeOwn({ body }, response) {
  if (response.status !== 200) return `status ${response.status}`;
  const parsed = parseBody(response);
  if (parsed?.path?.endsWith('/api/methods/any') !== true) return 'the response to something else';
  if (body !== undefined && parsed.body !== body) return `body ${JSON.stringify(parsed.body)}`;
  return undefined;
}

/**
 * @param {Shape} shape
 * @param {WireResponse} response
 */
function judgeRejection({ status = 400, outcome, method }, response) {
  if (![status].flat().includes(response.status)) return `status ${response.status}`;
  if (method === 'HEAD') return undefined;
  const fault = judgeRestError(response);
  if (fault !== undefined) return fault;
  return outcome === 'rejected' && response.status !== 404 ? judgeClosing(response) : undefined;
}

/** @param {WireResponse} response */
function judgeClosing({ headers }) {
  return headers.get('connection')?.toLowerCase() === 'close' ? undefined : 'no Connection: close';
}
