/** Reports of bugs, each of which makes the service replay a request many times. */

import { attacksOf } from '../../attacker.js';

const own = { headers: { 'X-Sandbox': 'hostile-bugs' } };
const path = '/api/sandbox/bugs';

/** @param {import('../../attacker.js').Attacker} attacker */
async function switchOn(attacker) {
  const parts = { ...attacker.sameAccount, ...own };
  const bugs = { level: 'senior', count: 50, seed: 1 };
  const { status, text } = await attacker.send('PUT', path, bugs, parts);
  if (status !== 200) throw new Error(`No bugs were switched on: ${status} ${text}`);
  return parts;
}

const described = { expected: 'right', actual: 'wrong' };
const title = 'a'.repeat(900 * 1024);
const large = [
  ['POST', '/api/Users', { name: title, role: title.slice(0, 1000) }],
  ['POST', '/graphql', { query: `{ users { name } } # ${title}` }],
  ['POST', '/api/webhooks/samples/github', { text: title }],
  ['POST', '/api/soap/calculator', `<a>${title}</a>`],
].map(([method, at, body]) => ({ method, path: at, body, ...described }));

const lists = [
  '/api/Users',
  '/api/Products?sort=-price',
  '/api/Movies?sort=year',
  '/api/Countries?q=a',
].map((at) => ({ method: 'GET', path: at, ...described }));

/** Responses without an end, or late ones, and reports within reports. */
const endless = [
  ['GET', '/api/sse/clock?interval=0'],
  ['GET', '/api/http/drip?bytes=1000&duration=10'],
  ['GET', '/api/http/bytes/104857600'],
  ['GET', '/api/http/encoding/identity?size=104857600'],
  ['GET', '/api/http/redirect/loop'],
  ['GET', '/api/http/stream/1000?interval=1'],
  ['GET', '/api/Books?delay=10'],
  ['GET', '/api/sandbox/faults/log?wait=60'],
  ['POST', `${path}/reports`],
].map(([method, at]) => ({
  method,
  path: at,
  ...(method === 'POST' && { body: { method: 'POST', path: at, body: {}, ...described } }),
  ...described,
}));

/** @param {readonly object[]} reports */
const reporting = (reports) => ({
  prepare: switchOn,
  run: (
    /** @type {import('../../attacker.js').Attacker} */ attacker,
    /** @type {import('../../attacker.js').RequestParts} */ parts,
  ) =>
    attacker.repeat(20, (/** @type {number} */ turn) =>
      attacker.send('POST', `${path}/reports`, reports[turn % reports.length], parts),
    ),
});

export const bugReportAttacks = attacksOf(
  {
    'reports of bugs with bodies of 900 KiB, on 20 connections': reporting(large),
    'reports of bugs in lists, on 20 connections': reporting(lists),
    'reports of bugs in responses without an end, on 20 connections': reporting(endless),
  },
  { reaches: 200 },
);
