/**
 * Requests that are right, over connections that are misused: many at once, torn off in the middle, sent in
 * crumbs, read in crumbs; and documents that are small and ask for much.
 */

import { writeRequest } from '../write-request.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../connection.js').WireAnswer} WireAnswer
 * @typedef {import('../run-fuzz.js').ExchangeCase} ExchangeCase
 * @typedef {import('../run-fuzz.js').RequestCase} RequestCase
 */

const mostPipelined = 100;
const mostResponseBytes = 8 * 1024 * 1024;
/** Asks the server to end the connection once it has answered. */
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
 * Numbered, so that each answer shows which request it belongs to; some wait before they are answered.
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

/** @param {readonly WireAnswer[]} responses */
function judgeOrder(responses) {
  const wrong = responses.findIndex(
    ({ status, body }, index) => status !== 200 || !body.includes(`"number":"${index}"`),
  );
  return wrong < 0 ? undefined : `answer ${wrong} does not belong to request ${wrong}`;
}

/** @param {Random} random @returns {ExchangeCase} */
function pipelined(random) {
  const requests = numberedRequests(random);
  return {
    kind: 'pipelined',
    pieces: cutAnywhere(random, requests.join(''), 3),
    methods: requests.map(() => 'GET'),
    judge: ({ answers: responses }) =>
      responses.length === requests.length
        ? judgeOrder(responses)
        : `${responses.length} answers to ${requests.length} requests`,
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
    judge: ({ answers: responses }) => judgeOrder(responses.slice(0, requests.length - 1)),
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
    judge({ answers: responses }) {
      const [response] = responses;
      if (responses.length !== 1 || response?.status !== 200) return 'a body was not taken';
      return response.body.includes(`"bodyLength":${body.length},`)
        ? undefined
        : 'a body was changed';
    },
  };
}

/** @param {Random} random @returns {ExchangeCase} */
function crumbsOfResponse(random) {
  return {
    kind: 'an answer in crumbs',
    pieces: [writeRequest('GET', '/api/Events', last)],
    methods: ['GET'],
    pausesMs: 1 + random.below(5),
    judge({ answers: responses }) {
      const [response] = responses;
      if (responses.length !== 1 || response?.status !== 200) return 'an answer did not come whole';
      return Array.isArray(JSON.parse(response.body)) ? undefined : 'an answer was changed';
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
    judge({ status, body: answered }) {
      if (status !== 200 && status !== 400) return `status ${status}`;
      return answered.length <= mostResponseBytes
        ? undefined
        : `an answer of ${answered.length} bytes to a document of ${body.length}`;
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
