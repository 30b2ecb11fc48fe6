/**
 * The events collection, compared with the same by hand, and with json-server and Mockoon with the
 * same records.
 */

import assert from 'node:assert/strict';
import { startJsonServer } from '../../harness/peers.js';
import { isJson, ours, sameTo, sendJson } from '../cases.js';
import {
  floor,
  pageOf,
  parseTarget,
  recordReply,
  recordsOf,
  sameBytes,
  startFloor,
  startSameBytes,
} from '../floors.js';
import { mockoon } from '../mockoon.js';
import { ourProgram } from '../programs.js';

const collection = '/api/Events';
const events = recordsOf('events');
const { id: _id, ...newEvent } = events[0];

/**
 * @param {string} name
 * @param {string} below Rest of the path after the collection
 * @param {string} ofJsonServer
 * @param {string} ofMockoon
 * @param {object} expected
 * @returns {import('../run-suite.js').BenchCase}
 */
const read = (name, below, ofJsonServer, ofMockoon, expected) => ({
  name,
  requests: {
    ...sameTo({ path: collection + below }, ours, floor, sameBytes),
    'json-server': { path: `/events${ofJsonServer}` },
    'Mockoon CLI': { path: `/events${ofMockoon}` },
  },
  check: isJson(expected),
});

/**
 * @param {string} name
 * @param {string} method
 * @param {string} below
 * @param {object} sent
 * @param {number} expectedStatus
 * @param {object} expected
 * @returns {import('../run-suite.js').BenchCase}
 */
function write(name, method, below, sent, expectedStatus, expected) {
  const request = { ...sendJson(method, collection + below, sent), perSandbox: 900 };
  return {
    name,
    requests: {
      ...sameTo(request, ours, floor),
      'json-server': { ...request, path: `/events${below}` },
    },
    check(status, body) {
      assert.equal(status, expectedStatus);
      const { id, ...record } = JSON.parse(body);
      assert.ok(id);
      assert.deepEqual({ id, ...record }, { id, ...expected });
    },
  };
}

const cases = [
  read(
    'a page of events',
    '?limit=10&page=2',
    '?_limit=10&_page=2',
    '?limit=10&page=2',
    events.slice(10, 20),
  ),
  read(
    'filtered and sorted',
    '?category=Music&price_gte=10&sort=-price',
    '?category=Music&price_gte=10&_sort=price&_order=desc',
    '?category_eq=Music&price_gte=10&sort=price&order=desc',
    events
      .filter((event) => event.category === 'Music' && event.price >= 10)
      .sort((a, b) => b.price - a.price),
  ),
  read('all events', '', '', '', events),
  read('one event', '/7', '/7', '/7', events[6]),
  write('create an event', 'POST', '', newEvent, 201, newEvent),
  write('change an event', 'PATCH', '/8', { price: 12.5 }, 200, { ...events[7], price: 12.5 }),
];

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(),
    [floor]: (ourUrl) => startFloor(ourUrl, serveEvents(), collection),
    [sameBytes]: (ourUrl) =>
      startSameBytes(
        ourUrl,
        cases.flatMap(({ requests }) => requests[sameBytes] ?? []),
      ),
    'json-server': () => startJsonServer({ events }),
    'Mockoon CLI': mockoon,
  },
  cases,
};

/** @returns {import('../floors.js').Handle} */
function serveEvents() {
  const maxCreated = 1000;
  const replies = new Map(events.map((event) => [String(event.id), recordReply(event)]));
  /** @type {Map<string, object>} */
  const written = new Map(events.map((event) => [String(event.id), event]));
  let lastId = events.length;
  return ({ url = '', method, headers: { host } }, sent) => {
    const { path, query } = parseTarget(url);
    if (method === 'POST') {
      const id = ++lastId;
      const event = { id, ...JSON.parse(sent) };
      written.set(String(id), event);
      if (id - maxCreated > events.length) written.delete(String(id - maxCreated));
      const { body, headers } = recordReply(event);
      const location = `http://${host}${collection}/${id}`;
      return { status: 201, body, headers: { ...headers, location } };
    }
    if (path === collection) return listEvents(query, host);
    const id = path.slice(collection.length + 1);
    if (method === 'GET') return replies.get(id);
    const event = { ...written.get(id), ...JSON.parse(sent) };
    written.set(id, event);
    return recordReply(event);
  };
}

/**
 * @param {URLSearchParams} query
 * @param {string | undefined} host
 */
function listEvents(query, host) {
  const category = query.get('category')?.toLowerCase();
  const minPrice = Number(query.get('price_gte') ?? 0);
  let found = events;
  if (category !== undefined) {
    found = found.filter(
      (event) => event.category.toLowerCase() === category && event.price >= minPrice,
    );
  }
  if (query.get('sort') === '-price') found = found.toSorted((a, b) => b.price - a.price);
  const limit = Number(query.get('limit') ?? 0);
  if (limit === 0)
    return { body: JSON.stringify(found), headers: { 'x-total-count': found.length } };
  const number = Number(query.get('page') ?? 1);
  const { body, pages, headers } = pageOf(found, number, limit, (to) => {
    query.set('page', String(to));
    return `http://${host}${collection}?${query}`;
  });
  const counts = { 'x-page': number, 'x-per-page': limit, 'x-total-pages': pages };
  return { body, headers: { ...headers, ...counts } };
}
