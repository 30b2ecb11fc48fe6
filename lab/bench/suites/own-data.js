/** Lists, embeds and tables, of our collections and of 10,000 records of one's own, beside json-server. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { importPeer } from '../import-peer.js';
import { listenOnLoopback } from '../listen-on-loopback.js';
import { ourProgram } from '../our-program.js';
import { records, writeRecordsFile } from '../ten-thousand-records.js';

const [users, posts, companies, employees, events] = [
  'users',
  'posts',
  'companies',
  'employees',
  'events',
].map(recordsOf);

/** Another program of ours, that answers with the same as JSON. */
const asJson = 'practice-api, as JSON';

/**
 * @param {string} name
 * @param {string} ours
 * @param {string} ofJsonServer
 * @param {unknown} expected
 * @returns {import('../harness.js').BenchCase}
 */
function list(name, ours, ofJsonServer, expected) {
  return {
    name,
    requests: { 'practice-api': { path: ours }, 'json-server': { path: ofJsonServer } },
    check(status, body) {
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(body), expected);
    },
  };
}

/**
 * @param {string} name
 * @param {string} path
 * @param {number} lines
 * @returns {import('../harness.js').BenchCase}
 */
function table(name, path, lines) {
  return {
    name,
    requests: { 'practice-api': { path, headers: { accept: 'text/csv' } }, [asJson]: { path } },
    check(status, body, contender) {
      assert.equal(status, 200);
      if (contender === asJson) assert.equal(JSON.parse(body).length, lines);
      else assert.equal(body.split('\r\n').length, lines + 2);
    },
  };
}

/** The file is written where it is wanted, which is not where json-server runs.
 *
 * @type {import('../harness.js').Program}
 */
const ours = {
  ...ourProgram(),
  launch: (port) => ourProgram(['--data', writeRecordsFile()]).launch(port),
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'own-data',
  contenders: { 'practice-api': ours, [asJson]: ours, 'json-server': startJsonServer },
  cases: [
    list(
      '10 of 10,000 records, page 500',
      '/my/records?limit=10&page=500',
      '/records?_limit=10&_page=500',
      records.slice(4990, 5000),
    ),
    list(
      '10 of 10,000 records, filtered and sorted',
      '/my/records?category=toys&price_gte=5000&sort=-price&limit=10',
      '/records?category=toys&price_gte=5000&_sort=price&_order=desc&_limit=10',
      records
        .filter(({ category, price }) => category === 'toys' && price >= 5000)
        .sort((a, b) => b.price - a.price)
        .slice(0, 10),
    ),
    list('one of 10,000 records', '/my/records/7000', '/records/7000', records[6999]),
    list(
      'users with their posts',
      '/api/Users?embed=posts',
      '/users?_embed=posts',
      users?.map((user) => ({ ...user, posts: posts?.filter(({ userId }) => userId === user.id) })),
    ),
    list(
      '20 employees with their companies',
      '/api/Employees?embed=company&limit=20',
      '/employees?_expand=company&_limit=20',
      employees?.slice(0, 20).map((employee) => ({
        ...employee,
        company: companies?.find(({ id }) => id === employee.companyId),
      })),
    ),
    table('all events as CSV', '/api/Events', events?.length ?? 0),
    table('100 of 10,000 records as CSV', '/my/records?limit=100', 100),
  ],
};

/**
 * @param {string} dataset
 * @returns {{id: number, userId?: number, companyId?: number}[]}
 */
function recordsOf(dataset) {
  return JSON.parse(
    readFileSync(new URL(`../../../data/${dataset}.json`, import.meta.url), 'utf8'),
  );
}

/** As its command line starts it with --quiet, over records that are its own to change. */
async function startJsonServer() {
  const { default: jsonServer } = await importPeer('json-server');
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false }));
  app.use(jsonServer.router(structuredClone({ records, users, posts, companies, employees })));
  return listenOnLoopback(createServer(app));
}
