/**
 * Malformed and doubtful HTTP on sockets of its own: a table of shapes, each with what RFC 9112 wants
 * of it. Every shape is sent with a marker request behind it, often with a right request before it, and
 * cut into pieces anywhere; whatever happens, each answer must belong to the request it stands for.
 */

import { judgeHead, judgeRestError, parseBody } from '../judge-response.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../connection.js').WireAnswer} WireAnswer
 * @typedef {import('../connection.js').Exchange} Exchange
 */

/**
 * What happens to a shape:
 * - `accepted`: answered with 200 as the request it is, and so is the marker behind it;
 * - `last`: answered with 200, after which the connection ends, since it cannot go on;
 * - `refused`: answered with an error and `Connection: close`; the marker is not answered;
 * - `answered`: answered with an error, and the marker is answered, since it is clear where it begins;
 * - `tolerated`: refused or accepted; the standard allows both;
 * - `swallowed`: waits for the marker and more as its own body, so nobody else gets to see it.
 *
 * @typedef {'accepted' | 'last' | 'refused' | 'answered' | 'tolerated' | 'swallowed'} Outcome
 */

/**
 * @typedef {object} Shape
 * @property {string} name
 * @property {Outcome} outcome
 * @property {(random: Random) => string} write The bytes
 * @property {number} [status] Of a refusal; 400 when left out
 * @property {string | null} [body] What an echo of it shows
 * @property {string} [method] POST when left out
 */

const path = '/api/methods/any';
const smuggled = 'GET /api/methods/get?smuggled=1 HTTP/1.1\r\nHost: a\r\n\r\n';

/**
 * A POST with these header lines, among others that mean nothing.
 *
 * @param {Random} random
 * @param {readonly string[]} lines
 * @param {string} [body]
 */
