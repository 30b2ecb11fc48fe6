import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SchemeName, schemeNames, schemes } from './schemes.js';
import { judgeDelivery, verifyDelivery } from './verify-delivery.js';

const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
const decoded = Buffer.from('a secret of some length');
const nowSeconds = 1_700_000_000;
const body = Buffer.from('{"amount": 4200}\n');

const mac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', key).update(text).digest(encoding);

function verify(
  name: SchemeName,
  headers: Record<string, string>,
  more: { nowSeconds?: number; body?: Buffer; isExplained?: boolean; knownBodies?: Buffer[] } = {},
) {
  return verifyDelivery(name, {
    headers,
    body,
    secrets: [secret],
    nowSeconds,
    isExplained: true,
    ...more,
  });
}

const stripe = (signature: string, t = nowSeconds) => ({
  'stripe-signature': `t=${t},v1=${signature}`,
});
const github = (signature: string) => ({ 'x-hub-signature-256': `sha256=${signature}` });
const shopify = (signature: string) => ({ 'x-shopify-hmac-sha256': signature });
const standard = (signature: string, t = nowSeconds) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(t),
  'webhook-signature': signature,
});

const right = {
  stripe: mac(secret, `${nowSeconds}.${body}`),
  github: mac(secret, String(body)),
  shopify: mac(secret, String(body), 'base64'),
  standard: mac(decoded, `msg_1.${nowSeconds}.${body}`, 'base64'),
};

describe('is right', () => {
  test.each<[string, SchemeName, Record<string, string>]>([
    ['stripe', 'stripe', stripe(right.stripe)],
    [
      'stripe with a second secret and an old scheme',
      'stripe',
      {
        'stripe-signature': `t=${nowSeconds},v1=${'0'.repeat(64)},v1=${right.stripe},v0=${'1'.repeat(64)}`,
      },
    ],
    ['shopify', 'shopify', shopify(right.shopify)],
    ['standard webhooks', 'standard-webhooks', standard(`v1,${right.standard}`)],
    [
      'standard webhooks with several signatures',
      'standard-webhooks',
      standard(`v1a,abc v1,${'A'.repeat(43)}= v1,${right.standard}`),
    ],
  ])('%s', (_name, scheme, headers) => {
    expect(verify(scheme, headers)).toMatchObject({ verified: true });
  });
});

describe('is wrong, and says which part', () => {
  test.each<[string, SchemeName, Record<string, string>, string, RegExp]>([
    ['no header', 'stripe', {}, 'header', /stripe-signature.*missing/],
    [
      'no id',
      'standard-webhooks',
      { 'webhook-signature': 'v1,x' },
      'header',
      /webhook-id.*missing/,
    ],
    [
      'no time',
      'standard-webhooks',
      { 'webhook-signature': 'v1,x', 'webhook-id': '1' },
      'header',
      /webhook-timestamp.*missing/,
    ],
    ['no t', 'stripe', { 'stripe-signature': 'v1=abc' }, 'header', /no t=/],
    ['no v1', 'stripe', { 'stripe-signature': 't=1,v0=abc' }, 'header', /no v1=/],
    ['a t of letters', 'stripe', { 'stripe-signature': 't=now,v1=abc' }, 'header', /Unix seconds/],
    [
      'no sha256=',
      'github',
      { 'x-hub-signature-256': right.github },
      'header',
      /begin with sha256=/,
    ],
    ['too short', 'github', github('abc'), 'header', /64 hex digits.*3 characters/],
    ['nothing', 'shopify', shopify(''), 'header', /0 characters/],
    ['base64 for hex', 'github', github(right.shopify), 'signature', /but it is base64/],
    ['hex for base64', 'shopify', shopify(right.github), 'signature', /but it is hex/],
    [
      'the decoded secret',
      'stripe',
      stripe(mac(decoded, `${nowSeconds}.${body}`)),
      'secret',
      /whsec_ included/,
    ],
    [
      'the secret without its prefix',
      'github',
      github(mac(secret.slice(6), String(body))),
      'secret',
      /without whsec_/,
    ],
    [
      'the text of the secret',
      'standard-webhooks',
      standard(`v1,${mac(secret, `msg_1.${nowSeconds}.${body}`, 'base64')}`),
      'secret',
      /text of the secret/,
    ],
    ['the body alone', 'stripe', stripe(mac(secret, String(body))), 'timestamp', /Only the body/],
    [
      'no dot',
      'stripe',
      stripe(mac(secret, `${nowSeconds}${body}`)),
      'timestamp',
      /dots are missing/,
    ],
    [
      'no id in what is signed',
      'standard-webhooks',
      standard(`v1,${mac(decoded, `${nowSeconds}.${body}`, 'base64')}`),
      'timestamp',
      /webhook-id is missing/,
    ],
    [
      'another time',
      'stripe',
      stripe(mac(secret, `${nowSeconds - 7}.${body}`)),
      'timestamp',
      /made for the time 1699999993.*says 1700000000/,
    ],
    [
      'trimmed',
      'github',
      github(mac(secret, '{"amount": 4200}')),
      'body',
      /white space at its end/,
    ],
    ['compact JSON', 'github', github(mac(secret, '{"amount":4200}')), 'body', /written again/],
    [
      'pretty JSON',
      'github',
      github(mac(secret, '{\n  "amount": 4200\n}')),
      'body',
      /written again/,
    ],
    ['anything else', 'github', github('0'.repeat(64)), 'signature', /body or the secret/],
    ['anything else, with a time', 'stripe', stripe('0'.repeat(64)), 'signature', /the time or/],
  ])('%s', (_name, scheme, headers, part, message) => {
    const verdict = verify(scheme, headers);
    expect(verdict).toMatchObject({ verified: false, part });
    expect(verdict.message).toMatch(message);
  });

  test.each([
    ['Python', '{"amount": 4200, "a": [1, {"b": "x, y: z"}], "c": {}, "d": []}'],
    ['JavaScript', '{"amount":4200,"a":[1,{"b":"x, y: z"}],"c":{},"d":[]}'],
  ])('JSON as %s writes it, written again', (_name, signed) => {
    const sent = Buffer.from(JSON.stringify(JSON.parse(signed), null, 4));
    const verdict = verify('github', github(mac(secret, signed)), { body: sent });
    expect(verdict).toMatchObject({ part: 'body', message: expect.stringContaining('again') });
  });

  test('a line break that was lost', () => {
    const headers = github(mac(secret, '{}\n'));
    expect(verify('github', headers, { body: Buffer.from('{}') })).toMatchObject({ part: 'body' });
  });

  test('a sample whose body was changed', () => {
    const known = Buffer.from('{"amount": 1}');
    const verdict = verify('github', github(mac(secret, String(known))), { knownBodies: [known] });
    expect(verdict).toMatchObject({ part: 'body', message: expect.stringContaining('changed') });
  });
});

