/** Challenges about payments. */

import type { Exchange } from '#kit/recording/exchange-record.js';
import { advice, cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  header,
  isLater,
  isThere,
  jsonReceived,
  keep,
  markOf,
  membersOf,
  query,
  received,
  record,
  sent,
  success,
  textOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { paymentsCases } from './cases/payments.js';

const payments = inTrack('payments', paymentsCases);

const intents = '/v1/payment_intents';
const createIntent = `POST ${intents}`;
const createOrConfirm = `${createIntent}|${intents}/:id/confirm`;
const readIntent = `GET ${intents}/:id`;

const member = (exchange: Exchange, name: string): unknown => jsonReceived(exchange)[name];

const hasStatus = (wanted: string, otherwise: string) =>
  when((exchange) => member(exchange, 'status') === wanted, otherwise);

const isDone = success('The request did not succeed.');

/** Keeps the id of the created object. */
const keepCreated = keep({ id: (exchange) => textOf(member(exchange, 'id')) });

const hasKey = header('idempotency-key', isThere, 'The payment has no Idempotency-Key.');

const isReplay = (otherwise: string) =>
  when(
    (exchange, { id, key }) =>
      received(exchange, 'idempotent-replayed') === 'true' &&
      markOf(sent(exchange, 'idempotency-key')) === key &&
      textOf(member(exchange, 'id')) === id,
    otherwise,
  );

const keepPayment = keep({
  id: (exchange) => textOf(member(exchange, 'id')),
  key: (exchange) => markOf(sent(exchange, 'idempotency-key')),
});

/** Keeps the amount of each payment, by its id and the id of its charge. */
const noteAmount = {
  on: `POST ${intents}|${intents}/:id/confirm`,
  keep(exchange: Exchange, memo: Memo): Memo {
    const { id, amount, latest_charge: charge } = jsonReceived(exchange);
    if (typeof amount !== 'number') return memo;
    return {
      ...memo,
      [`amount ${textOf(id)}`]: `${amount}`,
      [`amount ${textOf(charge)}`]: `${amount}`,
    };
  },
};

/** Returns how much of its payment a refund returns; undefined without a known payment. */
function shareOf(exchange: Exchange, memo: Memo): number | undefined {
  const { amount, payment_intent: intent, charge } = jsonReceived(exchange);
  const whole = memo[`amount ${textOf(intent)}`] ?? memo[`amount ${textOf(charge)}`];
  return typeof amount === 'number' && whole !== undefined ? amount / Number(whole) : undefined;
}

const idempotent = cite('Stripe documentation', 'Idempotent requests');
const testing = cite('Stripe documentation', 'Testing');

export const paymentsTrack = [
  payments(
    'payments-first',
    1,
    texts(
      'A first payment',
      'Take a payment of 20.00 USD that succeeds.',
      'In which unit is an amount? | Stripe documentation, Testing: pm_card_visa succeeds. Amounts are in cents. | POST /v1/payment_intents with amount=2000, currency=usd, payment_method=pm_card_visa, payment_method_types[]=card and confirm=true',
      'Amounts are integers of the smallest unit, so no sum has a rounding error.',
      testing,
    ),
    [
      step(createOrConfirm, [
        hasStatus('succeeded', 'The payment is not a success.'),
        when(
          (exchange) =>
            member(exchange, 'amount') === 2000 && member(exchange, 'currency') === 'usd',
          'The payment has another amount or currency.',
        ),
      ]),
    ],
  ),
  payments(
    'payments-declined',
    1,
    texts(
      'Not enough money',
      'Get a payment declined for insufficient funds.',
      'Where does a response say why? | Stripe documentation, Testing: a card for each reason, which decline_code has. | confirm with payment_method=pm_card_visa_chargeDeclinedInsufficientFunds',
      'The code is for programs, decline_code has the reason, and message is for the customer.',
      testing,
    ),
    [
      step(createOrConfirm, [
        when(
          (exchange) => membersOf(member(exchange, 'error')).decline_code === 'insufficient_funds',
          'The payment was not declined, or for another reason.',
        ),
      ]),
    ],
  ),
  payments(
    'payments-page',
    1,
    texts(
      'The next customers',
      'Read a later page of customers by starting_after, with at least one customer in it.',
      'How does a client get the next page? | Cursors: the id of the last object of a page leads to the next page. | Create two customers, then GET /v1/customers?starting_after={id of the newest}',
      'Ids as cursors stay right while others add objects.',
      advice,
    ),
    [
      step('GET /v1/customers', [
        query('starting_after', isThere, 'This is the first page.'),
        isDone,
        when(
          (exchange) => [member(exchange, 'data')].flat().length > 0,
          'The page has no customer.',
        ),
      ]),
    ],
  ),
  payments(
    'payments-expand',
    1,
    texts(
      'All in one',
      'Read a payment intent with its charge as an object, in one request.',
      'Can a response have the object instead of its id? | Expansion: the parameter expand names the members. | GET /v1/payment_intents/{id}?expand[]=latest_charge',
      'An expanded member saves a request.',
      advice,
    ),
    [
      step(`GET ${intents}/:id`, [
        when(
          (exchange) => membersOf(member(exchange, 'latest_charge')).object === 'charge',
          'The charge is only an id, or absent.',
        ),
      ]),
    ],
  ),
  payments(
    'payments-refund',
    2,
    texts(
      'Some money back',
      'Refund a part of a payment, and not all of it.',
      'How much does a refund return? | Refunds: one without amount returns all that is left. | POST /v1/refunds with payment_intent and an amount below the payment',
      'Several refunds of one payment may return its amount in parts.',
      advice,
    ),
    [
      step('POST /v1/refunds', [
        isDone,
        when(
          (exchange, memo) => (shareOf(exchange, memo) ?? 1) < 1,
          'The refund returns the whole payment, or another one.',
        ),
      ]),
    ],
    { notes: [noteAmount] },
  ),
  payments(
    'payments-key',
    2,
    texts(
      'Twice, and once',
      'Send the same payment twice with one Idempotency-Key, and get the first response again.',
      'How does a server know that a request is a repetition? | Stripe documentation, Idempotent requests: by a key that the client chooses. | the same POST /v1/payment_intents twice with Idempotency-Key: order-7',
      'The key is one for each payment, and not for each request.',
      idempotent,
    ),
    [
      step(createIntent, [hasKey, isDone], { keep: keepPayment }),
      step(createIntent, [isReplay('The response was not repeated: the key or body is another.')]),
    ],
  ),
  payments(
    'payments-secure',
    2,
    texts(
      'The customer confirms',
      'Create a payment that needs 3D Secure, let the customer complete it, and read it as succeeded.',
      'What does a payment wait for? | Stripe documentation, Testing: pm_card_threeDSecure2Required. next_action leads to the page of the bank. | open the URL in next_action, press Complete, then GET /v1/payment_intents/{id}',
      'Only the customer can confirm it; another confirmation changes nothing.',
      testing,
    ),
    [
      step(
        createOrConfirm,
        [hasStatus('requires_action', 'The payment does not wait for 3D Secure.')],
        { keep: keepCreated },
      ),
      step(readIntent, [
        record('$id', 'This is another payment.'),
        hasStatus('succeeded', 'The payment has not succeeded.'),
      ]),
    ],
  ),
  payments(
    'payments-events',
    2,
    texts(
      'Learn of it',
      'Create a webhook endpoint, take a payment, and list a delivery of payment_intent.succeeded to it.',
      'Who tells your server that a payment succeeded? | Standard Webhooks, Webhook metadata: an event with an id. Deliveries wait in this service. | POST /v1/webhook_endpoints, a payment, GET /api/webhooks/subscriptions/{id}/deliveries',
      'The delivery comes although the browser of the customer may be gone.',
      cite('Standard Webhooks', 'Webhook metadata'),
    ),
    [
      step('POST /v1/webhook_endpoints', [isDone], { keep: keepCreated }),
      step('GET /api/webhooks/subscriptions/:id/deliveries', [
        record('$id', 'This is another endpoint.'),
        when(
          (exchange) =>
            exchange.status === 200 &&
            /"type":\s*"payment_intent\.succeeded"/.test(exchange.responseBody),
          'The list has no delivery of payment_intent.succeeded.',
        ),
      ]),
    ],
  ),
  payments(
    'payments-trial',
    3,
    texts(
      'After the trial',
      'Start a subscription with a trial, and read it as active after the trial.',
      'Do you have to wait for a day? | Test clocks: the sandbox has its own clock, which a test clock moves. | POST /v1/test_helpers/test_clocks with frozen_time, then advance it, then GET /v1/subscriptions/{id}',
      'The first invoice is paid when the trial ends.',
      advice,
    ),
    [
      step('POST /v1/subscriptions', [hasStatus('trialing', 'The subscription has no trial.')], {
        keep: keepCreated,
      }),
      step('GET /v1/subscriptions/:id', [
        record('$id', 'This is another subscription.'),
        hasStatus('active', 'The subscription is still in its trial, or was canceled.'),
      ]),
    ],
    { isClockFree: true },
  ),
  payments(
    'payments-lost',
    3,
    texts(
      'The lost response',
      'The first response to a payment is lost, and 502 comes in its place: get the response of the payment that was made.',
      'Was the customer charged? | Stripe documentation, Idempotent requests: a repetition with the same key gets the response of the first. | POST with an Idempotency-Key, and the same again after 502',
      'Without a key, or with a new one, the customer pays twice.',
      idempotent,
    ),
    [
      step(
        createIntent,
        [hasKey, when(({ fault }) => fault !== null, 'This response was not lost.')],
        {
          keep: keep({
            key: (exchange) => markOf(sent(exchange, 'idempotency-key')),
            endMs: ({ endMs }) => String(endMs),
          }),
        },
      ),
      step(createIntent, [
        isLater,
        when(
          (exchange, { key }) =>
            received(exchange, 'idempotent-replayed') === 'true' &&
            markOf(sent(exchange, 'idempotency-key')) === key,
          'This is not the payment of the first request.',
        ),
      ]),
    ],
    {
      faults: {
        rules: [
          {
            name: 'challenge',
            match: { method: 'POST', path: intents },
            sequence: [{ status: 502, after: true }],
          },
        ],
      },
    },
  ),
];
