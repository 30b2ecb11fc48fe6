/** Requests within all limits, each as large as allowed; none may block the event loop for long. */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../attacker.js';

const width = 6;
const mebibyte = 1024 * 1024;
const sandbox = 'lawful';
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';

/** @template Value @param {number} count @param {(index: number) => Value} make */
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** @param {number} count @param {(index: number) => unknown} make @param {string} [name] */
const members = (count, make, name = 'n') =>
  Object.fromEntries(many(count, (index) => [`${name}${index}`, make(index)]));

/**
 * Sends requests to one sandbox of one account.
 *
 * @param {import('../attacker.js').Attacker} attacker
 */
function ownSandbox(attacker) {
  /** @param {string} method @param {string} path @param {import('../attacker.js').RequestParts} [parts] */
  const ask = (method, path, { headers, ...parts } = {}) =>
    attacker.ask(method, path, {
      ...attacker.sameAccount,
      ...parts,
      headers: { 'X-Sandbox': sandbox, ...headers },
    });
  /** @param {string} method @param {string} path @param {unknown} value @param {string} [type] */
  const send = (method, path, value, type = 'application/json') =>
    ask(method, path, { headers: { 'Content-Type': type }, body: JSON.stringify(value) });
  return { ask, send };
}

/**
 * Makes an attack on own data, which is loaded first.
 *
 * @param {string} name
 * @param {() => unknown} data
 * @param {(own: ReturnType<typeof ownSandbox>, turn: number) => Promise<unknown>} step
 * @returns {import('../attacker.js').Attack}
 */
function onOwnData(name, data, step) {
  return {
    name: `lawful: ${name}`,
    reaches: [200, 201, 207, 400],
    async prepare(attacker) {
      const { status, text } = await ownSandbox(attacker).send('PUT', '/api/sandbox/data', data());
      if (status !== 200) throw new Error(`The data was rejected: ${status} ${text}`);
    },
    async run(attacker) {
      const own = ownSandbox(attacker);
      await attacker.repeat(width, (turn) => step(own, turn));
    },
  };
}

/** @param {string} accept @param {string} path */
const listAs =
  (accept, path) =>
  (/** @type {ReturnType<typeof ownSandbox>} */ { ask }) =>
    ask('GET', path, { headers: { Accept: accept } });

const smallRecords = () => ({
  c: many(9_500, (index) => ({ id: index + 1, a: 'x'.repeat(200), b: index % 3, d: index })),
});
const oneRecord = (/** @type {unknown} */ value) => ({ c: [{ id: 1, a: value }] });
const wideParents = () => ({
  users: many(2, (index) => ({ id: index + 1, ...members(19_000, (each) => each) })),
  posts: many(9_900, (index) => ({ id: index + 1, userId: (index % 2) + 1, a: 'x'.repeat(100) })),
});
const accents = (/** @type {number} */ pairs) => `a${'\u0301\u0316'.repeat(pairs)}`;

/** @param {number} length @param {(index: number) => string} make */
function longQuery(length, make) {
  let query = '';
  for (let index = 0; query.length < length; index++) query += `&${make(index)}`;
  return query.slice(1);
}

