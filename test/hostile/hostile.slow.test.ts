/** The short form of `npm run hostile` at built services: an eighth of the attacks in turn. */

import { expect, test } from 'vitest';
import { attacks } from '../../lab/hostile/attacks/all-attacks.js';
import {
  canRun,
  describeMode,
  modes,
  planAttacks,
  runAttack,
} from '../../lab/hostile/run-attack.js';
import { findHaproxy } from '../../scripts/start-proxy.js';
import { everyNth } from '../support/every-third.js';
import { builtProgram } from '../support/run-program.js';

const haproxy = findHaproxy();
const plan = planAttacks(attacks, {
  isShort: true,
  isPossible: (mode) => canRun(mode, haproxy),
}).map(({ attack, mode }) => ({ attack, mode, title: `${attack.name} (${describeMode(mode)})` }));

// Several at once, because each waits for its service to start and to settle.
test.concurrent.for(everyNth(plan, 8))(
  'the service withstands: $title',
  { timeout: 300_000 },
  async ({ attack, mode }, { expect }) => {
    const options = { program: builtProgram, haproxy, seconds: 0.5, isShort: true, isTimed: false };
    let { complaints } = await runAttack(attack, mode, options);
    // Work that blocks does so each time; what other processes cause does not repeat.
    if (complaints.length === 1 && complaints[0]?.includes('event loop was blocked')) {
      ({ complaints } = await runAttack(attack, mode, options));
    }
    expect(complaints).toEqual([]);
  },
);

test('every way to reach the service is attacked', () => {
  const attacked = new Set(plan.map(({ mode }) => describeMode(mode)));
  expect([...attacked].sort()).toEqual(
    modes
      .filter((mode) => canRun(mode, haproxy))
      .map(describeMode)
      .sort(),
  );
});
