/** Card numbers that are no test numbers are rejected, and are found nowhere afterwards. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { send } from '../support/service.js';

const folder = await mkdtemp(join(tmpdir(), 'practice-cards-'));
afterAll(() => rm(folder, { recursive: true }));

/** A number of a real form, whose check digit is right. */
const number = '4539578763621486';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('a real card number is in no state, recording, log or response', async () => {
  const stateFile = join(folder, 'state.json');
  const lines: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  const service = await createService({ stateFile });
  const sandbox = { 'x-sandbox': 'cards' };
  const key = { ...sandbox, authorization: 'Bearer sk_test_cards' };
  process.stdout.write = ((text: string) => lines.push(String(text)) > 0) as never;
  const bodies: string[] = [];
  try {
    const recording = await send(service.url, 'PUT /api/sandbox/recording', {
      ...{ headers: sandbox, json: { on: true } },
    });
    expect(recording.status).toBe(200);
    const card = `card[number]=${number}&card[exp_month]=12&card[exp_year]=2034`;
    const calls = [
      ['POST /v1/payment_methods', `type=card&${card}`],
      ['POST /v1/payment_methods', `type=card&card[number]=${number.replace(/(.{4})/g, '$1+')}`],
      ['POST /v1/payment_intents', `amount=${number}0&currency=usd`],
      ['POST /v1/payment_intents', `amount=${number}&currency=usd&${number}=1`],
      [
        'POST /v1/payment_intents',
        `amount=900&currency=usd&payment_method_data[type]=card&payment_method_data[card][number]=${number}`,
      ],
      [`GET /v1/customers?card[number]=${number}`, ''],
      ['POST /v1/tokens', card],
      ['POST /v1/charges', `amount=900&currency=usd&source=${number}`],
      ['POST /v1/payment_intents', `amount=900&currency=usd&payment_method=${number}`],
    ];
    for (const [target = '', body] of calls) {
      const headers = target.startsWith('GET') ? key : { ...key, ...form };
      const response = await send(service.url, target, { headers, ...(body && { body }) });
      expect(response.status).toBeGreaterThanOrEqual(400);
      bodies.push(response.text);
    }
    const first = JSON.parse(bodies[0] ?? '').error;
    expect([first.code, first.decline_code]).toEqual(['card_declined', 'test_mode_live_card']);
    for (const [path, accept] of [
      ['/api/sandbox/requests', 'application/json'],
      ['/api/sandbox/requests', 'application/har+json'],
      ['/v1/events', 'application/json'],
      ['/api/sandbox/payments/findings', 'application/json'],
      ['/api/sandbox/verdicts', 'application/json'],
    ] as const) {
      const read = await send(service.url, `GET ${path}`, { headers: { ...key, accept } });
      expect(read.status).toBe(200);
      bodies.push(read.text);
    }
    // The requests were recorded, in both forms.
    for (const text of bodies.slice(calls.length, calls.length + 2)) {
      expect(text).toContain('/v1/payment_methods');
    }
  } finally {
    process.stdout.write = write;
    await service.close();
  }
  bodies.push(readFileSync(stateFile, 'utf8'), lines.join('\n'));
  for (const text of bodies) expect(text.replace(/[ +-]/g, '')).not.toContain(number);
});

test('a test number is not stored either, only its last digits', async () => {
  const stateFile = join(folder, 'tests.json');
  const service = await createService({ stateFile });
  const { json } = await send(service.url, 'POST /v1/payment_methods', {
    headers: { authorization: 'Bearer sk_test_tests', ...form, 'idempotency-key': 'c2' },
    body: 'type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034&card[cvc]=987',
  });
  expect(json.card.last4).toBe('4242');
  await service.close();
  const state = readFileSync(stateFile, 'utf8');
  expect(state).toContain(json.id);
  expect(state).not.toContain('4242424242424242');
  expect(state).not.toContain('987');
});
