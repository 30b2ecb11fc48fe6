import { describe, expect, test } from 'vitest';
import { schemeNames, signingSecret } from '#kit/deliveries/schemes.js';
import { signDelivery, type Tampering } from '#kit/deliveries/sign-delivery.js';
import { type Delivery, verifyDelivery } from './verify-delivery.js';

const nowSeconds = 1_700_000_000;
const options = { secrets: ['whsec_c2VjcmV0'], timestampSeconds: nowSeconds, id: 'msg_1' };

test.each([
  // Expected values from Python's module hmac.
  [
    'stripe',
    {
      'Stripe-Signature':
        't=1700000000,v1=6dd72433a4cd7716d09e26318f8f689412da31a76d080c30fd719cf6ac3f8479',
    },
  ],
  [
    'github',
    {
      'X-Hub-Signature-256':
        'sha256=28fdc14c87a73d987934817247894b8ad07ef650fe85604f8aa9c9dec32c936d',
    },
  ],
  ['shopify', { 'X-Shopify-Hmac-Sha256': 'KP3BTIenPZh5NIFyR4lLitB+9lD+hWBPiqnJ3sMsk20=' }],
  [
    'standard-webhooks',
    {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,Q5nZ7DiOGwijBBqvBVAK6c0zDr2JLkXI7TaV4f+Q2vY=',
    },
  ],
] as const)('%s signs like the reference implementation', (name, headers) => {
  const body = Buffer.from('{"a":1}');
  expect(signDelivery(name, body, options)).toEqual({ headers, body });
});

test('the secret is whsec_ and base64 of 32 bytes', () => {
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

const lowerCase = (headers: object): Delivery['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe.each(schemeNames)('a delivery of %s', (name) => {
  const bodies = [
    '{"id":"evt_1","amount":4200}',
    'no digit at all',
    '',
    '9',
    '0',
    Buffer.from([0xff, 0x00, 0x39]),
    'x'.repeat(100_000),
  ].map((body) => Buffer.from(body));

  test('verifies', () => {
    for (const body of bodies) {
      const { headers, body: sent } = signDelivery(name, body, options);
      const delivery = { headers: lowerCase(headers), body: sent, nowSeconds, isExplained: true };
      const verdict = verifyDelivery(name, { ...delivery, secrets: options.secrets });
      expect(verdict, verdict.message).toMatchObject({ verified: true });
    }
  });

  const tamperings: Tampering[] = ['stripe', 'standard-webhooks'].includes(name)
    ? ['body', 'signature', 'timestamp']
    : ['body', 'signature'];

  test.each(tamperings)('with its %s tampered with is not valid', (tampering) => {
    for (const body of bodies) {
      const { headers, body: sent } = signDelivery(name, body, { ...options, tampering });
      for (const isExplained of [true, false]) {
        const delivery = { headers: lowerCase(headers), body: sent, nowSeconds, isExplained };
        const verdict = verifyDelivery(name, { ...delivery, secrets: options.secrets });
        expect(verdict.verified, String(sent).slice(0, 80)).toBe(false);
      }
    }
  });

  test('with its body tampered with is still JSON, with other values', () => {
    for (const text of ['{"id":"evt_1","amount":4200}', '[0]', '[9.5e9]', '{"a":"x"}']) {
      const { body } = signDelivery(name, Buffer.from(text), { ...options, tampering: 'body' });
      expect(() => JSON.parse(String(body))).not.toThrow();
      expect(String(body)).not.toBe(text);
    }
  });
});
