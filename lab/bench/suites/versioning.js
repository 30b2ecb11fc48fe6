/** The profile in the latest version and in the old one, beside the same by hand and Mockoon. */

import assert from 'node:assert/strict';
import { floor, startVersioningFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';
import { mockoon } from '../peers/mockoon.js';

const path = '/api/versioned/profile';
const old = { path, headers: { 'x-api-version': '1' } };

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'versioning',
  contenders: {
    'practice-api': ourProgram(),
    [floor]: startVersioningFloor,
    'Mockoon CLI': mockoon,
  },
  cases: [
    {
      name: `GET ${path}`,
      requests: { 'practice-api': { path }, [floor]: { path }, 'Mockoon CLI': { path } },
      check(status, body) {
        assert.equal(status, 200);
        const { displayName, apiVersion } = JSON.parse(body);
        assert.deepEqual(
          { displayName, apiVersion },
          { displayName: 'Maya Okafor', apiVersion: '2' },
        );
      },
    },
    {
      name: `GET ${path}, X-API-Version: 1`,
      requests: { 'practice-api': old, [floor]: old },
      check(status, body) {
        assert.equal(status, 200);
        assert.equal(JSON.parse(body).name, 'Maya Okafor');
      },
    },
  ],
};