const dataAttacks = [
  onOwnData(
    'unknown parameters, beside fields with names of 5,000 characters',
    () => ({ c: [{ id: 1, ...members(990, (index) => index, 'n'.repeat(5_000)) }] }),
    ({ ask }) => ask('GET', `/my/c/count?${longQuery(14_000, (index) => `z${index}`)}`),
  ),
  onOwnData('2,500 limits on one field of 9,500 records', smallRecords, ({ ask }) =>
    ask('GET', `/my/c/count?${longQuery(15_000, () => 'a_gte=')}`),
  ),
  onOwnData(
    'filters and sorts by each of 500 fields',
    () => ({ c: many(900, (index) => ({ id: index + 1, ...members(500, () => 1) })) }),
    ({ ask }, turn) => {
      const sort = many(450, (index) => `n${index}`).join(',');
      const filters = longQuery(14_000, (index) => `n${index % 480}_ne=2`);
      return ask('GET', turn % 2 ? `/my/c?limit=1&sort=${sort}` : `/my/c/count?${filters}`);
    },
  ),
  onOwnData(
    "filters, patterns, sorts and embedding by json-server's parameters",
    () => ({ ...smallRecords(), others: many(400, (index) => ({ id: index + 1, cId: 1 })) }),
    ({ ask, send }, turn) => {
      const embeds = longQuery(300, (index) => `_embed=others${index % 3 || ''}`);
      const queries = [
        longQuery(7_000, (index) => `a_like=(x%7Cy%7C${index}){1,90}$`),
        longQuery(1_000, (index) => `a_like=^(x%7Cxx)*${index % 7}$`),
        longQuery(7_500, (index) => `d_gte=${index}`),
        longQuery(3_000, (index) => `n${index % 90}_ne=1`),
        `_sort=${many(10, () => 'b').join(',')}&q=x`,
        `${embeds}&_expand=c&_limit=9000`,
        `v=1&_where=${encodeURIComponent(JSON.stringify({ or: many(90, () => ({ d: { gt: 1 } })) }))}`,
      ];
      return turn % 8 === 7
        ? send('POST', '/json-server/others', { cId: turn })
        : ask('GET', `/json-server/c?${queries[turn % 8]}`);
    },
  ),
  onOwnData(
    'combining marks that are searched and sorted',
    () => ({ c: many(2, (index) => ({ id: index + 1, a: accents(600_000) + index })) }),
    ({ ask }, turn) => ask('GET', turn % 2 ? '/my/c/count?q=x' : '/my/c?limit=1&sort=a'),
  ),
  onOwnData(
    'a record of 240,000 objects as YAML',
    () => oneRecord(many(240_000, () => ({ a: 1 }))),
    listAs('application/yaml', '/my/c'),
  ),
  onOwnData(
    'a text of 5 MiB that XML must escape',
    () => oneRecord('&'.repeat(5 * mebibyte - 100)),
    listAs('application/xml', '/my/c'),
  ),
  onOwnData(
    'parents of 19,000 fields as CSV',
    wideParents,
    listAs('text/csv', '/my/posts?embed=user'),
  ),
  onOwnData(
    'batches of patches to a record of 49,000 values',
    () => oneRecord(many(49_000, () => 1)),
    ({ send }) => {
      const operation = { method: 'PATCH', id: 1, ifMatch: '"x"', body: { z: 1 } };
      return send('POST', '/my/c/batch', { operations: many(100, () => operation) });
    },
  ),
  onOwnData(
    'patches to a record of 280,000 members, and its changes',
    () => oneRecord(members(140, () => members(2_000, (index) => index))),
    ({ ask, send }, turn) =>
      turn % 4 === 0
        ? ask('GET', '/my/c/changes?since=c0')
        : send('PATCH', '/my/c/1', { z: turn }, mergePatch),
  ),
  onOwnData(
    'JSON patches that copy, and lead deep',
    () => oneRecord([1]),
    ({ send }, turn) => {
      const doubling = many(200, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
      const deep = [{ op: 'add', path: `/${'a/'.repeat(500_000)}`, value: 1 }];
      return send('PATCH', '/my/c/1', turn % 2 ? doubling : deep, jsonPatch);
    },
  ),
];

const subscription = JSON.stringify({
  query: 'subscription { todoChanged { kind todo { id title user { name } } } }',
});
const subscribers = 1_500;
const quietMs = 1_500;

/** @type {readonly import('../attacker.js').Attack[]} */
export const lawfulAttacks = [
  ...dataAttacks,
  ...attacksOf(
    {
      'lawful: combining marks as the name at a login': async (attacker) => {
        const credentials = { username: accents(200_000), password: 'x' };
        await attacker.repeat(width, () =>
          attacker.send('POST', '/api/auth/jwt/login', credentials),
        );
      },
      [`lawful: batches that ${subscribers.toLocaleString('en')} subscriptions watch`]: {
        async prepare(attacker) {
          const type = { 'Content-Type': 'application/json' };
          const headers = { ...type, 'X-Sandbox': sandbox, Accept: 'text/event-stream' };
          const parts = { ...attacker.sameAccount, headers, body: subscription };
          let begun = 0;
          await attacker.openMany(subscribers, (socket) => {
            // Each stream begins with a comment.
            socket.once('data', () => begun++);
            socket.resume();
            socket.write(attacker.bytes('POST', '/graphql', parts));
          });
          while (begun < subscribers) await sleep(50);
        },
        async run(attacker) {
          const todo = { method: 'POST', body: { userId: 1, title: 'x', completed: false } };
          const { send } = ownSandbox(attacker);
          await attacker.repeat(1, async () => {
            await send('POST', '/api/Todos/batch', { operations: many(100, () => todo) });
            // All of them have read, and wait again.
            await sleep(quietMs);
          });
        },
      },
    },
    { reaches: [207, 401, 429] },
  ),
];
