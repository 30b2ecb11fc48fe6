/**
 * Valid requests over misused connections: many at once, reset in the middle, sent or read in small
 * pieces; and small documents with large responses.
 */

import { writeRequest } from '../../harness/raw-http.js';
import { cutAnywhere } from '../mutate-text.js';
import { aliased } from '../write-document.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {import('../run-fuzz.js').ExchangeCase} ExchangeCase
 * @typedef {import('../run-fuzz.js').RequestCase} RequestCase
 */

const mostPipelined = 100;
const mostResponseBytes = 8 * 1024 * 1024;
/** Requests that the server ends the connection after its response. */
const last = /** @type {const} */ ([['Connection', 'close']]);
const fields = [
  'books { id title author }',
  'countries { name capital }',
  'users { name job city }',
  '__schema { types { name fields { name args { name } } } }',
];

/** @returns {import('../run-fuzz.js').Source} */
export function misusedConnections() {
  const kinds = Object.entries(shapes);
  return {
    name: 'misused connections',
    next(random) {
      if (random.chance(20)) return amplified(random);
      const [kind, make] = random.pick(kinds);
      return { kind, ...make(random) };
    },
  };
}

/** @type {Readonly<Record<string, (random: Random) => Omit<ExchangeCase, 'kind'>>>} */
const shapes = {
  pipelined(random) {
    const requests = numberedRequests(random);
    return {
      pieces: cutAnywhere(random, requests.join(''), 3),
      methods: requests.map(() => 'GET'),
      judge: ({ responses }) =>
        responses.length === requests.length
          ? judgeOrder(responses)
          : `${responses.length} responses to ${requests.length} requests`,
    };
  },
  'pipelined, then reset'(random) {
    const requests = numberedRequests(random).slice(0, -1);
    const more = random.pick(['/openapi.json', '/api/methods/get?delay=10']);
    const pipeline = writeRequest('GET', more).repeat(1 + random.below(mostPipelined));
    return {
      pieces: cutAnywhere(random, requests.join('') + pipeline, 3),
      methods: [],
      resetsAfterMs: random.below(30),
      judge: ({ responses }) => judgeOrder(responses.slice(0, requests.length)),
    };
  },
  'a body in tiny pieces'(random) {
    const sizes = Array.from({ length: 1 + random.below(500) }, () =>
      random.chance(50) ? 1 : 1 + random.below(20),
    );
    const chunks = sizes.map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
    const length = sizes.reduce((sum, size) => sum + size, 0);
    const headers = /** @type {const} */ ([...last, ['Transfer-Encoding', 'chunked']]);
    const body = `${chunks.join('')}0\r\n\r\n`;
    return {
      pieces: cutAnywhere(random, writeRequest('POST', '/api/methods/post', headers, body), 4),
      methods: ['POST'],
      judge({ responses: [response] }) {
        if (response?.status !== 200) return 'a body was not accepted';
        const isWhole = response.body.includes(`"bodyLength":${length},`);
        return isWhole ? undefined : 'a body was changed';
      },
    };
  },
  'a response in tiny pieces': (random) => ({
    pieces: [writeRequest('GET', '/api/Events', last)],
    methods: ['GET'],
    pausesMs: 1 + random.below(5),
    judge({ responses: [response] }) {
      if (response?.status !== 200) return 'a response was not whole';
      return Array.isArray(JSON.parse(response.body)) ? undefined : 'a response was changed';
    },
  }),
};

/** @param {Random} random @returns {RequestCase} */
function amplified(random) {
  const count = 1 + random.below(random.chance(50) ? 6 : 700);
  const body = JSON.stringify({ query: aliased(count, random.pick(fields)) });
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
 * Makes numbered requests, so that each response shows its request; some are delayed.
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
