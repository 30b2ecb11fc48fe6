/** The states of setup intents, and every transition between them. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { walk } from './support/graph.js';
import { authenticate } from './support/journey.js';

const service = useService();
const stripe = clientOf(service, 'setup-graph');
const basis = { payment_method_types: ['card'] };

const create = (card?: string) =>
  stripe.setupIntents.create({
    ...basis,
    ...(card !== undefined && { payment_method: `pm_card_${card}`, confirm: true }),
  });

/** Ways into each state. */
const ways = {
  requires_payment_method: () => create(),
  requires_confirmation: () =>
    stripe.setupIntents.create({ ...basis, payment_method: 'pm_card_visa' }),
  requires_action: () => create('authenticationRequired'),
  succeeded: () => create('visa'),
  canceled: async () => stripe.setupIntents.cancel((await create()).id),
};

const confirmWith = (card: string) => (id: string) =>
  stripe.setupIntents.confirm(id, { payment_method: `pm_card_${card}` });

const steps: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'confirm with a card that succeeds': confirmWith('visa'),
  'confirm with a card that is declined': confirmWith('visa_chargeDeclined'),
  'confirm with a card that needs 3D Secure': confirmWith('authenticationRequired'),
  'set a payment method': (id) =>
    stripe.setupIntents.update(id, { payment_method: 'pm_card_visa' }),
  cancel: (id) => stripe.setupIntents.cancel(id),
};

const error = 'setup_intent_unexpected_state';
const opened = {
  'confirm with a card that succeeds': 'succeeded',
  'confirm with a card that is declined': 'requires_payment_method card_declined',
  'confirm with a card that needs 3D Secure': 'requires_action',
  'set a payment method': 'requires_confirmation',
  cancel: 'canceled',
};
const closed = (state: string) =>
  Object.fromEntries(Object.keys(steps).map((step) => [step, `${state} ${error}`]));

/** The state after each step, and the code of its error. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  requires_payment_method: opened,
  requires_confirmation: opened,
  requires_action: opened,
  succeeded: closed('succeeded'),
  canceled: closed('canceled'),
};

walk({ ways, steps, expected, retrieve: (id) => stripe.setupIntents.retrieve(id) });

test.each([
  ['complete', 'succeeded', undefined],
  ['fail', 'requires_payment_method', 'setup_intent_authentication_failure'],
] as const)('the page of 3D Secure: %s', async (outcome, status, code) => {
  const { id, next_action: action } = await create('authenticationRequired');
  await authenticate(service, action, outcome);
  const intent = await stripe.setupIntents.retrieve(id);
  expect(intent.status).toBe(status);
  expect(intent.last_setup_error?.code).toBe(code);
});

test('a card that was set up for later needs no 3D Secure without its owner', async () => {
  const { id: customer } = await stripe.customers.create();
  const intent = await stripe.setupIntents.create({
    ...{ ...basis, customer, usage: 'off_session', confirm: true },
    payment_method: 'pm_card_authenticationRequiredOnSetup',
  });
  expect(intent.status).toBe('requires_action');
  await authenticate(service, intent.next_action, 'complete');
  const { payment_method: method } = await stripe.setupIntents.retrieve(intent.id);
  const payment = await stripe.paymentIntents.create({
    ...{ amount: 3000, currency: 'usd', payment_method_types: ['card'], customer },
    ...{ payment_method: String(method), confirm: true, off_session: true },
  });
  expect(payment.status).toBe('succeeded');
});
