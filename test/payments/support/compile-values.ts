/** Compiles values of the area with the types of the pinned SDK. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { frugal } from '../../support/frugal-compiler.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const packages = join(root, 'test/node_modules');

export let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-payments-'));
  symlinkSync(packages, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Types by the member `object`. */
export const types: Readonly<Record<string, string>> = {
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
export const deletedTypes = [
  'Coupon',
  'Customer',
  'Invoice',
  'InvoiceItem',
  'Product',
  'SubscriptionItem',
];

/** Types of objects that others hold. */
const heldTypes: Readonly<Record<string, string>> = {
  card: 'Card',
  discount: 'Discount',
  plan: 'Plan',
};

export function typeOf(value: Readonly<Record<string, unknown>>): string {
  const { object, deleted } = value;
  if (object === 'error') return 'StripeRawError';
  const type = types[String(object)] ?? heldTypes[String(object)] ?? 'Unknown';
  return deleted === true ? `Deleted${type}` : type;
}

/** Returns the errors of the compiler, each with the value that it is about. */
export function compile(values: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const lines = values.map((value) => {
    const type = typeOf(value);
    if (type !== 'StripeRawError') {
      // A publishable key gets less than the SDK's type has.
      const isPublic = type === 'PaymentIntent' && !('metadata' in value);
      const whole = `Stripe.${type}`;
      const shown = isPublic ? `Omit<${whole}, 'customer' | 'metadata'>` : whole;
      return `void (${JSON.stringify(value)} satisfies ${shown});`;
    }
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
