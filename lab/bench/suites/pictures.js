/** A drawn image beside the same bytes sent by hand. */

import assert from 'node:assert/strict';
import { isOk, ours, sameTo } from '../cases.js';
import { fetchOurs, floor, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const image = { path: '/images/movies/1.svg' };

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: { [ours]: ourProgram(), [floor]: startImages },
  cases: [
    {
      name: `GET ${image.path}`,
      requests: sameTo(image, ours, floor),
      check: isOk((body) => assert.match(body, /^<svg .*<\/svg>\s*$/s)),
    },
  ],
};

/** @param {string} ourUrl */
async function startImages(ourUrl) {
  const { text, ...reply } = await fetchOurs(ourUrl, image);
  const body = Buffer.from(text);
  return startFloor(ourUrl, ({ url }) => (url === image.path ? { ...reply, body } : undefined));
}
