/** Join codes by trial, boards with hostile names, and a class of 200 pupils that is as busy as it can be. */

import { attacksOf } from '../../attacker.js';

const path = '/api/classes';

/**
 * Creates a class; where accounts are required, as the same account each time.
 *
 * @param {import('../../attacker.js').Attacker} attacker
 */
async function createClass(attacker) {
  const { status, text } = await attacker.send(
    'POST',
    path,
    { name: 'Hostile' },
    attacker.sameAccount,
  );
  if (status !== 201) throw new Error(`No class was created: ${status} ${text}`);
  return JSON.parse(text);
}

/**
 * @param {import('../../attacker.js').Attacker} attacker
 * @param {string} joinCode
 * @param {string} name
 */
async function join(attacker, joinCode, name) {
  const { status, text } = await attacker.send('POST', `${path}/join`, { joinCode, name });
  if (status !== 201) throw new Error(`No pupil joined: ${status} ${text}`);
  return new URL(JSON.parse(text).address).pathname;
}

/** @param {import('../../attacker.js').Attacker} attacker */
async function crowd(attacker) {
  const { id, joinCode, teacherKey } = await createClass(attacker);
  const names = Array.from({ length: 200 }, (_, index) => '<'.repeat(30) + index);
  const places = [];
  for (const name of names) places.push(await join(attacker, joinCode, name));
  return { id, headers: { 'X-Teacher-Key': teacherKey }, places };
}

export const classAttacks = attacksOf(
  {
    'join codes by trial, on 20 connections': {
      reaches: /joinCode|join code/i,
      run: (attacker) =>
        attacker.repeat(20, (turn) =>
          attacker.send('POST', `${path}/join`, {
            joinCode: `${turn}AAAAAAAA`.slice(0, 8),
            name: 'x',
          }),
        ),
    },
    'a class of 200 busy pupils, and 100 stalled readers of its board': {
      prepare: crowd,
      async run(attacker, { id, headers, places }) {
        const events = attacker.bytes('GET', `${path}/${id}/events`, { headers });
        await attacker.openMany(100, (socket) => {
          socket.pause();
          socket.write(events);
        });
        await attacker.repeat(20, (turn) =>
          attacker.send(
            'GET',
            `${places[turn % places.length]}/api/Books/1?${'x'.repeat(400)}`,
            undefined,
          ),
        );
      },
    },
  },
  { reaches: 200 },
);
