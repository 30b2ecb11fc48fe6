/** Pages in three of the styles, compared with the same by hand. */

import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { isJson, ours, sameCase } from '../cases.js';
import { floor, pageOf, parseTarget, recordsOf, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const items = recordsOf('items');
const key = randomBytes(32);

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    [floor]: (ourUrl) => startFloor(ourUrl, page, '/api/pagination/link'),
  },
  cases: [
    get('/api/pagination/offset?offset=20&limit=10', {
      data: items.slice(20, 30),
      pagination: { offset: 20, limit: 10, total: 100, hasMore: true },
    }),
    get('/api/pagination/link?page=3&per_page=10', items.slice(20, 30)),
    get('/api/pagination/cursor?limit=10', (/** @type {any} */ { data, next_cursor }) => {
      assert.deepEqual(data, items.slice(0, 10));
      assert.equal(next_cursor.length, 24);
    }),
  ],
};

/**
 * @param {string} path
 * @param {object} expected
 */
function get(path, expected) {
  return sameCase(`GET ${path}`, { path }, [ours, floor], isJson(expected));
}

/** @type {import('../floors.js').Handle} */
function page({ url = '', headers: { host } }) {
  const { path, query } = parseTarget(url);
  const address = `http://${host}${path}`;
  const limit = Number(query.get('limit') ?? 10);
  if (path.endsWith('/offset')) {
    const offset = Number(query.get('offset') ?? 0);
    const data = items.slice(offset, offset + limit);
    const hasMore = offset + limit < items.length;
    const pagination = { offset, limit, total: items.length, hasMore };
    const headers = { 'x-total-count': items.length };
    return { body: JSON.stringify({ data, pagination }), headers };
  }
  if (path.endsWith('/cursor')) {
    const data = items.slice(0, limit);
    const next_cursor = seal(data.at(-1)?.id ?? 0);
    const list = { object: 'list', url: address, data, has_more: true, next_cursor };
    return { body: JSON.stringify(list) };
  }
  const perPage = Number(query.get('per_page') ?? 10);
  const urlOf = (/** @type {number} */ to) => `${address}?page=${to}&per_page=${perPage}`;
  return pageOf(items, Number(query.get('page') ?? 1), perPage, urlOf);
}

/** @param {number} id */
function seal(id) {
  const position = Buffer.alloc(4);
  position.writeUInt32BE(id);
  const mac = createHmac('sha256', key).update(position).digest().subarray(0, 14);
  return Buffer.concat([position, mac]).toString('base64url');
}
