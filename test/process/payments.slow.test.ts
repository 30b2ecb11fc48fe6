/** Payments after a kill of the program, and card numbers in its memory. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endPrograms, runProgram } from '../support/run-program.js';
import { send } from '../support/service.js';
import { stateTimeOf, useFolder } from '../support/state-file.js';

endPrograms();
const pathOf = useFolder();

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const payment =
  'amount=1000&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';

const headers = (sandbox: string, key?: string) => ({
  ...form,
  authorization: `Bearer sk_test_${sandbox}`,
  ...(key !== undefined && { 'idempotency-key': key }),
});

test('a key charges once, although the program is killed after its state was written', async () => {
  const path = pathOf('payments.json');
  const flags = ['--port', '0', '--state-file', path];
  const first = runProgram(flags);
  const url = await first.started;
  const pay = (at: string) =>
    send(at, 'POST /v1/payment_intents', { headers: headers('killed', 'order-1'), body: payment });
  const { json } = await pay(url);
  expect(json.status).toBe('succeeded');
  const paidAtMs = Date.now();
  await expect.poll(() => stateTimeOf(path) ?? 0).toBeGreaterThan(paidAtMs);
  first.process.kill('SIGKILL');
  await first.ended;
  const second = runProgram(flags);
  const again = await second.started;
  const repeated = await pay(again);
  expect(repeated.json.id).toBe(json.id);
  expect(repeated.headers['idempotent-replayed']).toBe('true');
  const charges = await send(again, 'GET /v1/charges', { headers: headers('killed') });
  expect(charges.json.data).toHaveLength(1);
});

/** A number of a real form, whose check digit is right. */
const number = '4539578763621486';

test('the memory, the log and the files of the program have no card number', async () => {
  const folder = pathOf('');
  const program = runProgram(['--port', '0', '--log-level', 'trace'], {
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
  });
  const url = await program.started;
  const sandbox = { 'x-sandbox': 'memory' };
  await send(url, 'PUT /api/sandbox/recording', { headers: sandbox, json: { on: true } });
  const card = `card[number]=${number}&card[exp_month]=12&card[exp_year]=2034`;
  for (const [path, body] of [
    ['payment_methods', `type=card&${card}`],
    ['tokens', card],
    [
      'payment_intents',
      `amount=900&currency=usd&payment_method_data[type]=card&payment_method_data[card][number]=${number}`,
    ],
  ]) {
    const sent = { headers: headers('memory'), body: body ?? '' };
    expect((await send(url, `POST /v1/${path}`, sent)).status).toBe(402);
  }
  // The last texts of a parser stay until others replace them.
  for (let count = 0; count < 50; count++) {
    const body = `name=${'n'.repeat(60)}`;
    await send(url, 'POST /v1/customers', { headers: headers('memory'), body });
  }
  const snapshots = () => readdirSync(folder).filter((name) => name.endsWith('.heapsnapshot'));
  program.process.kill('SIGUSR2');
  await expect.poll(() => snapshots().length, { timeout: 60_000 }).toBe(1);
  let snapshot = '';
  // The file grows until it is a whole JSON text.
  while (!/\]\s*\}\s*$/.test(snapshot.slice(-100))) {
    await sleep(200);
    snapshot = readFileSync(`${folder}/${snapshots()[0]}`, 'utf8');
  }
  expect(snapshot).toContain('sk_test_');
  expect(snapshot).not.toContain(number);
  const { stdout, stderr } = program.output();
  expect(stdout + stderr).not.toContain(number);
});
