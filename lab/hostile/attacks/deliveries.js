/** Subscriptions with 10,000 waiting deliveries, listeners that never read, and strangers who guess. */

import { randomBytes } from 'node:crypto';
import { attacksOf } from '../attacker.js';

/** @typedef {import('../attacker.js').Attacker} Attacker */

const path = '/api/webhooks/subscriptions';
const mostWaiting = 10_000;
const perBatch = 100;
const mostSubscriptions = 20;

/** @param {Attacker} attacker @param {string} name */
const own = (attacker, name) => ({ ...attacker.sameAccount, headers: { 'X-Sandbox': name } });

/** @param {Attacker} attacker @param {string} name */
async function subscribe(attacker, name, events = ['*']) {
  const wanted = { events, scheme: 'standard-webhooks' };
  const { status, text } = await attacker.send('POST', path, wanted, own(attacker, name));
  if (status !== 201) throw new Error(`No subscription was created: ${status} ${text}`);
  return `${path}/${JSON.parse(text).id}`;
}

/** @param {number} index */
const replacement = (index) => ({
  method: 'PATCH',
  id: 1 + (index % 10),
  body: { title: `Title ${index}` },
});

/** @param {Attacker} attacker */
async function fill(attacker) {
  const target = await subscribe(attacker, 'waiting');
  const operations = Array.from({ length: perBatch }, (_, index) => replacement(index));
  for (let count = 0; count < mostWaiting; count += perBatch) {
    const batch = { operations };
    const parts = own(attacker, 'waiting');
    const { status, text } = await attacker.send('POST', '/api/Books/batch', batch, parts);
    if (status !== 207) throw new Error(`No records were changed: ${status} ${text.slice(0, 200)}`);
  }
  return target;
}

/** @param {number} turn */
const requestAt = (turn) =>
  /** @type {const} */ ([
    ['GET', '/deliveries?wait=0'],
    ['POST', '/replay?since=2020-01-01T00:00:00Z'],
    ['GET', '/deliveries?limit=100'],
    ['GET', '/deliveries?state=failed'],
  ])[turn % 4] ?? ['GET', ''];

export const deliveryAttacks = attacksOf(
  {
    '10,000 waiting deliveries, listed, polled and replayed on 20 connections': {
      reaches: 200,
      prepare: fill,
      run: (attacker, target) =>
        attacker.repeat(20, (turn) => {
          const [method, below] = requestAt(turn);
          return attacker.ask(method, target + below, own(attacker, 'waiting'));
        }),
    },
    '20 subscriptions to everything, while records of 250 KB change': {
      reaches: 200,
      async prepare(attacker) {
        for (let count = 0; count < mostSubscriptions; count++) {
          await subscribe(attacker, 'amplified');
        }
        const parts = own(attacker, 'amplified');
        await attacker.send('PUT', '/api/sandbox/data', { things: [{ id: 1 }] }, parts);
      },
      run: (attacker) =>
        attacker.repeat(10, (turn) =>
          attacker.send(
            'PUT',
            '/my/things/1',
            { filler: String(turn % 10).repeat(250_000) },
            own(attacker, 'amplified'),
          ),
        ),
    },
    '400 listeners that never read, each of which replaces another': {
      // The listener of another connection may still be known.
      reaches: [200, 409],
      async prepare(attacker) {
        const targets = [];
        for (let count = 0; count < mostSubscriptions; count++) {
          targets.push(await subscribe(attacker, 'unread', ['order.*']));
        }
        const data = { filler: 'x'.repeat(200_000) };
        for (const target of targets) {
          for (let id = 0; id < 8; id++) {
            const event = { type: 'order.paid', data: { ...data, id } };
            await attacker.send('POST', `${target}/test`, event, own(attacker, 'unread'));
          }
        }
        return targets.map((target) =>
          attacker.bytes('GET', `${target}/deliveries/stream`, own(attacker, 'unread')),
        );
      },
      run: (attacker, requests) =>
        attacker.openAndReset(400, (socket, index) => {
          socket.pause();
          socket.write(requests[index % requests.length]);
        }),
    },
    'deliveries that are redelivered and reported with the largest headers': {
      reaches: [200, 201],
      prepare: (attacker) => subscribe(attacker, 'reported', ['order.*']),
      async run(attacker, target) {
        const parts = own(attacker, 'reported');
        const headers = Object.fromEntries(
          Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'y'.repeat(780)]),
        );
        const event = { type: 'order.paid', data: { id: 1 } };
        await attacker.repeat(20, async () => {
          const { text } = await attacker.send('POST', `${target}/test`, event, parts);
          const delivery = `${target}/deliveries/${JSON.parse(text).id}`;
          for (let round = 0; round < 12; round++) {
            await attacker.send(
              'POST',
              `${delivery}/attempts`,
              { status: 200, ms: 1, headers },
              parts,
            );
            await attacker.ask('POST', `${delivery}/redeliver`, parts);
          }
        });
      },
    },
    'subscriptions of strangers by trial, on 20 connections': {
      reaches: /Unknown subscription in this sandbox/,
      run: (attacker) =>
        attacker.repeat(20, (turn) => {
          const id = `sub_${randomBytes(18).toString('base64url')}`;
          return attacker.ask(
            'GET',
            `${path}/${id}/deliveries`,
            own(attacker, `victim-${turn % 50}`),
          );
        }),
    },
  },
  { reaches: 200 },
);
