/** Debian's SDK of Stripe for Python: customers, cards, 3D Secure, subscriptions, refunds and events. */

import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const python = foreignProgram('stripe');
const script = fileURLToPath(new URL('payments.py', import.meta.url));

python.test('the SDK for Python works unchanged, and no judge blames it', async () => {
  const seen = JSON.parse(await python.run(script, service.url, 'python'));
  expect(seen).toMatchObject({
    ...{ paged: 25, searched: ['Customer 7'], paid: ['succeeded', 'charge', 2000] },
    declined: ['CardError', 'card_declined', 402, null],
    unknown: ['InvalidRequestError', 'resource_missing', 404, 'id'],
    mistake: ['InvalidRequestError', 'parameter_invalid_integer', 400, 'amount'],
    ...{ secure: 'succeeded', keyed: 1, trial: 'trialing', active: ['active', 1800] },
    refund: ['succeeded', 500],
  });
  expect(seen.conflict.slice(0, 1)).toEqual(['IdempotencyError']);
  // Only the first event of each object is due.
  expect(seen.events).toEqual(['charge.succeeded', 'payment_intent.created']);
  const { json } = await service.send('GET /api/sandbox/payments/findings', {
    headers: { 'x-sandbox': 'python' },
  });
  const outcomes = json.rules.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes).not.toContain('broken');
});

python.test('a lost response is repeated with the key of the SDK', async () => {
  const headers = { 'x-sandbox': 'python-lost' };
  const json = {
    rules: [
      {
        match: { method: 'POST', path: '/v1/payment_intents' },
        sequence: [{ reset: true, after: true }],
      },
    ],
  };
  await service.send('PUT /api/sandbox/faults', { headers, json });
  const code = [
    'import stripe, sys',
    'stripe.api_base, stripe.max_network_retries = sys.argv[1], 2',
    "stripe.api_key = 'sk_test_python-lost'",
    "stripe.PaymentIntent.create(amount=900, currency='usd', payment_method_types=['card'],",
    "    payment_method='pm_card_visa', confirm=True)",
    'print(len(stripe.Charge.list().data))',
  ].join('\n');
  expect((await python.run('-c', code, service.url)).trim()).toBe('1');
  const { json: found } = await service.send('GET /api/sandbox/payments/findings', { headers });
  const rule = found.rules.find((each: { rule: string }) => each.rule === 'one-key-per-payment');
  expect(rule.outcome).toBe('kept');
});

python.test('the line of the page for Python works as it is written', async () => {
  const { json } = await service.send('GET /payments');
  const code = [
    'import stripe',
    json.clients.Python.replace('{sandbox}', 'python-line'),
    "print(stripe.Customer.create(name='Dora').name)",
  ].join('\n');
  expect((await python.run('-c', code)).trim()).toBe('Dora');
});
