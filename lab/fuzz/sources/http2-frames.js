/** Mutated frames of a client of HTTP/2, sent to the lab for such clients, which reads them without a library. */

import { cutAnywhere } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 */

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const mostFrames = 40;

/** @param {number} value @param {number} octets */
const integer = (value, octets) =>
  Array.from({ length: octets }, (_, at) =>
    String.fromCharCode((value >>> (8 * (octets - 1 - at))) & 255),
  ).join('');

/** @param {number} type @param {number} flags @param {number} stream @param {string} payload */
const frame = (type, flags, stream, payload) =>
  integer(payload.length, 3) + integer(type, 1) + integer(flags, 1) + integer(stream, 4) + payload;

/** A frame that is too large ends each connection. */
const last = `${integer(2 ** 24 - 1, 3)}\0\0${integer(1, 4)}`;

/** @param {string} path */
const request = (path) => `\x82\x86\x01\x09localhost\x04${String.fromCharCode(path.length)}${path}`;

/** @returns {import('../run-fuzz.js').Source} */
export function http2Frames() {
  let url = '';
  /** @type {readonly string[]} */
  let paths = [];
  return {
    name: 'frames of HTTP/2',
    async prepare(mainUrl) {
      const response = await fetch(`${mainUrl}/api/http2/plan`);
      const plan = /** @type {{ url: string, case: string }[]} */ (await response.json());
      url = new URL(plan[0]?.url ?? '').origin;
      paths = ['/', '/nothing', ...plan.map((each) => `/${each.case}`)];
    },
    next(random) {
      const count = 1 + random.below(mostFrames);
      const frames = Array.from({ length: count }, (_, at) => anyFrame(random, paths, at));
      const bytes = `${preface}${frame(4, 0, 0, '')}${frames.join('')}${last}`;
      return {
        kind: 'frames',
        url,
        pieces: cutAnywhere(random, random.chance(30) ? mutate(random, bytes) + last : bytes, 3),
        methods: [],
        // A changed length may hide the last frame.
        endsAfter: true,
        judge: (/** @type {import('../../harness/raw-http.js').Exchange} */ { isEnded }) =>
          isEnded ? undefined : 'the connection stayed open',
      };
    },
  };
}

/** @param {Random} random @param {readonly string[]} paths @param {number} at */
function anyFrame(random, paths, at) {
  if (random.chance(40)) {
    return frame(1, random.pick([4, 5, 0, 12, 36]), 2 * at + 1, request(random.pick(paths)));
  }
  const payload = String.fromCharCode(
    ...Array.from({ length: random.below(40) }, () => random.below(256)),
  );
  return frame(random.below(12), random.below(256), random.below(9), payload);
}

/** Changes some octets. @param {Random} random @param {string} bytes */
function mutate(random, bytes) {
  const octets = [...bytes];
  for (let left = 1 + random.below(10); left > 0; left--) {
    octets[random.below(octets.length)] = String.fromCharCode(random.below(256));
  }
  return octets.join('');
}