describe('the time', () => {
  test.each<[string, SchemeName, number, boolean]>([
    ['300 seconds old', 'stripe', 300, true],
    ['301 seconds old', 'stripe', 301, false],
    ['ahead, which Stripe does not mind', 'stripe', -10_000, true],
    ['300 seconds old', 'standard-webhooks', 300, true],
    ['301 seconds old', 'standard-webhooks', 301, false],
    ['300 seconds ahead', 'standard-webhooks', -300, true],
    ['301 seconds ahead', 'standard-webhooks', -301, false],
  ])('%s, %s', (_name, scheme, age, verified) => {
    const headers = scheme === 'stripe' ? stripe(right.stripe) : standard(`v1,${right.standard}`);
    const verdict = verify(scheme, headers, { nowSeconds: nowSeconds + age });
    expect(verdict.verified).toBe(verified);
    if (!verdict.verified) expect(verdict).toMatchObject({ part: 'timestamp' });
  });
});

test('without explanations a mistake is only a signature that does not fit', () => {
  const headers = github(mac(decoded, String(body)));
  expect(verify('github', headers, { isExplained: false })).toMatchObject({ part: 'signature' });
});

test('a scheme is known by its signature header', () => {
  const judge = (header: string) => judgeDelivery({ [header]: '' })?.conclude(0);
  for (const name of schemeNames) {
    expect(judge(schemes[name].signatureHeader.toLowerCase())?.provider).toBe(name);
  }
  expect(judge('svix-signature')?.provider).toBe('standard-webhooks');
  expect(judge('x-hub-signature')).toBeUndefined();
});

test('no headers and no body make it throw, and none verify by chance', () => {
  const names = ['stripe-signature', 'x-hub-signature-256', 'x-shopify-hmac-sha256'];
  const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^(t=\d{0,13},?|v1[=,]|sha256=|[0-9a-f]{64}|[A-Za-z0-9+/]{43}=| ){0,5}$/),
  );
  const headers = fc.dictionary(fc.constantFrom(...names, ...standardNames), text);
  fc.assert(
    fc.property(headers, fc.uint8Array(), fc.constantFrom(...schemeNames), (sent, bytes, name) => {
      const verdict = verify(name, sent, { body: Buffer.from(bytes), isExplained: false });
      expect(verdict.verified).toBe(false);
      expect(verdict.message.length).toBeGreaterThan(0);
    }),
  );
});
