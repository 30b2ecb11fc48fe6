/** Compiles values of the area with the types of the pinned SDK. */

import { expect } from 'vitest';
import { compileLines } from '../../support/compile-types.js';

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
  return compileLines("import type Stripe from 'stripe';", lines);
}
