/** Mistakes of callers, each with the whole error. */

import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { testCards } from '../../src/areas/payments/engine/declarations.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const stripe = clientOf(service, 'mistakes');

const errorGuide = new URL('../../docs/payments/errors.md', import.meta.url);
/** Codes with a heading in the guide, to which `doc_url` leads. */
const explained = new Set(
  [...readFileSync(errorGuide, 'utf8').matchAll(/^### (.+)$/gm)].map(([, code]) => code),
);

const ids: Record<string, string> = {};

beforeAll(async () => {
  const basis = { amount: 2000, currency: 'usd', payment_method_types: ['card'] };
  const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' });
  const other = await stripe.customers.create();
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data;
  const paid = await stripe.paymentIntents.create({
    ...basis,
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  const open = await stripe.paymentIntents.create(basis);
  const automatic = await stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
  const refunded = await stripe.paymentIntents.create({
    ...basis,
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  await stripe.refunds.create({ payment_intent: refunded.id });
  const product = await stripe.products.create({ name: 'Tea' });
  const once = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 500,
    product: product.id,
  });
  const monthly = await stripe.prices.create({
    ...{ currency: 'usd', unit_amount: 500, product: product.id, recurring: { interval: 'month' } },
  });
  const invoice = await stripe.invoices.create({ customer: customer.id });
  await stripe.coupons.create({ id: 'TAKEN', percent_off: 10 });
  await stripe.invoices.finalizeInvoice(invoice.id);
  Object.assign(ids, {
    customer: customer.id,
    other: other.id,
    method: method?.id,
    paid: paid.id,
    charge: String(paid.latest_charge),
    refunded: refunded.id,
    gone: String(refunded.latest_charge),
    open: open.id,
    automatic: automatic.id,
    product: product.id,
    once: once.id,
    monthly: monthly.id,
    invoice: invoice.id,
  });
});

interface Mistake {
  readonly error: Readonly<Record<string, unknown>>;
  readonly status?: number;
}

const type = 'invalid_request_error';
const fault = (message: string, more: object = {}, status = 400): Mistake => ({
  error: { message, type, ...more },
  status,
});
const missing = (param: string) =>
  fault(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
const integer = (value: string, param: string) =>
  fault(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param });
const unknown = (param: string) =>
  fault(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
const empty = (param: string) =>
  fault(`${param} is empty, and cannot be unset. Leave it out, or send a value.`, {
    code: 'parameter_invalid_empty',
    param,
  });
const absent = (what: string, id: string, param: string) =>
  fault(
    `No such ${what}: '${id}'`,
    { code: 'resource_missing', param },
    param === 'id' ? 404 : 400,
  );
const among = (param: string, choices: string) =>
  fault(`Invalid ${param}: must be one of ${choices}`, { param });
const exclusive = (names: string, more: object = {}) =>
  fault(`Send only one of these parameters: ${names}.`, {
    code: 'parameters_exclusive',
    ...more,
  });
const unrecognized = (method: string, path: string) =>
  fault(
    `Unrecognized request URL (${method}: ${path}). GET /payments lists what is served.`,
    {},
    404,
  );

const intents = 'POST /v1/payment_intents';

/** Requests in the form that SDKs send; `{name}` is an id. */
const mistakes: readonly (readonly [request: string, form: string, mistake: Mistake])[] = [
  [intents, '', missing('amount')],
  [intents, 'amount=2000', missing('currency')],
  [intents, 'amount=20.00&currency=usd', integer('20.00', 'amount')],
  [intents, 'amount=ten&currency=usd', integer('ten', 'amount')],
  [intents, 'amount=&currency=usd', empty('amount')],
  [
    intents,
    'amount=0&currency=usd',
    fault('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    }),
  ],
  [
    intents,
    'amount=-5&currency=usd',
    fault('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    }),
  ],
  [
    intents,
    'amount=49&currency=usd',
    fault('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' }),
  ],
  [
    intents,
    'amount=100000000&currency=usd',
    fault('Amount must be no more than $999999.99', { code: 'amount_too_large', param: 'amount' }),
  ],
  [intents, 'amount=2000&currency=usd&sourc=tok_visa', unknown('sourc')],
  [
    intents,
    'amount=2000&currency=usd&one=1&two=2',
    fault('Received unknown parameters: one, two', { code: 'parameter_unknown', param: 'one' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&automatic_payment_methods[enable]=true',
    unknown('automatic_payment_methods[enable]'),
  ],
  [
    intents,
    'amount=2000&currency=usd&automatic_payment_methods[allow_redirects]=never',
    missing('automatic_payment_methods[enabled]'),
  ],
  [
    intents,
    'amount=2000&currency=usd&automatic_payment_methods=true',
    fault('Invalid object', { param: 'automatic_payment_methods' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&automatic_payment_methods[enabled]=yes',
    fault('Invalid boolean: yes', { param: 'automatic_payment_methods[enabled]' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&capture_method=later',
    among('capture_method', 'automatic, automatic_async, or manual'),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method_types=card',
    fault('Invalid array', { param: 'payment_method_types' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method_types[]=cash',
    fault('The payment method type "cash" is invalid. This service offers card.', {
      code: 'payment_intent_invalid_parameter',
      param: 'payment_method_types[0]',
    }),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method_types[]=card&automatic_payment_methods[enabled]=true',
    exclusive('automatic_payment_methods, payment_method_types'),
  ],
  [
    intents,
    'amount=2000&currency=usd&transfer_data[destination]=acct_1',
    fault('This service does not offer the parameter transfer_data.', { param: 'transfer_data' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&customer=cus_none',
    absent('customer', 'cus_none', 'customer'),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method=pm_none',
    absent('PaymentMethod', 'pm_none', 'payment_method'),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method=pm_card_none',
    absent('PaymentMethod', 'pm_card_none', 'payment_method'),
  ],
  [
    intents,
    'amount=2000&currency=usd&customer={other}&payment_method={method}',
    fault('The customer has no payment method {method}. Attach it first.', {
      code: 'resource_missing',
      param: 'payment_method',
    }),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method={method}',
    fault(
      'The PaymentMethod {method} is attached to a customer. Send that customer in the parameter customer.',
      { param: 'payment_method' },
    ),
  ],
  [
    intents,
    'amount=2000&currency=usd&return_url=https://example.com',
    fault('The parameter return_url needs confirm=true.', { param: 'return_url' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&payment_method=pm_card_visa&confirm=true',
    fault(
      'A payment method of this intent may lead to another page. Send return_url, or create the intent with automatic_payment_methods[allow_redirects]=never.',
    ),
  ],
  [
    intents,
    'amount=2000&currency=usd&statement_descriptor=SHOP',
    fault('Payments by card have statement_descriptor_suffix, and no statement_descriptor.', {
      param: 'statement_descriptor',
    }),
  ],
  [
    intents,
    `amount=2000&currency=usd&metadata[${'k'.repeat(41)}]=1`,
    fault('Metadata keys have at most 40 characters.', { param: `metadata[${'k'.repeat(41)}]` }),
  ],
  [
    intents,
    `amount=2000&currency=usd&metadata[a]=${'v'.repeat(501)}`,
    fault('Metadata values have at most 500 characters.', { param: 'metadata[a]' }),
  ],
  [
    intents,
    `amount=2000&currency=usd&metadata=text`,
    fault('Invalid object', { param: 'metadata' }),
  ],
  [
    intents,
    `amount=2000&currency=usd&metadata[a][b]=1`,
    fault('Invalid string: {...}', { param: 'metadata[a]' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&amount[a]=1',
    fault('amount[a] is both a value and an object.', { param: 'amount[a]' }),
  ],
  [
    intents,
    'amount=2000&currency=usd&expand[]=amount',
    fault('This member cannot be expanded (amount): only members with an id can.', {
      param: 'expand',
    }),
  ],
  [
    intents,
    'amount=2000&currency=usd&expand[]=customer.a.b.c.d',
    fault('expand has at most 4 levels.', { param: 'expand' }),
  ],
  ['POST /v1/payment_intents/pi_none/confirm', '', absent('payment_intent', 'pi_none', 'id')],
  [
    'POST /v1/payment_intents/{open}/confirm',
    'payment_method=pm_card_visa&return_url=example',
    fault('Not a valid URL', { code: 'url_invalid', param: 'return_url' }),
  ],
  ['GET /v1/payment_intents/pi_none', '', absent('payment_intent', 'pi_none', 'id')],
  [
    'GET /v1/payment_intents?limit=101',
    '',
    fault("This value must be less than or equal to 100 (it currently is '101').", {
      code: 'parameter_invalid_integer',
      param: 'limit',
    }),
  ],
  [
    'GET /v1/payment_intents?limit=0',
    '',
    fault('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    }),
  ],
  ['GET /v1/customers?starting_after=cus_none', '', absent('object', 'cus_none', 'starting_after')],
  [
    'GET /v1/customers?starting_after={other}&ending_before={customer}',
    '',
    fault('Send starting_after or ending_before, not both.'),
  ],
  ['GET /v1/customers/search', '', missing('query')],
  [
    'GET /v1/customers/search?query=everything',
    '',
    fault('The query cannot be parsed. Use clauses such as name:"Ann".', {
      param: 'query',
    }),
  ],
  [
    'POST /v1/customers',
    'email=ada.example',
    fault('Invalid email address: ada.example', { code: 'email_invalid', param: 'email' }),
  ],
  [
    'POST /v1/customers',
    `name=${'n'.repeat(5001)}`,
    fault(`Invalid string: ${'n'.repeat(40)}...; must be at most 5000 characters`, {
      param: 'name',
    }),
  ],
  ['POST /v1/customers', 'name[first]=A', fault('Invalid string: {...}', { param: 'name' })],
  ['POST /v1/payment_methods', 'type=cash', among('type', 'card')],
  ['POST /v1/payment_methods', 'type=card', missing('card')],
  [
    'POST /v1/payment_methods',
    'type=card&card[number]=4242424242424242',
    missing('card[exp_month]'),
  ],
  [
    'POST /v1/payment_methods',
    'type=card&card[token]=tok_none',
    absent('token', 'tok_none', 'card[token]'),
  ],
  [
    'POST /v1/payment_methods/{method}/attach',
    'customer={other}',
    fault('This payment method has a customer already.', {
      code: 'payment_method_unexpected_state',
      param: 'payment_method',
    }),
  ],
  ['POST /v1/payment_methods/{method}/attach', '', missing('customer')],
  [
    'POST /v1/refunds',
    '',
    fault('A refund needs payment_intent or charge.', { code: 'parameter_missing' }),
  ],
  [
    'POST /v1/refunds',
    'payment_intent={open}',
    fault('This PaymentIntent ({open}) does not have a successful charge to refund.', {
      param: 'payment_intent',
    }),
  ],
  [
    'POST /v1/refunds',
    'payment_intent={paid}&amount=3000',
    fault('Refund amount ($30.00) is greater than charge amount ($20.00)', { param: 'amount' }),
  ],
  [
    'POST /v1/refunds',
    'payment_intent={refunded}',
    fault('Charge {gone} has already been refunded.', { code: 'charge_already_refunded' }),
  ],
  ['POST /v1/refunds', 'charge=ch_none', absent('charge', 'ch_none', 'charge')],
  [
    'POST /v1/refunds',
    'charge={charge}&reason=bored',
    among('reason', 'duplicate, fraudulent, or requested_by_customer'),
  ],
  ['POST /v1/prices', 'currency=usd&product={product}', missing('unit_amount')],
  [
    'POST /v1/prices',
    'currency=usd&unit_amount=1&unit_amount_decimal=1.5&product={product}',
    exclusive('unit_amount, unit_amount_decimal', { param: '' }),
  ],
  [
    'POST /v1/prices',
    'currency=usd&unit_amount=1',
    fault('A new price needs product or product_data.', {
      param: 'product',
    }),
  ],
  ['POST /v1/products', '', missing('name')],
  [
    'DELETE /v1/products/{product}',
    '',
    fault('This product has prices, so it cannot be deleted. Archive it with active=false.'),
  ],
  [
    'POST /v1/coupons',
    'id=TAKEN&percent_off=5',
    fault('Coupon already exists.', { code: 'resource_already_exists', param: 'id' }),
  ],
  [
    'POST /v1/coupons',
    'percent_off=101',
    fault('Invalid percent_off: must be greater than 0 and at most 100.', { param: 'percent_off' }),
  ],
  ['POST /v1/subscriptions', 'items[0][price]={monthly}', missing('customer')],
  [
    'POST /v1/subscriptions',
    'customer={customer}&items[0][price]={once}',
    fault('The price is for one payment; a recurring price is needed.', {
      param: 'items[0][price]',
    }),
  ],
  [
    'POST /v1/subscriptions',
    'customer={other}&items[0][price]={monthly}',
    fault(
      'The customer has no default payment method. Set invoice_settings[default_payment_method].',
      { code: 'resource_missing' },
    ),
  ],
  [
    'POST /v1/invoices/{invoice}/pay',
    '',
    fault('Invoice is already paid', { code: 'invoice_already_paid' }),
  ],
  [
    'DELETE /v1/invoices/{invoice}',
    '',
    fault("You can't delete an invoice that is not a draft; invoice {invoice} is paid.", {
      code: 'invoice_not_editable',
    }),
  ],
  ['POST /v1/checkout/sessions', 'mode=payment', missing('success_url')],
  [
    'POST /v1/checkout/sessions',
    'mode=payment&success_url=https://a.example',
    missing('line_items'),
  ],
  [
    'POST /v1/checkout/sessions',
    'mode=payment&success_url=https://a.example&line_items[0][price]={monthly}&line_items[0][quantity]=1',
    fault('A recurring price needs mode=subscription.', { param: 'line_items[0][price]' }),
  ],
  ['POST /v1/payouts', 'amount=1', unrecognized('POST', '/v1/payouts')],
  ['PATCH /v1/customers/{customer}', '', unrecognized('PATCH', '/v1/customers/{customer}')],
];

const filled = (text: string) => text.replace(/\{(\w+)\}/g, (all, name) => ids[name] ?? all);

async function sendForm(request: string, form: string, headers = {}) {
  return service.send(filled(request), {
    headers: {
      authorization: 'Bearer sk_test_mistakes',
      ...(!/^(GET|DELETE)/.test(request) && {
        'content-type': 'application/x-www-form-urlencoded',
      }),
      ...headers,
    },
    ...(form !== '' && { body: filled(form) }),
  });
}

test('there are at least 60 mistakes', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(60);
});

test.each(mistakes)('%s %s', async (request, form, { error, status = 400 }) => {
  const response = await sendForm(request, form);
  const { doc_url: guide, ...rest } = response.json.error;
  expect(rest).toEqual(JSON.parse(filled(JSON.stringify(error))));
  expect(response.status).toBe(status);
  expect(response.headers['request-id']).toMatch(/^req_\w{14}$/);
  if (error.code === undefined) return;
  expect(guide).toBe(`${service.url}/guides/payments/errors#${error.code}`);
  expect(explained).toContain(error.code);
});

test('every code has its place in the guide', () => {
  const folder = new URL('../../src/areas/payments/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const codes = sources.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return [...text.matchAll(/(?<!_)\bcode: '([a-z_]+)'/g)].map(([, code = '']) => code);
  });
  const ofCards = testCards().flatMap(({ decline }) => decline?.code ?? []);
  expect(codes.length).toBeGreaterThan(40);
  expect([...new Set([...codes, ...ofCards])].filter((code) => !explained.has(code))).toEqual([]);
});

test.each<[string, Record<string, string>, number, string]>([
  ['no key', { authorization: '' }, 401, 'The request has no API key.'],
  [
    'another key',
    { authorization: 'Bearer sk_live_abcdefghijklmnop' },
    401,
    'Invalid API Key provided: sk_live_********mnop',
  ],
  [
    'a publishable key',
    { authorization: 'Bearer pk_test_mistakes' },
    403,
    'This operation needs a secret key',
  ],
  [
    'a connected account',
    { 'stripe-account': 'acct_1' },
    400,
    'This service has no connected accounts.',
  ],
  [
    'a version of the future',
    { 'stripe-version': '2099-01-01' },
    400,
    'Invalid Stripe API version: 2099-01-01.',
  ],
  [
    'a long idempotency key',
    { 'idempotency-key': 'k'.repeat(256) },
    400,
    'Idempotency keys have at most 255 characters; this one has 256.',
  ],
  ['a body of JSON', { 'content-type': 'application/json' }, 400, 'The body of this API is a form'],
])('%s is rejected', async (_what, headers, status, message) => {
  const response = await sendForm('POST /v1/customers', 'name=A', headers);
  expect(response.status).toBe(status);
  expect(response.json.error.message).toContain(message);
});

test('a key of another sandbox does not open a path below /s/', async () => {
  const response = await sendForm('GET /s/other/v1/customers', '');
  expect(response.status).toBe(401);
  expect((await sendForm('GET /s/mistakes/v1/customers', '')).status).toBe(200);
});

test.each([
  ['many parameters', Array.from({ length: 1001 }, (_, place) => `a${place}=1`).join('&')],
  ['deep brackets', `metadata${'[a]'.repeat(9)}=1`],
  ['malformed percent signs', 'name=%E0%A4'],
  ['a name of an object that is no member', 'metadata[__proto__][a]=1'],
  ['a wide object', Array.from({ length: 51 }, (_, place) => `metadata[a${place}]=1`).join('&')],
  ['a wide list', Array.from({ length: 101 }, (_, place) => `expand[]=a${place}`).join('&')],
])('%s are rejected with 400', async (_what, form) => {
  const response = await sendForm('POST /v1/customers', form);
  expect(response.status).toBe(400);
  expect(response.json.error.type).toBe('invalid_request_error');
});

test('metadata can have any key, and changes no object of the service', async () => {
  const { json } = await sendForm(
    'POST /v1/customers',
    'metadata[__proto__]=1&metadata[constructor]=2',
  );
  expect(Object.entries(json.metadata)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
