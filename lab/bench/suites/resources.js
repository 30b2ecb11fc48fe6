/** The events collection beside the same by hand, and json-server and Mockoon with the same records. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { floor, sameBytes, startResourcesFloor, startSameBytes } from '../floors.js';
import { importPeer } from '../import-peer.js';
import { listenOnLoopback } from '../listen-on-loopback.js';
import { ourProgram } from '../our-program.js';
import { mockoon } from '../peers/mockoon.js';

/** @type {{id: number, category: string, price: number, name: string}[]} */
const events = JSON.parse(
  readFileSync(new URL('../../../data/events.json', import.meta.url), 'utf8'),
);

/**
 * @param {string} name
 * @param {string} ours
 * @param {string} ofJsonServer
 * @param {string} ofMockoon
 * @param {unknown} expected
 * @returns {import('../harness.js').BenchCase}
 */
function page(name, ours, ofJsonServer, ofMockoon, expected) {
  return {
    name,
    requests: {
      'practice-api': { path: ours },
      [floor]: { path: ours },
      [sameBytes]: { path: ours },
      'json-server': { path: ofJsonServer },
      'Mockoon CLI': { path: ofMockoon },
    },
    check(status, body) {
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(body), expected);
    },
  };
}

const { id: _id, ...newEvent } = /** @type {typeof events[0]} */ (events[0]);

/**
 * @param {string} name
 * @param {string} method
 * @param {string} below What follows the path of the collection
 * @param {object} sent
 * @param {number} expectedStatus
 * @param {object} expected
 * @returns {import('../harness.js').BenchCase}
 */
function write(name, method, below, sent, expectedStatus, expected) {
  const headers = { 'content-type': 'application/json' };
  const request = { method, headers, body: JSON.stringify(sent), perSandbox: 900 };
  return {
    name,
    requests: {
      'practice-api': { ...request, path: `/api/Events${below}` },
      [floor]: { ...request, path: `/api/Events${below}` },
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

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'resources',
  contenders: {
    'practice-api': ourProgram(),
    [floor]: startResourcesFloor,
    [sameBytes]: (ourUrl) =>
      startSameBytes(
        ourUrl,
        suite.cases.flatMap(({ requests }) => requests[sameBytes] ?? []),
      ),
    'json-server': startJsonServer,
    'Mockoon CLI': mockoon,
  },
  cases: [
    page(
      'a page of events',
      '/api/Events?limit=10&page=2',
      '/events?_limit=10&_page=2',
      '/events?limit=10&page=2',
      events.slice(10, 20),
    ),
    page(
      'filtered and sorted',
      '/api/Events?category=Music&price_gte=10&sort=-price',
      '/events?category=Music&price_gte=10&_sort=price&_order=desc',
      '/events?category_eq=Music&price_gte=10&sort=price&order=desc',
      events
        .filter((event) => event.category === 'Music' && event.price >= 10)
        .sort((a, b) => b.price - a.price),
    ),
    page('all events', '/api/Events', '/events', '/events', events),
    page('one event', '/api/Events/7', '/events/7', '/events/7', events[6]),
    write('create an event', 'POST', '', newEvent, 201, newEvent),
    write('change an event', 'PATCH', '/8', { price: 12.5 }, 200, { ...events[7], price: 12.5 }),
  ],
};

/** As its command line starts it with --quiet, over records that are its own to change. */
async function startJsonServer() {
  const { default: jsonServer } = await importPeer('json-server');
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false }));
  app.use(jsonServer.router({ events: structuredClone(events) }));
  return listenOnLoopback(createServer(app));
}
