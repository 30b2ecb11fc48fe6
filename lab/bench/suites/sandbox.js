/**
 * Measures the cost of a sandbox: the same request with the header X-Sandbox, without it, and by
 * hand.
 */

import assert from 'node:assert/strict';
import { isJson, sendJson } from '../cases.js';
import { floor, recordReply, recordsOf, startFloor } from '../floors.js';
import { ourProgram } from '../programs.js';

const withSandbox = 'practice-api, with X-Sandbox';
const without = 'practice-api, without it';
const path = '/api/Books/1';

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [withSandbox]: ourProgram(),
    [floor]: (ourUrl) => startFloor(ourUrl, serveBooks(), path),
    [without]: ourProgram(),
  },
  cases: [
    bookCase(`GET ${path}`, { path }),
    bookCase(`PATCH ${path}`, sendJson('PATCH', path, { available: false })),
    bookCase(`GET ${path}, written to before`, { path }),
  ],
};

/**
 * @param {string} name
 * @param {import('../run-suite.js').LoadRequest} request
 * @returns {import('../run-suite.js').BenchCase}
 */
function bookCase(name, request) {
  const named = { ...request, headers: { ...request.headers, 'x-sandbox': 'bench' } };
  return {
    name,
    requests: { [withSandbox]: named, [floor]: named, [without]: request },
    check: isJson(({ title }) => assert.equal(title, 'The Hobbit')),
  };
}

/** @returns {import('../floors.js').Handle} */
function serveBooks() {
  const books = new Map(recordsOf('books').map((book) => [String(book.id), book]));
  const replies = new Map([...books].map(([id, book]) => [id, recordReply(book)]));
  /** @type {Map<string, {book: object, reply: import('../floors.js').Reply}>} By sandbox and id */
  const changed = new Map();
  return ({ method, url = '', headers }, body) => {
    const id = url.slice('/api/Books/'.length);
    const key = `${headers['x-sandbox']} ${id}`;
    const own = changed.get(key);
    if (method === 'GET') return own?.reply ?? replies.get(id);
    const book = { ...(own?.book ?? books.get(id)), ...JSON.parse(body) };
    const reply = recordReply(book);
    changed.set(key, { book, reply });
    return reply;
  };
}
