/** The states of payment intents, and every transition between them. */

import { expect, test } from 'vitest';
import { testCards } from '../../src/areas/payments/engine/declarations.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { walk } from './support/graph.js';
import { authenticate } from './support/journey.js';

const service = useService();
const stripe = clientOf(service, 'graph');

const basis = { amount: 3000, currency: 'usd', payment_method_types: ['card'] };

type Step = (id: string) => Promise<unknown>;

const confirmWith =
  (card: string): Step =>
  (id) =>
    stripe.paymentIntents.confirm(id, { payment_method: `pm_card_${card}` });

/** Ways into each state. */
const ways = {
  requires_payment_method: () => stripe.paymentIntents.create(basis),
  requires_confirmation: () =>
    stripe.paymentIntents.create({ ...basis, payment_method: 'pm_card_visa' }),
  requires_action: () =>
    stripe.paymentIntents.create({
      ...{ ...basis, payment_method: 'pm_card_authenticationRequired', confirm: true },
    }),
  requires_capture: () =>
    stripe.paymentIntents.create({
      ...{ ...basis, payment_method: 'pm_card_visa', confirm: true, capture_method: 'manual' },
    }),
  succeeded: () =>
    stripe.paymentIntents.create({ ...basis, payment_method: 'pm_card_visa', confirm: true }),
  canceled: async () => {
    const { id } = await stripe.paymentIntents.create(basis);
    return stripe.paymentIntents.cancel(id);
  },
};

const page =
  (outcome: 'complete' | 'fail'): Step =>
  async (id) => {
    const { next_action: action } = await stripe.paymentIntents.retrieve(id);
    await authenticate(service, action, outcome);
  };

const steps: Readonly<Record<string, Step>> = {
  'confirm with a card that succeeds': confirmWith('visa'),
  'confirm with a card that is declined': confirmWith('visa_chargeDeclined'),
  'confirm with a card that needs 3D Secure': confirmWith('threeDSecure2Required'),
  'set a payment method': (id) =>
    stripe.paymentIntents.update(id, { payment_method: 'pm_card_visa' }),
  'change the amount': (id) => stripe.paymentIntents.update(id, { amount: 4000 }),
  capture: (id) => stripe.paymentIntents.capture(id),
  cancel: (id) => stripe.paymentIntents.cancel(id),
};

const error = 'payment_intent_unexpected_state';
const opened = {
  'confirm with a card that succeeds': 'succeeded',
  'confirm with a card that is declined': 'requires_payment_method card_declined',
  'confirm with a card that needs 3D Secure': 'requires_action',
  'set a payment method': 'requires_confirmation',
  cancel: 'canceled',
};

/** The state after each step, and the code of its error. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  requires_payment_method: {
    ...opened,
    'change the amount': 'requires_payment_method',
    capture: `requires_payment_method ${error}`,
  },
  requires_confirmation: {
    ...opened,
    'change the amount': 'requires_confirmation',
    capture: `requires_confirmation ${error}`,
  },
  requires_action: {
    ...opened,
    'change the amount': 'requires_action',
    capture: `requires_action ${error}`,
  },
  requires_capture: {
    ...Object.fromEntries(Object.keys(steps).map((step) => [step, `requires_capture ${error}`])),
    ...{ capture: 'succeeded', cancel: 'canceled' },
  },
  succeeded: Object.fromEntries(Object.keys(steps).map((step) => [step, `succeeded ${error}`])),
  canceled: Object.fromEntries(Object.keys(steps).map((step) => [step, `canceled ${error}`])),
};

walk({ ways, steps, expected, retrieve: (id) => stripe.paymentIntents.retrieve(id) });

test.each([
  ['complete', 'succeeded', undefined],
  ['fail', 'requires_payment_method', 'payment_intent_authentication_failure'],
] as const)('the page of 3D Secure: %s', async (outcome, status, code) => {
  const { id } = await ways.requires_action();
  await page(outcome)(id);
  const intent = await stripe.paymentIntents.retrieve(id);
  expect(intent.status).toBe(status);
  expect(intent.last_payment_error?.code).toBe(code);
});

test('after 3D Secure the browser returns with the outcome', async () => {
  const intent = await stripe.paymentIntents.create({
    ...{ ...basis, payment_method: 'pm_card_threeDSecure2Required', confirm: true },
    return_url: 'https://shop.example/back?order=7',
  });
  const { status, headers } = await authenticate(service, intent.next_action, 'complete');
  expect(status).toBe(303);
  const back = new URL(headers.location ?? '');
  expect(back.origin + back.pathname).toBe('https://shop.example/back');
  expect(Object.fromEntries(back.searchParams)).toEqual({
    order: '7',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  });
});

test('an authorization expires after a week', async () => {
  const own = clientOf(service, 'expiry');
  const now = Math.floor(Date.now() / 1000);
  const clock = await own.testHelpers.testClocks.create({ frozen_time: now });
  const intent = await own.paymentIntents.create({
    ...{ ...basis, payment_method: 'pm_card_visa', confirm: true, capture_method: 'manual' },
  });
  await own.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 8 * 86_400 });
  const after = await own.paymentIntents.retrieve(intent.id);
  expect([after.status, after.cancellation_reason]).toEqual(['canceled', 'automatic']);
});

/** The outcome of a payment without its owner, for each card. */
test.each([
  ['authenticationRequired', 'authentication_required'],
  ['authenticationRequiredSetupForOffSession', 'succeeded'],
  ['authenticationRequiredOnSetup', 'authentication_required'],
  ['threeDSecureOptional', 'succeeded'],
])('off session, %s: %s', async (card, outcome) => {
  const result = await stripe.paymentIntents
    .create({ ...basis, payment_method: `pm_card_${card}`, confirm: true, off_session: true })
    .then(({ status }) => status)
    .catch(({ code }) => code);
  expect(result).toBe(outcome);
});

test.each(testCards().map((card) => [card.name, card] as const))(
  'pm_card_%s behaves as its table says',
  async (name, { decline, threeD, isRejected }) => {
    const result = await stripe.paymentIntents
      .create({ ...basis, payment_method: `pm_card_${name}`, confirm: true })
      .then(({ status }) => status)
      .catch(({ code, decline_code: reason }) => reason ?? code);
    const isAsked = ['always', 'on-session', 'unless-set-up'].includes(threeD ?? '');
    if (isRejected) expect(result).toBe('incorrect_number');
    else if (isAsked) expect(result).toBe('requires_action');
    else if (threeD === 'error') expect(result).toBe('generic_decline');
    else expect(result).toBe(decline?.decline_code ?? decline?.code ?? 'succeeded');
  },
);
