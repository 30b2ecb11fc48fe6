/** A drawn picture, and asking whether it has changed, beside the same bytes sent by hand. */

import assert from 'node:assert/strict';
import { floor, startPicturesFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';

const picture = { path: '/images/movies/1.svg' };

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'pictures',
  contenders: { 'practice-api': ourProgram(), [floor]: startPicturesFloor },
  cases: [
    {
      name: `GET ${picture.path}`,
      requests: { 'practice-api': picture, [floor]: picture },
      check(status, body) {
        assert.equal(status, 200);
        assert.match(body, /^<svg .*<\/svg>\s*$/s);
      },
    },
  ],
};
