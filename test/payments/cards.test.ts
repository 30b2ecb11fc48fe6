/** Test cards by their numbers, compared with a table of what the provider documents. */

import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { testCards } from '../../src/areas/payments/engine/declarations.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const stripe = clientOf(service, 'cards');
const expiry = { exp_month: 12, exp_year: 2034 };

const create = (number: string, more: Stripe.PaymentMethodCreateParams = {}) =>
  stripe.paymentMethods.create({
    ...{ type: 'card', card: { number, ...expiry, cvc: '314' } },
    ...more,
  });

async function pay(number: string) {
  const { id } = await create(number);
  const intent = await stripe.paymentIntents.create({
    ...{ amount: 2000, currency: 'usd', payment_method_types: ['card'], confirm: true },
    ...{ payment_method: id, expand: ['latest_charge'] },
  });
  return { ...intent, charge: intent.latest_charge as Stripe.Charge };
}

test.each([
  ['4242424242424242', 'visa', 'credit'],
  ['4000056655665556', 'visa', 'debit'],
  ['5555555555554444', 'mastercard', 'credit'],
  ['2223003122003222', 'mastercard', 'credit'],
  ['5200828282828210', 'mastercard', 'debit'],
  ['5105105105105100', 'mastercard', 'prepaid'],
  ['378282246310005', 'amex', 'credit'],
  ['371449635398431', 'amex', 'credit'],
  ['6011111111111117', 'discover', 'credit'],
  ['6011000990139424', 'discover', 'credit'],
  ['6011981111111113', 'discover', 'debit'],
  ['3056930009020004', 'diners', 'credit'],
  ['36227206271667', 'diners', 'credit'],
  ['6555900000604105', 'discover', 'credit'],
  ['3566002020360505', 'jcb', 'credit'],
  ['6200000000000005', 'unionpay', 'credit'],
  ['6200000000000047', 'unionpay', 'debit'],
  ['6205500000000000004', 'unionpay', 'credit'],
  ['4000058260000005', 'visa', 'debit'],
])('%s is %s, %s, and pays', async (number, brand, funding) => {
  const { status, charge } = await pay(number);
  expect(status).toBe('succeeded');
  expect(charge.payment_method_details?.card).toMatchObject({ brand, funding });
  expect(number.endsWith(String(charge.payment_method_details?.card?.last4))).toBe(true);
});

/** Numbers of countries (ISO 3166-1), which follow 400000 or 400005 in the numbers of their cards. */
const numeric: Readonly<Record<string, string>> = {
  ...{ AR: '032', BR: '076', CA: '124', CL: '152', CO: '170', CR: '188', EC: '218', MX: '484' },
  ...{ PA: '591', PY: '600', PE: '604', UY: '858', AE: '784', AT: '040', BE: '056', BG: '100' },
  ...{ BY: '112', HR: '191', CY: '196', CZ: '203', DK: '208', EE: '233', FI: '246', FR: '250' },
  ...{ DE: '276', GI: '292', GR: '300', HU: '348', IE: '372', IT: '380', LV: '428', LI: '438' },
  ...{ LT: '440', LU: '442', MT: '470', NL: '528', NO: '578', PL: '616', PT: '620', RO: '642' },
  ...{ SA: '682', SI: '705', SK: '703', ES: '724', SE: '752', CH: '756', GB: '826', AU: '036' },
  ...{ CN: '156', HK: '344', IN: '356', MY: '458', NZ: '554', SG: '702', TW: '158', TH: '764' },
};

test('each country has its card', async () => {
  const seen: Record<string, string> = {};
  for (const { number, name } of testCards()) {
    if (!/^[a-z]{2}$/.test(name) || name === 'jp') continue;
    const { card } = await create(number);
    expect(number.slice(0, 6)).toBe('400000');
    seen[String(card?.country)] = number.slice(6, 9);
  }
  expect(seen).toEqual(numeric);
  expect((await create('3530111333300000')).card).toMatchObject({ country: 'JP', brand: 'jcb' });
});

