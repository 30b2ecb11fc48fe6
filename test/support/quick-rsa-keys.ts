/**
 * Generates RSA keys of 2,048 bits from a few primes: each key is a pair of them, so no two are equal, and two dozen primes
 * are enough for hundreds of sandboxes. The service needs a seventh of a second of processor time for a key. That time is
 * the subject of slow files, which generate keys as the service does.
 */

import crypto, { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { expect } from 'vitest';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface Generated {
  readonly primes: bigint[];
  /** Places of the primes of the next key, the second one below the first. */
  next: readonly [number, number];
}

const exponent = 65_537n;

/** Files of a process share it, so that no key occurs twice. */
const shared = globalThis as { practiceRsaKeys?: Generated };
shared.practiceRsaKeys ??= { primes: [], next: [1, 0] };
const generated = shared.practiceRsaKeys;

const generatePrime = promisify(crypto.generatePrime) as unknown as (
  bits: number,
  options: object,
) => Promise<bigint>;

/** Waits for one prime at a time, so that calls at once do not generate the same. */
let turn: Promise<unknown> = Promise.resolve();

async function newPair(): Promise<Pair> {
  const [first, second] = generated.next;
  generated.next = second + 1 < first ? [first, second + 1] : [first + 1, 0];
  const added = turn.then(() => addPrimes(first + 1));
  turn = added;
  await added;
  const { [first]: p = 0n, [second]: q = 0n } = generated.primes;
  const privateKey = createPrivateKey({ key: jwkOf(p, q), format: 'jwk' });
  return { publicKey: createPublicKey(privateKey), privateKey };
}

async function addPrimes(count: number): Promise<void> {
  while (generated.primes.length < count) {
    const prime = await generatePrime(1024, { bigint: true });
    // Products of such primes have 2,048 bits, and the exponent has an inverse.
    const isLarge = prime >> 1022n === 3n;
    if (isLarge && prime % exponent !== 1n) generated.primes.push(prime);
  }
}

function jwkOf(p: bigint, q: bigint) {
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const numbers = {
    ...{ n: p * q, e: exponent, d, p, q },
    ...{ dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) },
  };
  const members = Object.entries(numbers).map(([name, value]) => [name, base64url(value)]);
  return { kty: 'RSA', ...Object.fromEntries(members) };
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

/** The inverse of a number, by the extended algorithm of Euclid. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [before, now] = [modulus, value % modulus];
  let [factorBefore, factor] = [0n, 1n];
  while (now > 0n) {
    const quotient = before / now;
    [before, now] = [now, before - quotient * now];
    [factorBefore, factor] = [factor, factorBefore - quotient * factor];
  }
  return ((factorBefore % modulus) + modulus) % modulus;
}

const isReplaced = Symbol.for('practice: RSA keys are quick');
const { generateKeyPair } = crypto;
const generate = promisify(generateKeyPair) as (type: string, options: object) => Promise<Pair>;

function isOfIssuers(type: string, options: { readonly modulusLength?: number }): boolean {
  return type === 'rsa' && options.modulusLength === 2048;
}

/** Modules of the service take the function when a process first imports them, so each call looks whose it is. */
const isQuick = () => !expect.getState().testPath?.includes('.slow.');

if (!Object.hasOwn(generateKeyPair, isReplaced)) {
  const quick = Object.assign(
    (...given: Parameters<typeof generateKeyPair>) => generateKeyPair(...given),
    {
      [isReplaced]: true,
      [promisify.custom]: (type: string, options: object) =>
        isOfIssuers(type, options) && isQuick() ? newPair() : generate(type, options),
    },
  );
  Object.assign(crypto, { generateKeyPair: quick });
  syncBuiltinESMExports();
}
