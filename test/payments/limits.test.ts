/** The limits of the API: a request of exactly their size, and one beyond. */

import { beforeAll, expect, test } from 'vitest';
import { Ledger } from '../../src/areas/payments/engine/ledger.js';
import { createMemoryState } from '../../src/state/memory/memory-state.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const stripe = clientOf(service, 'limits');

let customer = '';
let product = '';
beforeAll(async () => {
  ({ id: customer } = await stripe.customers.create({ payment_method: 'pm_card_visa' }));
  ({ id: product } = await stripe.products.create({ name: 'Tea' }));
});

const times = (count: number, part: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => part(place)).join('&');

const inline = (place: number, parent: string) =>
  `${parent}[${place}][price_data][currency]=usd&${parent}[${place}][price_data][product]=${product}&${parent}[${place}][price_data][unit_amount]=100&${parent}[${place}][quantity]=1`;

type Case = readonly [
  what: string,
  size: number,
  target: string,
  form: (size: number) => string,
  status?: number,
];

const customers = 'POST /v1/customers';
const cases: readonly Case[] = [
  ['parameters', 1000, customers, (size) => times(size, () => 'name=A')],
  ['brackets', 8, customers, (size) => `metadata${'[a]'.repeat(size)}=1`, 400],
  ['characters of a text', 5000, customers, (size) => `name=${'n'.repeat(size)}`],
  [
    'items of a list',
    100,
    customers,
    (size) => times(size, (place) => `preferred_locales[${place}]=en`),
  ],
  ['keys of metadata', 50, customers, (size) => times(size, (place) => `metadata[a${place}]=1`)],
  ['characters of a key of metadata', 40, customers, (size) => `metadata[${'k'.repeat(size)}]=1`],
  [
    'characters of a value of metadata',
    500,
    customers,
    (size) => `metadata[k]=${'v'.repeat(size)}`,
  ],
  ['expansions', 20, customers, (size) => times(size, () => 'expand[]=subscriptions')],
  [
    'levels of an expansion',
    4,
    customers,
    (size) => `expand[]=subscriptions${'.data'.repeat(1)}${'.customer'.repeat(size - 2)}`,
  ],
  [
    'the largest amount',
    99_999_999,
    'POST /v1/payment_intents',
    (size) => `currency=usd&amount=${size}`,
  ],
  [
    'lines of a session',
    100,
    'POST /v1/checkout/sessions',
    (size) =>
      `mode=payment&success_url=https://a.example&${times(size, (place) => inline(place, 'line_items'))}`,
  ],
  ['objects of a page', 100, 'GET /v1/customers?limit=', String],
  [
    'clauses of a search',
    10,
    'GET /v1/customers/search?query=',
    (size) => encodeURIComponent(Array(size).fill('name:"A"').join(' AND ')),
  ],
  [
    'characters of a search',
    1000,
    'GET /v1/customers/search?query=',
    (size) => encodeURIComponent('name:"A" AND name:"B"'.padEnd(size, ' ')),
  ],
];

async function statusOf(target: string, form: string): Promise<number> {
  const isGet = target.startsWith('GET');
  const { status } = await service.send(isGet ? target + form : target, {
    headers: {
      authorization: 'Bearer sk_test_limits',
      ...(!isGet && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(!isGet && { body: form }),
  });
  return status;
}

test.each(cases.map((each) => [each[0], each] as const))('%s', async (_what, each) => {
  const [, size, target, form, status = 200] = each;
  expect(await statusOf(target, form(size))).toBe(status);
  expect(await statusOf(target, form(size + 1))).toBe(400);
});

test('brackets beyond the limit are named', async () => {
  const { json } = await service.send(customers, {
    headers: {
      authorization: 'Bearer sk_test_limits',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `metadata${'[a]'.repeat(9)}=1`,
  });
  expect(json.error.message).toBe('A parameter has at most 8 brackets.');
});

test('the smallest amount is 50', async () => {
  expect(await statusOf('POST /v1/payment_intents', 'currency=usd&amount=50')).toBe(200);
  expect(await statusOf('POST /v1/payment_intents', 'currency=usd&amount=49')).toBe(400);
});

test('an idempotency key has at most 255 characters', async () => {
  const create = (length: number) =>
    stripe.customers.create({}, { idempotencyKey: 'k'.repeat(length) });
  await create(255);
  await expect(create(256)).rejects.toThrow('at most 255 characters');
});

test('a subscription has at most 20 items', async () => {
  const price_data = {
    currency: 'usd',
    product,
    unit_amount: 100,
    recurring: { interval: 'month' as const },
  };
  const subscribe = (count: number) =>
    stripe.subscriptions.create({
      ...{ customer, payment_behavior: 'default_incomplete' },
      items: Array.from({ length: count }, () => ({ price_data })),
    });
  expect((await subscribe(20)).items.data).toHaveLength(20);
  await expect(subscribe(21)).rejects.toThrow('A subscription has from 1 to 20 items.');
});

test('a sandbox keeps the newest 5000 objects of a type, and the newest 1000 events', async () => {
  const sandbox = createMemoryState({ clock: () => 0 }).sandbox('many');
  const facts = {
    ...{
      seed: 's',
      requestId: null,
      idempotencyKey: null,
      baseUrl: '',
      guide: '',
      isShared: false,
    },
  };
  const reactions = { paid: () => {}, failed: () => {} };
  const create = (count: number, type: string, start: number) =>
    sandbox.transact((view) => {
      const ledger = new Ledger(view, facts, reactions);
      for (let place = start; place < start + count; place++) {
        ledger.create(type, { id: `x_${place}` });
      }
    });
  await create(5000, 'customer', 0);
  await create(1, 'customer', 5000);
  await create(1000, 'event', 0);
  await create(1, 'event', 1000);
  const idsOf = (type: string) =>
    sandbox.transact((view) => new Ledger(view, facts, reactions).all(type).map(({ id }) => id));
  for (const [type, most] of [
    ['customer', 5000],
    ['event', 1000],
  ] as const) {
    const ids = await idsOf(type);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([most, 'x_1', `x_${most}`]);
  }
});

test('a session expires in 30 minutes at the earliest, and in 24 hours at the latest', async () => {
  const create = (seconds: number) => {
    const at = Math.floor(Date.now() / 1000) + seconds;
    const form = `mode=setup&currency=usd&success_url=https://a.example&expires_at=${at}`;
    return statusOf('POST /v1/checkout/sessions', form);
  };
  // A second may pass meanwhile.
  expect(await create(30 * 60 + 2)).toBe(200);
  expect(await create(30 * 60 - 1)).toBe(400);
  expect(await create(24 * 60 * 60)).toBe(200);
  expect(await create(24 * 60 * 60 + 2)).toBe(400);
});
