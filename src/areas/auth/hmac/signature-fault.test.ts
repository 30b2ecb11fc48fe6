import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureFault } from './signature-fault.js';

const nowSeconds = 1_700_000_000;
const body = Buffer.from('{"a":1}');
const secret = 'secret';

function sign(timestamp: number | string, signed: Uint8Array = body, key = secret): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(signed).digest('hex');
}

function verify(timestamp: string | undefined, signature: string | undefined, sent = body) {
  return signatureFault(secret, { timestamp, signature, body: sent }, nowSeconds * 1000 + 999);
}

test.each([
  ['now', 0],
  ['300 seconds ago', -300],
  ['300 seconds ahead', 300],
])('a signature of %s is accepted', (_name, offset) => {
  const timestamp = nowSeconds + offset;
  expect(verify(String(timestamp), sign(timestamp))).toBeUndefined();
});

test.each([
  ['the prefix', `sha256=${sign(nowSeconds)}`],
  ['capitals', sign(nowSeconds).toUpperCase()],
])('a signature with %s is accepted', (_name, signature) => {
  expect(verify(String(nowSeconds), signature)).toBeUndefined();
});

test('an empty body can be signed', () => {
  const empty = Buffer.alloc(0);
  expect(verify(String(nowSeconds), sign(nowSeconds, empty), empty)).toBeUndefined();
});

test.each([
  ['no time', undefined, sign(nowSeconds), /X-Timestamp is missing/],
  ['an empty time', '', sign(nowSeconds), /X-Timestamp is missing/],
  [
    'a time in milliseconds',
    `${nowSeconds}000`,
    sign(`${nowSeconds}000`),
    /must be a Unix time in seconds/,
  ],
  ['an ISO time', '2023-11-14T22:13:20Z', sign('2023-11-14T22:13:20Z'), /must be a Unix time/],
  ['a negative time', '-1', sign('-1'), /must be a Unix time/],
  [
    '301 seconds ago',
    String(nowSeconds - 301),
    sign(nowSeconds - 301),
    /301 seconds behind the server's, 1700000000/,
  ],
  [
    '301 seconds ahead',
    String(nowSeconds + 301),
    sign(nowSeconds + 301),
    /301 seconds ahead of the server's/,
  ],
  ['no signature', String(nowSeconds), undefined, /X-Signature is missing/],
  [
    'base64',
    String(nowSeconds),
    Buffer.from(sign(nowSeconds), 'hex').toString('base64'),
    /must be 64 hex digits/,
  ],
  ['a short signature', String(nowSeconds), sign(nowSeconds).slice(2), /must be 64 hex digits/],
  ['a long signature', String(nowSeconds), `${sign(nowSeconds)}0`, /must be 64 hex digits/],
  ['another prefix', String(nowSeconds), `sha1=${sign(nowSeconds)}`, /must be 64 hex digits/],
  ['another secret', String(nowSeconds), sign(nowSeconds, body, 'other'), /signature is wrong/],
  ['the time of another request', String(nowSeconds), sign(nowSeconds - 1), /signature is wrong/],
  [
    'another body',
    String(nowSeconds),
    sign(nowSeconds, Buffer.from('{"a":2}')),
    /7 bytes of the body/,
  ],
])('%s is rejected, and the fault names the part', (_name, timestamp, signature, fault) => {
  expect(verify(timestamp, signature)).toMatch(fault);
});