function post(random, lines, body = '') {
  const all = [...lines];
  const others = ['X-Other: 1', 'accept: */*', 'USER-AGENT: x', 'X-Empty:', 'x-wide:  \tv\t '];
  while (random.chance(30)) all.splice(random.below(2) * all.length, 0, random.pick(others));
  all.splice(random.chance(50) ? 0 : all.length, 0, 'Host: a');
  return `POST ${path} HTTP/1.1\r\n${all.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
}

/**
 * @param {string} line
 * @param {string} [lines]
 */
function get(line, lines = 'Host: a\r\n') {
  return `${line}\r\n${lines}\r\n`;
}

/**
 * A header name in any case.
 *
 * @param {Random} random
 * @param {string} name
 */
const anyCase = (random, name) =>
  random.pick([name, name.toLowerCase(), name.toUpperCase(), name.replace('e', 'E')]);

/** @param {string} chunks */
const chunked = (chunks) => (/** @type {Random} */ random) =>
  post(random, [`${anyCase(random, 'Transfer-Encoding')}: chunked`], chunks);

/** @param {string} value */
const length =
  (value, body = 'hello') =>
  (/** @type {Random} */ random) =>
    post(random, [`${anyCase(random, 'Content-Length')}: ${value}`], body);

/** @param {string} value */
const coding = (value) => (/** @type {Random} */ random) =>
  post(random, [`${anyCase(random, 'Transfer-Encoding')}: ${value}`], '0\r\n\r\n');

/** @param {string} lines */
const header = (lines) => () => get(`GET ${path} HTTP/1.1`, `Host: a\r\n${lines}`);

/** @param {string} line */
const requestLine = (line) => () => get(line);

/** @type {readonly Shape[]} */
export const shapes = [
  { name: 'a body with a length', outcome: 'accepted', body: 'hello', write: length('5') },
  {
    name: 'a length with zeros before it',
    outcome: 'accepted',
    body: 'hello',
    write: length('0005'),
  },
  { name: 'a length among spaces', outcome: 'accepted', body: 'hello', write: length('  5  ') },
  { name: 'a length among tabs', outcome: 'tolerated', body: 'hello', write: length('\t5\t') },
  {
    name: 'a request inside a body',
    outcome: 'accepted',
    body: smuggled,
    write: length(String(smuggled.length), smuggled),
  },
  {
    name: 'null bytes in a body',
    outcome: 'accepted',
    body: '\0\0\0',
    write: length('3', '\0\0\0'),
  },

  // Content-Length: RFC 9112 section 6.3, RFC 9110 section 8.6.
  {
    name: 'two equal lengths',
    outcome: 'refused',
    write: (random) => post(random, ['Content-Length: 5', 'content-length: 5'], 'hello'),
  },
  {
    name: 'two different lengths',
    outcome: 'refused',
    write: (random) =>
      post(
        random,
        ['Content-Length: 5', `Content-Length: ${5 + smuggled.length}`],
        `hello${smuggled}`,
      ),
  },
  { name: 'a list of equal lengths', outcome: 'refused', write: length('5, 5') },
  { name: 'a list of different lengths', outcome: 'refused', write: length('5, 6') },
  { name: 'a length with a plus', outcome: 'refused', write: length('+5') },
  { name: 'a negative length', outcome: 'refused', write: length('-5') },
  { name: 'a length in hex', outcome: 'refused', write: length('0x5') },
  { name: 'a length with a space in it', outcome: 'refused', write: length('5 5') },
  { name: 'a length with a comma behind', outcome: 'refused', write: length('5,') },
  { name: 'a length with an underscore', outcome: 'refused', write: length('1_0') },
  { name: 'a length with a fraction', outcome: 'refused', write: length('5.0') },
  { name: 'a length after a vertical tab', outcome: 'refused', write: length('\x0b5') },
  { name: 'an empty length', outcome: 'refused', write: length('', '') },
  { name: 'a length beyond 64 bits', outcome: 'refused', write: length('18446744073709551621') },
  {
    name: 'a length beyond what is taken',
    outcome: 'swallowed',
    status: 413,
    write: length('9223372036854775807'),
  },

  // Transfer-Encoding: RFC 9112 sections 6.1 and 6.3.
  {
    name: 'a length beside chunks',
    outcome: 'refused',
    write: (random) =>
      post(random, ['Transfer-Encoding: chunked', 'Content-Length: 5'], `0\r\n\r\n${smuggled}`),
  },
  {
    name: 'chunks beside a length',
    outcome: 'refused',
    write: (random) =>
      post(random, ['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\nG`),
  },
  { name: 'chunked twice', outcome: 'refused', write: coding('chunked, chunked') },
  {
    name: 'two headers that say chunked',
    outcome: 'refused',
    write: (random) =>
      post(random, ['Transfer-Encoding: chunked', 'transfer-encoding: chunked'], '0\r\n\r\n'),
  },
  { name: 'chunked that is not last', outcome: 'refused', write: coding('chunked, gzip') },
  {
    name: 'chunked, then identity in another header',
    outcome: 'refused',
    write: (random) =>
      post(random, ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'),
  },
  { name: 'an unknown coding', outcome: 'refused', write: coding('xchunked') },
  { name: 'identity', outcome: 'refused', write: coding('identity') },
  { name: 'chunked in quotes', outcome: 'refused', write: coding('"chunked"') },
  { name: 'chunked with a parameter', outcome: 'refused', write: coding('chunked;q=1') },
  { name: 'chunked after a vertical tab', outcome: 'refused', write: coding('\x0bchunked') },
  { name: 'chunked with a null byte behind', outcome: 'refused', write: coding('chunked\0') },
  { name: 'gzip below chunked', outcome: 'refused', status: 501, write: coding('gzip, chunked') },
  {
    name: 'identity below chunked',
    outcome: 'refused',
    status: 501,
    write: coding('identity, chunked'),
  },
  {
    name: 'gzip below chunked in another header',
    outcome: 'refused',
    status: 501,
    write: (random) =>
      post(random, ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  },
  {
    name: 'an empty coding',
    outcome: 'refused',
    write: (random) => post(random, ['Transfer-Encoding:']),
  },
  {
    name: 'an empty coding beside a length',
    outcome: 'refused',
    write: (random) => post(random, ['Transfer-Encoding:', 'Content-Length: 5'], 'hello'),
  },
  {
    name: 'a space before the colon of the coding',
    outcome: 'refused',
    write: (random) => post(random, ['Transfer-Encoding : chunked'], '0\r\n\r\n'),
  },
  {
    name: 'a folded coding',
    outcome: 'refused',
    write: (random) => post(random, ['Transfer-Encoding:\r\n chunked'], '0\r\n\r\n'),
  },
  {
    name: 'chunks in HTTP/1.0',
    outcome: 'refused',
    write: () =>
      `POST ${path} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
  { name: 'chunked in capitals', outcome: 'accepted', body: null, write: coding('CHUNKED') },
  { name: 'chunked among spaces', outcome: 'accepted', body: null, write: coding('  chunked ') },
  {
    name: 'chunked after an empty list element',
    outcome: 'tolerated',
    body: null,
    write: coding(',chunked'),
  },

  // Chunks: RFC 9112 section 7.1.
  {
    name: 'a chunk',
    outcome: 'accepted',
    body: 'hello',
    write: chunked('5\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a chunk size with zeros',
    outcome: 'accepted',
    body: 'hello',
    write: chunked(`${'0'.repeat(30)}5\r\nhello\r\n00\r\n\r\n`),
  },
  {
    name: 'a chunk extension',
    outcome: 'accepted',
    body: 'hello',
    write: chunked('5;a=b\r\nhello\r\n0;c="d;e"\r\n\r\n'),
  },
  {
    name: 'a space before a chunk extension',
    outcome: 'tolerated',
    body: 'hello',
    write: chunked('5 ;a=b\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a space in a chunk extension',
    outcome: 'tolerated',
    body: 'hello',
    write: chunked('5; a=b\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'an empty chunk extension',
    outcome: 'tolerated',
    body: 'hello',
    write: chunked('5;\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a line feed in a chunk extension',
    outcome: 'refused',
    write: chunked(`5;a\nhello\r\n0\r\n\r\n`),
  },
  {
    name: 'a carriage return in a chunk extension',
    outcome: 'refused',
    write: chunked('5;a\rb\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'chunk extensions of 20 KiB',
    outcome: 'refused',
    status: 413,
    write: chunked(`5;a=${'b'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`),
  },
  {
    name: 'a space after a chunk size',
    outcome: 'tolerated',
    body: 'hello',
    write: chunked('5 \r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a space before a chunk size',
    outcome: 'refused',
    write: chunked(' 5\r\nhello\r\n0\r\n\r\n'),
  },
  { name: 'a chunk size with 0x', outcome: 'refused', write: chunked('0x5\r\nhello\r\n0\r\n\r\n') },
  {
    name: 'a chunk size with a plus',
    outcome: 'refused',
    write: chunked('+5\r\nhello\r\n0\r\n\r\n'),
  },
  { name: 'a negative chunk size', outcome: 'refused', write: chunked('-5\r\nhello\r\n0\r\n\r\n') },
  {
    name: 'an underscore in a chunk size',
    outcome: 'refused',
    write: chunked('5_\r\nhello\r\n0\r\n\r\n'),
  },
  { name: 'no chunk size', outcome: 'refused', write: chunked('\r\nhello\r\n0\r\n\r\n') },
  {
    name: 'a chunk size beyond 64 bits',
    outcome: 'refused',
    write: chunked('ffffffffffffffff1\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a chunk size of 64 bits',
    outcome: 'swallowed',
    write: chunked('ffffffffffffffff\r\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a line feed after a chunk size',
    outcome: 'refused',
    write: chunked('5\nhello\r\n0\r\n\r\n'),
  },
  {
    name: 'a line feed after a chunk',
    outcome: 'refused',
    write: chunked('5\r\nhello\n0\r\n\r\n'),
  },
  {
    name: 'line feeds after the last chunk',
    outcome: 'refused',
    write: chunked('5\r\nhello\r\n0\n\n'),
  },
  {
    name: 'a line feed in place of the last line',
    outcome: 'refused',
    write: chunked('5\r\nhello\r\n0\r\n\n'),
  },
  {
    name: 'a chunk longer than it says',
    outcome: 'refused',
    write: chunked('5\r\nhello!\r\n0\r\n\r\n'),
  },
  {
    name: 'a chunk without its line end',
    outcome: 'refused',
    write: chunked('5\r\nhello0\r\n\r\n'),
  },
  {
    name: 'a trailer',
    outcome: 'accepted',
    body: 'hello',
    write: chunked('5\r\nhello\r\n0\r\nX: y\r\n\r\n'),
  },
  {
    name: 'a length in the trailer',
    outcome: 'tolerated',
    body: 'hello',
    write: chunked('5\r\nhello\r\n0\r\nContent-Length: 90\r\n\r\n'),
  },
  {
    name: 'a coding in the trailer',
    outcome: 'tolerated',
    body: 'hello',
    write: chunked('5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'),
  },
  {
    name: 'a trailer without a colon',
    outcome: 'refused',
    write: chunked('5\r\nhello\r\n0\r\nX Y\r\n\r\n'),
  },
  {
    name: 'a folded trailer',
    outcome: 'refused',
    write: chunked('5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n'),
  },
  {
    name: 'a line feed in the trailer',
    outcome: 'refused',
    write: chunked('5\r\nhello\r\n0\r\nX: y\n\r\n'),
  },
  {
    name: 'a broken chunk for nobody',
    outcome: 'refused',
    status: 404,
    write: () => 'POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  },

  // Line ends: RFC 9112 section 2.2.
  {
    name: 'line feeds alone',
    outcome: 'tolerated',
    write: () => `GET ${path} HTTP/1.1\nHost: a\n\n`,
  },
  {
    name: 'a line feed after the request line',
    outcome: 'tolerated',
    write: () => `GET ${path} HTTP/1.1\nHost: a\r\n\r\n`,
  },
  {
    name: 'a line feed after a header',
    outcome: 'tolerated',
    write: () => get(`GET ${path} HTTP/1.1`, 'Host: a\nX: y\r\n'),
  },
  {
    name: 'a line feed in place of the empty line',
    outcome: 'tolerated',
    write: () => `GET ${path} HTTP/1.1\r\nHost: a\r\n\n`,
  },
  { name: 'a carriage return in a header', outcome: 'refused', write: header('X: a\rb\r\n') },
  {
    name: 'a header after a carriage return',
    outcome: 'refused',
    write: (random) => post(random, ['X: a\rTransfer-Encoding: chunked'], '0\r\n\r\n'),
  },
  { name: 'two carriage returns', outcome: 'refused', write: header('X: a\r\r\n') },
  {
    name: 'carriage returns alone',
    outcome: 'refused',
    write: () => `GET ${path} HTTP/1.1\rHost: a\r\r`,
  },
  {
    name: 'empty lines before',
    outcome: 'accepted',
    write: () => `\r\n\r\n${get(`GET ${path} HTTP/1.1`)}`,
  },

  // Headers: RFC 9112 section 5, RFC 9110 section 5.
  { name: 'a folded header', outcome: 'refused', write: header('X: a\r\n b\r\n') },
  { name: 'a header folded by a tab', outcome: 'refused', write: header('X: a\r\n\tb\r\n') },
  { name: 'an empty header that goes on', outcome: 'refused', write: header('X:\r\n b\r\n') },
  {
    name: 'a first header that is folded',
    outcome: 'refused',
    write: () => `GET ${path} HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n`,
  },
  { name: 'a space before a colon', outcome: 'refused', write: header('X : y\r\n') },
  { name: 'a tab before a colon', outcome: 'refused', write: header('X\t: y\r\n') },
  { name: 'a header without a name', outcome: 'refused', write: header(': y\r\n') },
  { name: 'a header without a colon', outcome: 'refused', write: header('X\r\n') },
  {
    name: 'a name that is no token',
    outcome: 'refused',
    write: (random) =>
      header(
        `X${random.pick(['@', '(', ')', '/', '"', '{', '=', ';', '?', '\xff', '\x01', '\0'])}: y\r\n`,
      )(),
  },
  { name: 'a null byte in a header', outcome: 'refused', write: header('X: a\0b\r\n') },
  {
    name: 'a control character in a header',
    outcome: 'refused',
    write: (random) =>
      header(`X: a${random.pick(['\x01', '\x08', '\x0b', '\x1f', '\x7f'])}b\r\n`)(),
  },
  { name: 'bytes beyond ASCII in a header', outcome: 'accepted', write: header('X: \xe9\xff\r\n') },
  { name: 'two thousand headers', outcome: 'accepted', write: header('a:b\r\n'.repeat(2000)) },
  {
    name: 'ten thousand headers',
    outcome: 'refused',
    status: 431,
    write: header('a:b\r\n'.repeat(10_000)),
  },
  {
    name: 'a header of 20 KiB',
    outcome: 'refused',
    status: 431,
    write: header(`X: ${'y'.repeat(20_000)}\r\n`),
  },
  {
    name: 'a name of 20 KiB',
    outcome: 'refused',
    status: 431,
    write: header(`${'x'.repeat(20_000)}: y\r\n`),
  },

  // Host: RFC 9112 section 3.2.
  { name: 'no Host', outcome: 'answered', write: () => get(`GET ${path} HTTP/1.1`, '') },
  { name: 'two Hosts', outcome: 'answered', write: header('Host: b\r\n') },
  { name: 'two equal Hosts', outcome: 'answered', write: header('host: a\r\n') },
  {
    name: 'a Host with a space',
    outcome: 'answered',
    write: () => get(`GET ${path} HTTP/1.1`, 'Host: a b\r\n'),
  },
  {
    name: 'a Host with a user',
    outcome: 'answered',
    write: () => get(`GET ${path} HTTP/1.1`, 'Host: u@a\r\n'),
  },
  {
    name: 'a folded Host',
    outcome: 'refused',
    write: () => get(`GET ${path} HTTP/1.1`, 'Host:\r\n a\r\n'),
  },

  // Request line: RFC 9112 section 3.
  {
    name: 'an absolute target',
    outcome: 'accepted',
    write: requestLine(`GET http://b:80${path} HTTP/1.1`),
  },
  {
    name: 'an absolute target with a user',
    outcome: 'answered',
    write: requestLine(`GET http://u:p@b${path} HTTP/1.1`),
  },
  {
    name: 'an absolute target without a host',
    outcome: 'answered',
    write: requestLine(`GET http://${path} HTTP/1.1`),
  },
  {
    name: 'an absolute target of another scheme',
    outcome: 'answered',
    write: requestLine(`GET ftp://b${path} HTTP/1.1`),
  },
  { name: 'a host as the target', outcome: 'refused', write: requestLine('GET b:80 HTTP/1.1') },
  {
    name: 'a target without a slash',
    outcome: 'refused',
    write: requestLine('GET api/methods/any HTTP/1.1'),
  },
  {
    name: 'CONNECT to a host',
    outcome: 'refused',
    method: 'CONNECT',
    write: requestLine('CONNECT b:80 HTTP/1.1'),
  },
  {
    name: 'a null byte in the target',
    outcome: 'refused',
    write: requestLine(`GET ${path}?\0 HTTP/1.1`),
  },
  {
    name: 'a control character in the target',
    outcome: 'refused',
    write: requestLine(`GET ${path}?\x01 HTTP/1.1`),
  },
  {
    name: 'a byte beyond ASCII in the target',
    outcome: 'tolerated',
    write: requestLine(`GET ${path}?\xff HTTP/1.1`),
  },
  {
    name: 'a target of 20 KiB',
    outcome: 'refused',
    status: 431,
    write: requestLine(`GET ${path}?${'a'.repeat(20_000)} HTTP/1.1`),
  },
  {
    name: 'a space in the target',
    outcome: 'refused',
    write: requestLine(`GET ${path}?a b HTTP/1.1`),
  },
  {
    name: 'two spaces in the request line',
    outcome: 'tolerated',
    write: requestLine(`GET  ${path}  HTTP/1.1`),
  },
  {
    name: 'tabs in the request line',
    outcome: 'tolerated',
    write: requestLine(`GET\t${path}\tHTTP/1.1`),
  },
  {
    name: 'a space before the verb',
    outcome: 'refused',
    write: requestLine(` GET ${path} HTTP/1.1`),
  },
  {
    name: 'a space after the version',
    outcome: 'tolerated',
    write: requestLine(`GET ${path} HTTP/1.1 `),
  },
  { name: 'an unknown verb', outcome: 'refused', write: requestLine(`BREW ${path} HTTP/1.1`) },
  {
    name: 'a verb in small letters',
    outcome: 'refused',
    write: requestLine(`get ${path} HTTP/1.1`),
  },
  { name: 'HTTP/0.9', outcome: 'refused', write: () => `GET ${path}\r\n` },
  {
    name: 'HTTP/0.9 that says so',
    outcome: 'refused',
    status: 505,
    write: requestLine(`GET ${path} HTTP/0.9`),
  },
  { name: 'HTTP/1.2', outcome: 'tolerated', write: requestLine(`GET ${path} HTTP/1.2`) },
  {
    name: 'HTTP/2.0 in words',
    outcome: 'refused',
    status: 505,
    write: requestLine(`GET ${path} HTTP/2.0`),
  },
  { name: 'HTTP/3.0 in words', outcome: 'refused', write: requestLine(`GET ${path} HTTP/3.0`) },
  { name: 'HTTP/1.10', outcome: 'refused', write: requestLine(`GET ${path} HTTP/1.10`) },
  { name: 'HTTP in small letters', outcome: 'refused', write: requestLine(`GET ${path} http/1.1`) },
  {
    name: 'the preface of HTTP/2',
    outcome: 'refused',
    write: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  },
  {
    name: 'a TLS greeting',
    outcome: 'refused',
    write: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  },
  {
    name: 'garbage',
    outcome: 'refused',
    write: (random) =>
      `${String.fromCharCode(...Array.from({ length: 40 }, () => 128 + random.below(128)))}\r\n\r\n`,
  },

  // Connections: RFC 9112 section 9.
  { name: 'Connection: close', outcome: 'last', write: header('Connection: close\r\n') },
  {
    name: 'Connection: close among others',
    outcome: 'last',
    write: header('Connection: x, CLOSE\r\n'),
  },
  { name: 'HTTP/1.0', outcome: 'last', write: () => get(`GET ${path} HTTP/1.0`, '') },
  {
    name: 'HTTP/1.0 with keep-alive',
    outcome: 'accepted',
    write: () => get(`GET ${path} HTTP/1.0`, 'Connection: keep-alive\r\n'),
  },
  {
    name: 'Connection: close with a body',
    outcome: 'last',
    body: 'hello',
    write: (random) => post(random, ['Connection: close', 'Content-Length: 5'], 'hello'),
  },
  {
    name: 'an upgrade to WebSocket',
    outcome: 'last',
    write: header('Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  },
  {
    name: 'an upgrade to HTTP/2',
    outcome: 'last',
    write: header(
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ),
  },
  {
    name: 'an upgrade with a body',
    outcome: 'last',
    body: 'hello',
    write: (random) =>
      post(random, ['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 5'], 'hello'),
  },
  {
    name: 'a tunnel',
    outcome: 'last',
    method: 'CONNECT',
    write: requestLine(`CONNECT ${path} HTTP/1.1`),
  },
  {
    name: 'Expect: 100-continue',
    outcome: 'accepted',
    body: 'hello',
    write: (random) => post(random, ['Expect: 100-continue', 'Content-Length: 5'], 'hello'),
  },
  {
    name: 'another expectation',
    outcome: 'answered',
    status: 417,
    write: (random) => post(random, ['Expect: miracles', 'Content-Length: 5'], 'hello'),
  },
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
    pieces: cut(random, bytes),
    methods,
    // It would wait for more until its time is up.
    ...(shape.outcome === 'swallowed' && { endsAfter: true }),
    judge: (exchange) => judgeExchange(shape, token, before !== '', exchange),
  };
}

/**
 * Into pieces that arrive one by one, half of the time.
 *
 * @param {Random} random
 * @param {string} bytes
 */
function cut(random, bytes) {
  if (random.chance(50)) return [bytes];
  const places = Array.from({ length: 1 + random.below(3) }, () => random.below(bytes.length));
  const bounds = [0, ...places.sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.slice(bounds[index], end));
}

/**
 * @param {Shape} shape
 * @param {string} token
 * @param {boolean} hasBefore
 * @param {Exchange} exchange
 * @returns {string | undefined}
 */
function judgeExchange(shape, token, hasBefore, { answers: responses, rest, isEnded }) {
  if (!isEnded) return 'the connection stays open';
  if (rest !== '') return 'more than whole answers';
  for (const response of responses) {
    const fault = judgeHead(response);
    if (fault !== undefined) return fault;
    if (response.body.includes('"smuggled":"1"')) return 'a smuggled request was answered';
  }
  const queries = responses.map((response) => parseBody(response)?.query ?? {});
  const isFirst = queries[0]?.before === token;
  if (hasBefore !== isFirst) return 'the request before it was not answered first';
  const [own, ...behind] = hasBefore ? responses.slice(1) : responses;
  const isMarked = queries.at(-1)?.marker === token;
  if (behind.length > 1 || (behind.length === 1 && !isMarked)) return 'too many answers';
  if (own === undefined) {
    return shape.outcome === 'swallowed' ? undefined : 'no answer';
  }
  const ownFault = judgeOwn(shape, own);
  const outcome = behind.length === 1 ? 'accepted' : 'refused';
  switch (shape.outcome) {
    case 'accepted':
      return ownFault ?? (outcome === 'accepted' ? undefined : 'the marker was not answered');
    case 'last':
      if (outcome === 'accepted') return 'the marker was answered';
      return ownFault ?? judgeClosing(own);
    case 'answered':
      return (
        judgeRejection(shape, own) ??
        (outcome === 'accepted' ? undefined : 'the marker was not answered')
      );
    case 'refused':
    case 'swallowed':
      if (outcome === 'accepted') return 'the marker was answered';
      return judgeRejection(shape, own);
    default:
      return outcome === 'accepted' ? ownFault : judgeRejection(shape, own) && ownFault;
  }
}

/**
 * @param {Shape} shape
 * @param {WireAnswer} response
 */
function judgeOwn({ body }, response) {
  if (response.status !== 200) return `status ${response.status}`;
  const parsed = parseBody(response);
  if (parsed?.path?.endsWith('/api/methods/any') !== true) return 'the answer to something else';
  if (body !== undefined && parsed.body !== body) return `body ${JSON.stringify(parsed.body)}`;
  return undefined;
}

/**
 * @param {Shape} shape
 * @param {WireAnswer} response
 */
function judgeRejection({ status = 400, outcome, method }, response) {
  if (response.status !== status) return `status ${response.status}`;
  if (method === 'HEAD') return undefined;
  const fault = judgeRestError(response);
  if (fault !== undefined) return fault;
  return outcome === 'refused' && status !== 404 ? judgeClosing(response) : undefined;
}

/** @param {WireAnswer} answer */
function judgeClosing({ headers }) {
  return headers.get('connection')?.toLowerCase() === 'close' ? undefined : 'no Connection: close';
}
