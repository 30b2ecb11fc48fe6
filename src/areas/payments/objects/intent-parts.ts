/** Parts that payment intents and setup intents share. */

import { checkUrl } from '../engine/call.js';
import type { Ledger } from '../engine/ledger.js';
import { type Params, type Stored, type Value, visible } from '../engine/objects.js';
import { ApiError, invalidRequest, noSuch } from '../wire/errors.js';
import { createPaymentMethod, paymentMethodFor } from './payment-methods.js';

/** Returns the payment method that a request names or describes; `undefined` without one. */
export function methodFrom(
  ledger: Ledger,
  { payment_method: id, payment_method_data: data }: Params,
  customer: Value,
): Stored | undefined {
  if (id && data) {
    throw invalidRequest(
      'Send only one of these parameters: payment_method, payment_method_data.',
      {
        code: 'parameters_exclusive',
      },
    );
  }
  if (data) return createPaymentMethod(ledger, data, 'payment_method_data');
  return id ? paymentMethodFor(ledger, id, { customer: customer ?? null }) : undefined;
}

export function automaticMethods({
  automatic_payment_methods: given,
  payment_method_types: types,
}: Params): Value {
  if (given && types) {
    throw invalidRequest(
      'Send only one of these parameters: automatic_payment_methods, payment_method_types.',
      { code: 'parameters_exclusive' },
    );
  }
  if (types) return null;
  const { enabled = true, allow_redirects = 'always' } = given ?? {};
  return enabled ? { allow_redirects, enabled } : null;
}

export function checkTypes(types: readonly string[] | undefined): void {
  const unknown = types?.findIndex((type) => type !== 'card') ?? -1;
  if (unknown < 0) return;
  throw invalidRequest(
    `The payment method type "${types?.[unknown]?.slice(0, 40)}" is invalid. This service offers card.`,
    { code: 'payment_intent_invalid_parameter', param: `payment_method_types[${unknown}]` },
  );
}

/** Throws 400 for a URL to which a browser cannot return. */
export function checkReturnUrl(url: Value): void {
  checkUrl(url, 'return_url');
  if (!url || /^https?:/i.test(url)) return;
  throw invalidRequest('This service offers only http and https.', { param: 'return_url' });
}

/** A publishable key needs the secret of the intent, and must not see other members. */
export function checkSecret(
  intent: Stored,
  { client_secret: secret }: Params,
  isPublishable: boolean,
): void {
  if (!isPublishable && secret === undefined) return;
  if (secret === intent.client_secret) return;
  const what = intent.object;
  if (secret === undefined) {
    throw invalidRequest(`Missing required param: client_secret.`, {
      ...{ code: 'parameter_missing', param: 'client_secret' },
    });
  }
  throw noSuch(what, intent.id, 'client_secret');
}

/** Returns the error of a state that forbids an operation. */
export function forbidden(
  intent: Stored,
  [act, past]: readonly [act: string, past: string],
  allowed: readonly string[],
): ApiError {
  const isPayment = intent.object === 'payment_intent';
  const name = isPayment ? 'PaymentIntent' : 'SetupIntent';
  const message =
    act === 'capture'
      ? `This ${name} could not be captured because it has a status of ${intent.status}.`
      : `You cannot ${act} this ${name} because it has a status of ${intent.status}.`;
  const code = isPayment ? 'payment_intent_unexpected_state' : 'setup_intent_unexpected_state';
  return new ApiError(
    `${message} Only a ${name} with one of the following statuses may be ${past}: ${allowed.join(', ')}.`,
    { code, [intent.object]: visible(intent) },
  );
}

export const cancelable = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
] as const;

export const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
