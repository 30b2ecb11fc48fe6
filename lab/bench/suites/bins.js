/**
 * Captures into a full bin and into a bin that stores little, which should cost the same; compared
 * with a capture into an array by hand.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { isJson, newBin, sameTo } from '../cases.js';
import { floor, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const kibibyte = 1024;
const capturesOfFullBin = 50;
const full = 'practice-api, a full bin';
const small = 'practice-api, a bin that keeps 1 MiB';

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [full]: ourProgram([], fullBin),
    [floor]: (ourUrl) => startFloor(ourUrl, capture()),
    [small]: ourProgram(['--capture-bytes', String(kibibyte * kibibyte)], newBin),
  },
  cases: [
    captureOf('1 KiB', JSON.stringify({ text: 'x'.repeat(kibibyte - 11) })),
    captureOf('256 KiB', 'x'.repeat(256 * kibibyte)),
  ],
};

/**
 * @param {string} size
 * @param {string} body
 * @returns {import('../run-suite.js').BenchCase}
 */
function captureOf(size, body) {
  // Our URL already includes the bin.
  const request = {
    method: 'POST',
    path: '',
    headers: { 'Content-Type': 'application/json' },
    body,
  };
  return {
    name: `POST a capture of ${size}`,
    requests: { ...sameTo(request, full, floor, small), [floor]: { ...request, path: '/bin' } },
    check: isJson(({ received }) => assert.equal(received, true)),
  };
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

/** @returns {import('../floors.js').Handle} */
function capture() {
  /** @type {object[]} */
  const captures = [];
  let count = 0;
  const binId = randomBytes(17).toString('base64url').slice(0, 22);
  return ({ method, url, rawHeaders, socket }, body) => {
    const ip = socket.remoteAddress;
    captures.push({ receivedAtMs: Date.now(), method, url, rawHeaders, ip, body });
    if (captures.length > capturesOfFullBin) captures.shift();
    return {
      body: JSON.stringify({ received: true, binId, requestId: String(++count) }),
      headers: {
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'access-control-allow-credentials': 'true',
      },
    };
  };
}
