/**
 * A capture into a full bin beside one into a bin that keeps little, since a bin must not slow down as
 * it fills; and beside a capture into an array by hand.
 */

import assert from 'node:assert/strict';
import { floor, startBinsFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const capturesOfFullBin = 50;
const full = 'practice-api, a full bin';
const small = 'practice-api, a bin that keeps 1 MiB';

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'bins',
  contenders: {
    [full]: ourProgram([], fullBin),
    [floor]: startBinsFloor,
    [small]: ourProgram(['--capture-bytes', String(mebibyte)], newBin),
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
  // The address of ours is that of its bin.
  const request = { method: 'POST', path: '', headers, body };
  return {
    name: `POST a capture of ${size}`,
    requests: { [full]: request, [floor]: { ...request, path: '/bin' }, [small]: request },
    check(status, text) {
      assert.equal(status, 200);
      assert.equal(JSON.parse(text).received, true);
    },
  };
}

/**
 * @param {string} url
 * @returns {Promise<string>} the address of the bin
 */
async function newBin(url) {
  const made = await fetch(`${url}/api/webhooks/bins`, { method: 'POST' });
  return /** @type {{url: string}} */ (await made.json()).url;
}

/** @param {string} url */
async function fullBin(url) {
  const bin = await newBin(url);
  const body = 'x'.repeat(256 * kibibyte);
  for (let count = 0; count < capturesOfFullBin; count++) {
    await (await fetch(bin, { method: 'POST', body })).text();
  }
  return bin;
}
