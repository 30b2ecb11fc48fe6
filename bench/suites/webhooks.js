/** A capture into a full bin beside the same into an empty one: a bin must not slow down as it fills. */

import assert from 'node:assert/strict';
import { createService } from 'practice-api';

// By address, since types are checked before there is a build.
/** @type {typeof import('../../src/areas/webhooks/bins.js')} */
const { binsSpace, maxRequestsPerBin } = await import(
  new URL('../../dist/areas/webhooks/bins.js', import.meta.url).href
);

const kibibyte = 1024;
const full = 'a full bin';
const empty = 'an empty bin';

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'webhooks',
  contenders: {
    [full]: () => startBin({ isFull: true }),
    [empty]: () => startBin({ isFull: false }),
  },
  cases: [
    captureOf('1 KiB', JSON.stringify({ text: 'x'.repeat(kibibyte - 11) })),
    captureOf('256 KiB', 'x'.repeat(256 * kibibyte)),
  ],
};

/**
 * @param {string} size
 * @param {string} body
 * @returns {import('../harness.js').BenchCase}
 */
function captureOf(size, body) {
  const headers = { 'Content-Type': 'application/json' };
  // The address of a contender is that of its bin.
  const request = { method: 'POST', path: '', headers, body };
  return {
    name: `POST a capture of ${size}`,
    requests: { [full]: request, [empty]: request },
    check(status, text) {
      assert.equal(status, 200);
      assert.equal(JSON.parse(text).received, true);
    },
  };
}

/**
 * An empty bin would not stay empty under load, so the other one holds nothing but the last capture.
 *
 * @param {{isFull: boolean}} options
 * @returns {Promise<string>} the address of the bin
 */
async function startBin({ isFull }) {
  if (!isFull) Object.assign(binsSpace, { maxEntries: 1 });
  const service = await createService();
  const made = await fetch(`${service.url}/api/webhooks/bins`, { method: 'POST' });
  const { url } = /** @type {{url: string}} */ (await made.json());
  const body = 'x'.repeat(256 * kibibyte);
  for (let count = 0; isFull && count < maxRequestsPerBin; count++) {
    await (await fetch(url, { method: 'POST', body })).text();
  }
  return url;
}
