/** A drawn image, compared with the same bytes sent by hand. */

import assert from 'node:assert/strict';
import { isOk, ours, sameCase } from '../cases.js';
import { fetchOurs, floor, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const svg = /^<svg .*<\/svg>\s*$/s;
const image = { path: '/images/movies/1.svg' };

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: { [ours]: ourProgram(), [floor]: startImages },
  cases: [
    sameCase(
      `GET ${image.path}`,
      image,
      [ours, floor],
      isOk((body) => assert.match(body, svg)),
    ),
  ],
};

/** @param {string} ourUrl */
async function startImages(ourUrl) {
  const { text, ...reply } = await fetchOurs(ourUrl, image);
  const body = Buffer.from(text);
  return startFloor(ourUrl, ({ url }) => (url === image.path ? { ...reply, body } : undefined));
}
