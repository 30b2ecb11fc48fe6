/** Lawful ways and near misses of the track payments. */

import type { Cases } from '../../challenge.js';

const own = ' | Authorization: Bearer sk_test_practice';
const basic = ' | Authorization: Basic <<base64 sk_test_practice:>>';
const post = (path: string, form: string, more = own) => `POST /v1/${path}${more} | form ${form}`;
const get = (path: string, more = own) => `GET /v1/${path}${more}`;
const card = 'payment_method_types[]=card';
const visa = '&payment_method=pm_card_visa&confirm=true';
const basis = (amount: number) => `amount=${amount}&currency=usd&${card}`;
const paid = `${basis(2000)}${visa}`;
const intents = 'payment_intents';
const pay = (form = paid, more = own) => post(intents, form, more);
const keyed = (key: string, form = paid) => pay(form, `${own} | Idempotency-Key: ${key}`);
const confirm = (form: string) => post(`${intents}/{1.json.id}/confirm`, form);
const lacking = '&payment_method=pm_card_visa_chargeDeclinedInsufficientFunds';
const secure = (more = '') =>
  pay(`${basis(2000)}&payment_method=pm_card_threeDSecure2Required&confirm=true${more}`);
const returning = '&return_url=https://shop.example/done';
const page = (member: string, outcome: string) =>
  `POST {1.json.next_action.${member}} | form outcome=${outcome}`;
const sdk = 'use_stripe_sdk.stripe_js';
const read = get(`${intents}/{1.json.id}`);
const refund = (form: string) => post('refunds', form);
const customer = post('customers', 'name=Ada');
const two = `${customer} && ${post('customers', 'name=Bo')}`;
const expanded = (more: string) => get(`${intents}/{1.json.id}?${more}`);
const price = post(
  'prices',
  'currency=usd&unit_amount=900&recurring[interval]=year&product_data[name]=Tea',
);
const member = post('customers', 'name=Ada&payment_method=pm_card_visa');
const subscribed = (more: string) =>
  `${price} && ${member} && ${get('customers/{2.json.id}/payment_methods')} && ${post(
    'subscriptions',
    `customer={2.json.id}&items[0][price]={1.json.id}&default_payment_method={3.json.data.0.id}${more}`,
  )}`;
const trial = subscribed('&trial_period_days=1');
const subscription = get('subscriptions/{4.json.id}');
/** The sandbox has this clock. */
const later = post('test_helpers/test_clocks', 'frozen_time=2000000000');
const endTrial = post('subscriptions/{4.json.id}', 'trial_end=now');
const endpoint = (events: string) =>
  post('webhook_endpoints', `url=https://shop.example/hook&${events}`);
const succeeded = 'enabled_events[]=payment_intent.succeeded';
const deliveries = 'GET /api/webhooks/subscriptions/{1.json.id}/deliveries';

