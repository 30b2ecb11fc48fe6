/** Pages in three of the styles beside the same by hand. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { floor, startPaginationFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';

/** @type {object[]} */
const items = JSON.parse(
  readFileSync(new URL('../../../data/items.json', import.meta.url), 'utf8'),
);

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'pagination',
  contenders: { 'practice-api': ourProgram(), [floor]: startPaginationFloor },
  cases: [
    page('/api/pagination/offset?offset=20&limit=10', (response) => {
      assert.deepEqual(response, {
        data: items.slice(20, 30),
        pagination: { offset: 20, limit: 10, total: 100, hasMore: true },
      });
    }),
    page('/api/pagination/link?page=3&per_page=10', (response) => {
      assert.deepEqual(response, items.slice(20, 30));
    }),
    page('/api/pagination/cursor?limit=10', (response) => {
      assert.deepEqual(response.data, items.slice(0, 10));
      assert.equal(response.next_cursor.length, 24);
    }),
  ],
};

/**
 * @param {string} path
 * @param {(answer: any) => void} checkPage
 * @returns {import('../harness.js').BenchCase}
 */
function page(path, checkPage) {
  return {
    name: `GET ${path}`,
    requests: { 'practice-api': { path }, [floor]: { path } },
    check(status, body) {
      assert.equal(status, 200);
      checkPage(JSON.parse(body));
    },
  };
}
