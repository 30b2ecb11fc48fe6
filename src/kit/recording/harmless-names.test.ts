import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { secret } from '../endpoint.js';
import { isHarmlessHeader, isHarmlessParameter, isSecretPart } from './harmless-names.js';

const declared = Object.fromEntries(
  'author code state page pin api_key userToken X-Client-Id X-Signature Stripe-Signature'
    .split(' ')
    .map((name) => [name, Type.String()]),
);

describe('a parameter', () => {
  test.each([
    ['author', true],
    ['code', true],
    ['page', true],
    ['limit', true],
    ['error', true],
    ['key', false],
    ['pin', false],
    ['api_key', false],
    ['userToken', false],
    ['undeclared', false],
    ['constructor', false],
    ['__proto__', false],
  ])('%s is harmless: %s', (name, expected) => {
    expect(isHarmlessParameter(name, declared)).toBe(expected);
  });

  test('that is marked is a secret', () => {
    const marked = { author: secret(Type.Optional(Type.String())) };
    expect(isHarmlessParameter('author', marked)).toBe(false);
    expect(isSecretPart('author', marked)).toBe(true);
    expect(isSecretPart('author')).toBe(false);
    expect(isSecretPart('password')).toBe(true);
  });
});

test.each([
  ['accept', true],
  ['idempotency-key', true],
  ['x-client-id', true],
  ['x-anything', false],
  ['x-pin', false],
  ['x-signature', false],
  ['stripe-signature', false],
  ...[
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-service-key',
    'referer',
  ].map((name) => [name, false] as const),
] as const)('the header %s is harmless: %s', (name, expected) => {
  expect(isHarmlessHeader(name, declared)).toBe(expected);
});