export const paymentsCases: Readonly<Record<string, Cases>> = {
  'payments-first': {
    accepts: [
      pay(),
      pay(paid, basic),
      `${pay(basis(2000))} && ${confirm('payment_method=pm_card_mastercard')}`,
    ],
    rejects: [
      ['not a success', pay(paid.replace('2000', '20'))],
      ['not a success', pay(basis(2000))],
      ['another amount', pay(paid.replace('2000', '2001'))],
      ['another amount', pay(paid.replace('usd', 'eur'))],
      ['not a success', pay(`${basis(2000)}${lacking}&confirm=true`)],
    ],
  },
  'payments-declined': {
    accepts: [
      pay(`${basis(900)}${lacking}&confirm=true`),
      `${pay(basis(900))} && ${confirm(lacking.slice(1))}`,
      pay(`amount=5000&currency=eur&${card}${lacking}&confirm=true`, basic),
    ],
    rejects: [
      [
        'for another reason',
        pay(`${basis(900)}&payment_method=pm_card_chargeDeclined&confirm=true`),
      ],
      ['for another reason', pay()],
      ['for another reason', pay(`${basis(900)}${lacking}`)],
    ],
  },
  'payments-page': {
    accepts: [
      `${two} && ${get('customers?starting_after={2.json.id}')}`,
      `${two} && ${get('customers?limit=1')} && ${get('customers?limit=1&starting_after={3.json.data.0.id}')}`,
      `${two} && ${get('customers?starting_after={2.json.id}&limit=5', basic)}`,
    ],
    rejects: [
      ['the first page', `${two} && ${get('customers?limit=1')}`],
      ['the first page', `${two} && ${get('customers?ending_before={1.json.id}')}`],
      ['has no customer', `${two} && ${get('customers?starting_after={1.json.id}')}`],
      ['did not succeed', get('customers?starting_after=cus_none')],
    ],
  },
  'payments-expand': {
    accepts: [
      `${pay()} && ${expanded('expand[]=latest_charge')}`,
      `${pay()} && ${expanded('expand[0]=latest_charge&expand[1]=customer')}`,
      `${pay()} && ${expanded('expand[]=latest_charge.balance_transaction')}`,
    ],
    rejects: [
      ['only an id', `${pay()} && ${read}`],
      ['only an id', `${pay()} && ${expanded('expand[]=payment_method')}`],
      ['only an id', `${pay(basis(900))} && ${expanded('expand[]=latest_charge')}`],
    ],
  },
  'payments-refund': {
    accepts: [
      `${pay()} && ${refund('payment_intent={1.json.id}&amount=500')}`,
      `${pay()} && ${refund('charge={1.json.latest_charge}&amount=1999')}`,
      `${pay()} && ${refund('payment_intent={1.json.id}&amount=1')} && ${refund('payment_intent={1.json.id}&amount=2')}`,
    ],
    rejects: [
      ['the whole payment', `${pay()} && ${refund('payment_intent={1.json.id}')}`],
      ['the whole payment', `${pay()} && ${refund('payment_intent={1.json.id}&amount=2000')}`],
      ['did not succeed', `${pay()} && ${refund('payment_intent={1.json.id}&amount=2001')}`],
    ],
  },
  'payments-key': {
    accepts: [
      `${keyed('a')} && ${keyed('a')}`,
      `${keyed('order-7')} && ${read} && ${keyed('order-7')}`,
      `${keyed('b', basis(900))} && ${keyed('b', basis(900))}`,
    ],
    rejects: [
      ['no Idempotency-Key', `${pay()} && ${pay()}`],
      ['was not repeated', `${keyed('a')} && ${keyed('b')}`],
      ['was not repeated', `${keyed('a')} && ${keyed('a', basis(900))}`],
      ['was not repeated', `${keyed('a')} && ${pay()}`],
    ],
  },
  'payments-lost': {
    accepts: [
      `${keyed('a')} && ${keyed('a')}`,
      `${keyed('a')} && ${get(intents)} && ${keyed('a')}`,
      `${keyed('b', basis(900))} && ${keyed('b', basis(900))}`,
    ],
    rejects: [
      ['not the payment of the first', `${keyed('a')} && ${keyed('b')}`],
      ['not the payment of the first', `${keyed('a')} && ${pay()}`],
      ['no Idempotency-Key', `${pay()} && ${pay()}`],
    ],
  },
  'payments-secure': {
    accepts: [
      `${secure()} && ${page(sdk, 'complete')} && ${read}`,
      `${secure(returning)} && ${page('redirect_to_url.url', 'complete')} && ${read}`,
      `${secure()} && ${read} && ${page(sdk, 'complete')} && ${read}`,
    ],
    rejects: [
      ['has not succeeded', `${secure()} && ${read}`],
      ['has not succeeded', `${secure()} && ${page(sdk, 'fail')} && ${read}`],
      ['not wait for 3D Secure', `${pay()} && ${read}`],
      [
        'another payment',
        `${secure()} && ${page(sdk, 'complete')} && ${pay()} && ${get(`${intents}/{3.json.id}`)}`,
      ],
    ],
  },
  'payments-trial': {
    accepts: [
      `${trial} && ${later} && ${subscription}`,
      `${trial} && ${subscription} && ${later} && HEAD /v1/subscriptions/{4.json.id}${own} && ${subscription}`,
      `${trial} && ${endTrial} && ${subscription}`,
    ],
    rejects: [
      ['still in its trial', `${trial} && ${subscription}`],
      ['has no trial', `${subscribed('')} && ${subscription}`],
      [
        'still in its trial',
        `${trial} && DELETE /v1/subscriptions/{4.json.id}${own} && ${subscription}`,
      ],
    ],
  },
  'payments-events': {
    accepts: [
      `${endpoint(succeeded)} && ${pay()} && ${deliveries}`,
      `${endpoint('enabled_events[0]=*')} && ${pay()} && ${deliveries}?state=waiting`,
      `${endpoint('enabled_events[]=charge.succeeded&enabled_events[]=payment_intent.succeeded')} && ${pay()} && ${deliveries}`,
    ],
    rejects: [
      ['no delivery', `${endpoint(succeeded)} && ${deliveries}`],
      [
        'no delivery',
        `${endpoint('enabled_events[]=charge.succeeded')} && ${pay()} && ${deliveries}`,
      ],
      [
        'no delivery',
        `${pay()} && ${endpoint(succeeded)} && GET /api/webhooks/subscriptions/{2.json.id}/deliveries`,
      ],
    ],
  },
};
