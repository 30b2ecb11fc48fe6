/**
 * Lists, embeds and tables of built-in collections and of 10,000 own records, compared with
 * json-server.
 */

import assert from 'node:assert/strict';
import { startJsonServer } from '../../harness/peers.js';
import { isJson, isOk, ours } from '../cases.js';
import { recordsOf } from '../floors.js';
import { ourProgram } from '../programs.js';
import { records, writeRecordsFile } from '../ten-thousand-records.js';

const [users, posts] = [recordsOf('users'), recordsOf('posts')];
const [companies, employees] = [recordsOf('companies'), recordsOf('employees')];

/** A second process of this service, which sends the same as JSON. */
const asJson = 'practice-api, as JSON';

/**
 * @param {string} name
 * @param {string} path
 * @param {string} jsonServerPath
 * @param {object} expected
 * @returns {import('../run-suite.js').BenchCase}
 */
const list = (name, path, jsonServerPath, expected) => ({
  name,
  requests: { [ours]: { path }, 'json-server': { path: jsonServerPath } },
  check: isJson(expected),
});

/**
 * @param {string} name
 * @param {string} path
 * @param {number} lines
 * @returns {import('../run-suite.js').BenchCase}
 */
const csv = (name, path, lines) => ({
  name,
  requests: { [ours]: { path, headers: { accept: 'text/csv' } }, [asJson]: { path } },
  check: isOk((body, contender) => {
    if (contender === asJson) assert.equal(JSON.parse(body).length, lines);
    else assert.equal(body.split('\r\n').length, lines + 2);
  }),
});

/**
 * Writes the file when the program starts, in a different process from json-server.
 *
 * @type {import('../programs.js').Program}
 */
const withRecords = {
  ...ourProgram(),
  start: (options) => ourProgram(['--data', writeRecordsFile()]).start(options),
};

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: withRecords,
    [asJson]: withRecords,
    'json-server': () => startJsonServer({ records, users, posts, companies, employees }),
  },
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
    list('one of 10,000 records', '/my/records/7000', '/records/7000', records[6999] ?? {}),
    list(
      'users with their posts',
      '/api/Users?embed=posts',
      '/users?_embed=posts',
      users.map((user) => ({ ...user, posts: posts.filter(({ userId }) => userId === user.id) })),
    ),
    list(
      '20 employees with their companies',
      '/api/Employees?embed=company&limit=20',
      '/employees?_expand=company&_limit=20',
      employees.slice(0, 20).map((employee) => ({
        ...employee,
        company: companies.find(({ id }) => id === employee.companyId),
      })),
    ),
    {
      name: '10 of 10,000 records, beside 10 of our events',
      requests: {
        [ours]: { path: '/my/records?limit=10' },
        [asJson]: { path: '/api/Events?limit=10' },
      },
      check: isJson((page) => assert.equal(page.length, 10)),
    },
    csv('all events as CSV', '/api/Events', recordsOf('events').length),
    csv('100 of 10,000 records as CSV', '/my/records?limit=100', 100),
  ],
};
