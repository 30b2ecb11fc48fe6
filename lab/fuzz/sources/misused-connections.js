/**
 * Valid requests over misused connections: many at once, reset in the middle, sent or read in small pieces; and small
 * documents with large responses.
 */

import { writeRequest } from '../../harness/raw-http.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {import('../run-fuzz.js').ExchangeCase} ExchangeCase
 * @typedef {import('../run-fuzz.js').RequestCase} RequestCase
 */

const mostPipelined = 100;
const mostResponseBytes = 8 * 1024 * 1024;
/** Asks the server to end the connection after its response. */
const last = /** @type {const} */ ([['Connection', 'close']]);
const lists = [
  'books { id title author }',
  'countries { name capital }',
  'users { name job city }',
];
const schemaFields = '__schema { types { name fields { name args { name } } } }';

/** @returns {import('../run-fuzz.js').Source} */
export function misusedConnections() {
  const shapes = [pipelined, pipelinedAndReset, crumbsOfBody, crumbsOfResponse, amplified];
  return {
    name: 'misused connections',
    next: (random) => (shapes[random.below(shapes.length)] ?? pipelined)(random),
  };
}

/**
 * Numbered requests, so that each response shows which request it belongs to; some are delayed.
 *
 * @param {Random} random
 */
function numberedRequests(random) {
  const count = 1 + random.below(mostPipelined);
  return Array.from({ length: count }, (_, number) => {
    const wait = random.below(20) === 0 ? '&delay=0.01' : '';
    const headers = number === count - 1 ? last : [];
    return writeRequest('GET', `/api/methods/get?number=${number}${wait}`, headers);
  });
}

/** @param {readonly WireResponse[]} responses */
function judgeOrder(responses) {
  const wrong = responses.findIndex(
    ({ status, body }, index) => status !== 200 || !body.includes(`"number":"${index}"`),
  );
  return wrong < 0 ? undefined : `response ${wrong} does not belong to request ${wrong}`;
}

/** @param {Random} random @returns {ExchangeCase} */
function pipelined(random) {
  const requests = numberedRequests(random);
  return {
    kind: 'pipelined',
    pieces: cutAnywhere(random, requests.join(''), 3),
    methods: requests.map(() => 'GET'),
    judge: ({ responses }) =>
      responses.length === requests.length
        ? judgeOrder(responses)
        : `${responses.length} responses to ${requests.length} requests`,
  };
}

/** @param {Random} random @returns {ExchangeCase} */
function pipelinedAndReset(random) {
  const requests = numberedRequests(random).slice(0, -1);
  const more = random.below(2) === 0 ? '/openapi.json' : '/api/methods/get?delay=10';
  requests.push(writeRequest('GET', more, []).repeat(1 + random.below(mostPipelined)));
  return {
    kind: 'pipelined, then reset',
    pieces: cutAnywhere(random, requests.join(''), 3),
    methods: [],
    resetsAfterMs: random.below(30),
    judge: ({ responses }) => judgeOrder(responses.slice(0, requests.length - 1)),
  };
}

/** @param {Random} random @returns {ExchangeCase} */
function crumbsOfBody(random) {
  const body = 'x'.repeat(1 + random.below(3000));
  const chunks = [];
  for (let start = 0; start < body.length; ) {
    const size = 1 + random.below(random.below(2) === 0 ? 1 : 20);
    const chunk = body.slice(start, start + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    start += size;
  }
  const head =
    'POST /api/methods/post HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  return {
    kind: 'a body in crumbs',
    pieces: cutAnywhere(random, `${head}${chunks.join('')}0\r\n\r\n`, 4),
    methods: ['POST'],
    judge({ responses }) {
      const [response] = responses;
      if (responses.length !== 1 || response?.status !== 200) return 'a body was not accepted';
      return response.body.includes(`"bodyLength":${body.length},`)
        ? undefined
        : 'a body was changed';
    },
  };
}

/** @param {Random} random @returns {ExchangeCase} */
function crumbsOfResponse(random) {
  return {
    kind: 'a response in crumbs',
    pieces: [writeRequest('GET', '/api/Events', last)],
    methods: ['GET'],
    pausesMs: 1 + random.below(5),
    judge({ responses }) {
      const [response] = responses;
      if (responses.length !== 1 || response?.status !== 200) return 'a response was not whole';
      return Array.isArray(JSON.parse(response.body)) ? undefined : 'a response was changed';
    },
  };
}

/** @param {Random} random @returns {RequestCase} */
function amplified(random) {
  const field = random.below(3) === 0 ? schemaFields : (lists[random.below(lists.length)] ?? '');
  const count = 1 + random.below(random.below(2) === 0 ? 6 : 700);
  const aliases = Array.from({ length: count }, (_, index) => `a${index}: ${field}`);
  const body = JSON.stringify({ query: `{ ${aliases.join(' ')} }` });
  return {
    kind: 'an amplifying document',
    method: 'POST',
    bytes: writeRequest('POST', '/graphql', [['Content-Type', 'application/json']], body),
    judge({ status, body: received }) {
      if (status !== 200 && status !== 400) return `status ${status}`;
      return received.length <= mostResponseBytes
        ? undefined
        : `a response of ${received.length} bytes to a document of ${body.length}`;
    },
  };
}

/**
 * @param {Random} random
 * @param {string} bytes
 * @param {number} most How many pieces at most
 */
function cutAnywhere(random, bytes, most) {
  const places = Array.from({ length: random.below(most) }, () => random.below(bytes.length));
  const cuts = [0, ...places.sort((a, b) => a - b), bytes.length];
  return cuts
    .slice(1)
    .map((end, index) => bytes.slice(cuts[index], end))
    .filter((piece) => piece !== '');
}