test('every number has its check digit, except 4242424242424241', () => {
  const isRight = (number: string) => {
    const digits = [...number].reverse().map(Number);
    const values = digits.map((digit, place) =>
      place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2,
    );
    return values.reduce((sum, value) => sum + value, 0) % 10 === 0;
  };
  const wrong = testCards().filter(({ number }) => !isRight(number));
  expect(wrong.map(({ number }) => number)).toEqual(['4242424242424241']);
  const numbers = testCards().map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000009987', 'card_declined', 'lost_card'],
  ['4000000000009979', 'card_declined', 'stolen_card'],
  ['4000000000000069', 'expired_card', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error', 'processing_error'],
  ['4000000000006975', 'card_declined', 'card_velocity_exceeded'],
  ['4000000000000341', 'card_declined', 'generic_decline'],
  ['4100000000000019', 'card_declined', 'fraudulent'],
  ['4000000000004954', 'card_declined', 'fraudulent'],
])('%s is declined: %s, %s', async (number, code, decline) => {
  await expect(pay(number)).rejects.toMatchObject({
    ...{ statusCode: 402, type: 'StripeCardError', code, decline_code: decline },
  });
});

describe('checks', () => {
  const address = { line1: 'High Street 1', postal_code: '12345' };

  test.each([
    ['4242424242424242', 'pass', 'pass', 'pass'],
    ['4000000000000101', 'fail', 'pass', 'pass'],
    ['4000000000000036', 'pass', 'pass', 'fail'],
    ['4000000000000028', 'pass', 'fail', 'pass'],
    ['4000000000000010', 'pass', 'fail', 'fail'],
    ['4000000000000044', 'pass', 'unavailable', 'unavailable'],
  ])('of %s: CVC %s, line %s, postal code %s', async (number, cvc, line1, postalCode) => {
    const { card } = await create(number, { billing_details: { address } });
    expect(card?.checks).toEqual({
      ...{ cvc_check: cvc, address_line1_check: line1, address_postal_code_check: postalCode },
    });
    expect((await pay(number)).status).toBe('succeeded');
  });

  test('of what was not sent are null', async () => {
    const { card } = await stripe.paymentMethods.create({
      ...{ type: 'card', card: { number: '4242424242424242', ...expiry } },
    });
    expect(Object.values(card?.checks ?? {})).toEqual([null, null, null]);
  });
});

test.each([
  ['4242424242424242', 'normal'],
  ['4000000000009235', 'elevated'],
])('the risk of %s is %s', async (number, level) => {
  expect((await pay(number)).charge.outcome?.risk_level).toBe(level);
});

const now = new Date();
const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));

test.each([
  ['number', { number: '4242424242424241' }, 'incorrect_number'],
  ['month', { exp_month: 13 }, 'invalid_expiry_month'],
  ['month', { exp_month: 0 }, 'invalid_expiry_month'],
  ['year', { exp_year: 1970 }, 'invalid_expiry_year'],
  ['year', { exp_year: now.getUTCFullYear() + 51 }, 'invalid_expiry_year'],
  ['security code', { cvc: '99' }, 'invalid_cvc'],
] as const)('a wrong %s, %j, is %s', async (_what, wrong, code) => {
  const card = { number: '4242424242424242', ...expiry, cvc: '314', ...wrong };
  await expect(stripe.paymentMethods.create({ type: 'card', card })).rejects.toMatchObject({
    ...{ statusCode: 402, type: 'StripeCardError', code },
  });
});

test('a card expires at the end of its month', async () => {
  const of = (date: Date) => ({
    type: 'card' as const,
    card: {
      ...{ number: '4242424242424242', exp_month: date.getUTCMonth() + 1 },
      exp_year: date.getUTCFullYear(),
    },
  });
  expect((await stripe.paymentMethods.create(of(now))).card?.exp_month).toBe(now.getUTCMonth() + 1);
  await expect(stripe.paymentMethods.create(of(lastMonth))).rejects.toMatchObject({
    code: expect.stringMatching(/^invalid_expiry_(?:month|year)$/),
  });
});
