/** Compiles every object and event that the area produces with the types of the pinned SDK. */

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pinned } from '../../src/areas/payments/pages/index-page.js';
import { isDeep } from '../support/case-count.js';
import { frugal } from '../support/frugal-compiler.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { travel } from './support/journey.js';

const service = useService();
const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = join(root, 'test/node_modules');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-payments-'));
  symlinkSync(packages, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Types by the member `object`. */
const types: Readonly<Record<string, string>> = {
  balance: 'Balance',
  balance_transaction: 'BalanceTransaction',
  charge: 'Charge',
  'checkout.session': 'Checkout.Session',
  coupon: 'Coupon',
  customer: 'Customer',
  dispute: 'Dispute',
  event: 'Event',
  invoice: 'Invoice',
  invoice_payment: 'InvoicePayment',
  invoiceitem: 'InvoiceItem',
  item: 'LineItem',
  line_item: 'InvoiceLineItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  price: 'Price',
  product: 'Product',
  promotion_code: 'PromotionCode',
  'radar.early_fraud_warning': 'Radar.EarlyFraudWarning',
  refund: 'Refund',
  setup_intent: 'SetupIntent',
  subscription: 'Subscription',
  subscription_item: 'SubscriptionItem',
  'test_helpers.test_clock': 'TestHelpers.TestClock',
  token: 'Token',
  webhook_endpoint: 'WebhookEndpoint',
};

/** Types of objects that were deleted. */
const deletedTypes = [
  'Coupon',
  'Customer',
  'Invoice',
  'InvoiceItem',
  'Product',
  'SubscriptionItem',
];

function typeOf({ object, deleted }: Readonly<Record<string, unknown>>): string {
  if (object === 'error') return 'StripeRawError';
  const type = types[String(object)] ?? 'Unknown';
  return deleted === true ? `Deleted${type}` : type;
}

/** Returns the errors of the compiler, each with the value that it is about. */
function compile(values: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const lines = values.map((value) => {
    const type = typeOf(value);
    if (type !== 'StripeRawError')
      return `void (${JSON.stringify(value)} satisfies Stripe.${type});`;
    // The SDK's type of what arrives lacks two documented members.
    const { object: _, doc_url: url, advice_code: advice, ...error } = value;
    expect([typeof url, typeof (advice ?? '')]).toEqual(['string', 'string']);
    return `void (${JSON.stringify(error)} satisfies Stripe.StripeRawError);`;
  });
  writeFileSync(
    join(folder, 'values.ts'),
    ["import type Stripe from 'stripe';", ...lines].join('\n'),
  );
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023'];
  const modules = ['--module', 'nodenext', '--types', ''];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, [...options, ...modules, ...frugal.args, 'values.ts'], {
    cwd: folder,
    env: frugal.env,
    encoding: 'utf8',
  });
  return stdout.split(/\n(?=\S)/).flatMap((error) => {
    const [, line = '0'] = /^values\.ts[(:](\d+)/.exec(error) ?? [];
    return error.trim() === ''
      ? []
      : [`${error}\n${lines[Number(line) - 2]?.slice(0, 2000) ?? ''}`];
  });
}

test('the SDK is installed in its pinned version, with the pinned version of the API', () => {
  const read = (name: string) => readFileSync(join(packages, 'stripe', name), 'utf8');
  expect(JSON.parse(read('package.json')).version).toBe(pinned.stripe);
  expect(read('cjs/apiVersion.js')).toContain(`'${pinned.apiVersion}'`);
});

test('every object and event has the type of the SDK', async () => {
  const values = await travel(clientOf(service, 'types'), service);
  const objects = new Set(values.map(({ object }) => object));
  expect(Object.keys(types).filter((name) => !objects.has(name))).toEqual([]);
  const deleted = new Set(values.filter((each) => each.deleted === true).map(typeOf));
  const wanted = [...deletedTypes, 'WebhookEndpoint'].map((name) => `Deleted${name}`);
  expect([...deleted].toSorted()).toEqual(wanted.toSorted());
  expect(values.filter(({ object }) => object === 'error')).toHaveLength(4);
  const events = values.filter(({ object }) => object === 'event');
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(50);
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  expect(compile(unique)).toEqual([]);
});

test('a wrong value does not compile', () => {
  expect(compile([{ object: 'balance' }, { object: 'coupon', id: 'a', other: 1 }])).toHaveLength(2);
});

/** Faults and races cause other values than a journey does. A run of all tests of payments takes minutes. */
test.runIf(isDeep)('each object that the tests of payments produce has its type', () => {
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const keeper = new URL('support/keep-values.js', import.meta.url).href;
  const files = readdirSync(join(root, 'test/payments'))
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('types.'))
    .map((name) => `test/payments/${name}`);
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'memory', ...files], {
    cwd: root,
    env: { ...process.env, PRACTICE_KEPT_PAYMENTS: kept, NODE_OPTIONS: `--import ${keeper}` },
    stdio: 'ignore',
  });
  expect(status).toBe(0);
  const lines = readdirSync(kept).flatMap((name) =>
    readFileSync(join(kept, name), 'utf8').trim().split('\n'),
  );
  const values = [...new Set(lines)].map((line) => JSON.parse(line));
  expect(values.length).toBeGreaterThan(500);
  expect(compile(values)).toEqual([]);
});
