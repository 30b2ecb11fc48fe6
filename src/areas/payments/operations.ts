/** All operations on objects. */

import { checkoutOperations, lineItemsOf, sessionPaid } from './billing/checkout.js';
import { clockOperations } from './billing/clocks.js';
import { invoiceOperations, paymentsOf, refreshInvoice } from './billing/invoices.js';
import { itemOperations } from './billing/lines.js';
import { promotionOperations } from './billing/promotion-codes.js';
import {
  cancelAll,
  invoiceNotPaid,
  invoiceSucceeded,
  subscriptionOperations,
  subscriptionsOf,
} from './billing/subscriptions.js';
import type { Operations } from './engine/call.js';
import type { Included } from './engine/expand.js';
import type { Reactions } from './engine/ledger.js';
import { catalogOperations } from './objects/catalog.js';
import { chargeOperations, refundsOf } from './objects/charges.js';
import { customerOperations } from './objects/customers.js';
import { disputeOperations } from './objects/disputes.js';
import { intentOperations } from './objects/payment-intents.js';
import { paymentMethodOperations } from './objects/payment-methods.js';
import { refundOperations } from './objects/refunds.js';
import { setupOperations } from './objects/setup-intents.js';
import { tokenOperations } from './objects/tokens.js';

export const operations: Operations = {
  ...customerOperations(cancelAll),
  ...catalogOperations,
  ...promotionOperations,
  ...paymentMethodOperations,
  ...intentOperations,
  ...setupOperations,
  ...chargeOperations,
  ...tokenOperations,
  ...refundOperations,
  ...disputeOperations,
  ...itemOperations(refreshInvoice),
  ...invoiceOperations,
  ...subscriptionOperations,
  ...checkoutOperations,
  ...clockOperations,
};

/** Operations for which a publishable key is sufficient, with the secret of the intent. */
export const publishable: readonly string[] = [
  'payment_method.create',
  'token.create',
  'payment_intent.retrieve',
  'payment_intent.confirm',
  'setup_intent.retrieve',
  'setup_intent.confirm',
];

export const reactions: Reactions = {
  paid(ledger, intent) {
    if (intent._invoice) invoiceSucceeded(ledger, intent);
    sessionPaid(ledger, ledger.get('payment_intent', intent.id));
  },
  failed(ledger, intent) {
    if (intent._invoice) invoiceNotPaid(ledger, intent);
  },
};

export const included: Included = {
  'charge.refunds': refundsOf,
  'checkout.session.line_items': lineItemsOf,
  'customer.subscriptions': subscriptionsOf,
  'invoice.payments': paymentsOf,
  'invoice.confirmation_secret': (ledger, { id }) =>
    ledger.find('invoice', id)?.confirmation_secret ?? null,
};
