/**
 * Runs one attacker in a separate process: prepares, waits for the start, attacks, reports, and
 * resets its connections.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Attacker, attackOnce } from './attacker.js';
import { attacks } from './attacks/all-attacks.js';

/** How much longer than planned an attack may run before it is ended. */
const graceMs = 240_000;

const [, , name, text = ''] = process.argv;
/** @type {import('./attacker.js').Circumstances} */
const circumstances = JSON.parse(text);
const attack = attacks.find((each) => each.name === name);
if (attack === undefined) throw new Error(`Unknown attack: ${name}.`);

process.on('disconnect', () => process.exit(1));
setTimeout(() => process.exit(1), circumstances.seconds * 1000 + graceMs).unref();

const attacker = new Attacker(circumstances);
await attacker.signUp();
const prepared = await attack.prepare?.(attacker);
await new Promise((resolve) => {
  process.once('message', resolve);
  process.send?.('ready');
});
const complaints = await attackOnce(attacker, attack, prepared);
await sleep(50);
process.send?.({ complaints }, () => process.exit());
