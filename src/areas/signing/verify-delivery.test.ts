import { createHmac } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SchemeName, schemeNames, schemes } from '#kit/deliveries/schemes.js';
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

describe('is wrong, and the part is named', () => {
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
    [
      'a t with letters',
      'stripe',
      { 'stripe-signature': 't=now,v1=abc' },
      'header',
      /Unix seconds/,
    ],
    [
      'no sha256=',
      'github',
      { 'x-hub-signature-256': right.github },
      'header',
      /begin with sha256=/,
    ],
    ['too short', 'github', github('abc'), 'header', /64 hex digits.*3 characters/],
    ['nothing', 'shopify', shopify(''), 'header', /0 characters/],
    ['base64 instead of hex', 'github', github(right.shopify), 'signature', /but it is base64/],
    ['hex instead of base64', 'shopify', shopify(right.github), 'signature', /but it is hex/],
    [
      'the decoded secret',
      'stripe',
      stripe(mac(decoded, `${nowSeconds}.${body}`)),
      'secret',
      /including whsec_/,
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
    ['only the body', 'stripe', stripe(mac(secret, String(body))), 'timestamp', /Only the body/],
    [
      'no dot',
      'stripe',
      stripe(mac(secret, `${nowSeconds}${body}`)),
      'timestamp',
      /dots are missing/,
    ],
    [
      'no id in the signed text',
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
    ['compact JSON', 'github', github(mac(secret, '{"amount":4200}')), 'body', /serialized again/],
    [
      'pretty JSON',
      'github',
      github(mac(secret, '{\n  "amount": 4200\n}')),
      'body',
      /serialized again/,
    ],
    ['any other body', 'github', github('0'.repeat(64)), 'signature', /body or the secret/],
    ['any other body, with a time', 'stripe', stripe('0'.repeat(64)), 'signature', /the time or/],
  ])('%s', (_name, scheme, headers, part, message) => {
    const verdict = verify(scheme, headers);
    expect(verdict).toMatchObject({ verified: false, part });
    expect(verdict.message).toMatch(message);
  });

  test.each([
    ['Python', '{"amount": 4200, "a": [1, {"b": "x, y: z"}], "c": {}, "d": []}'],
    ['JavaScript', '{"amount":4200,"a":[1,{"b":"x, y: z"}],"c":{},"d":[]}'],
  ])('JSON as %s writes it, serialized again', (_name, signed) => {
    const sent = Buffer.from(JSON.stringify(JSON.parse(signed), null, 4));
    const verdict = verify('github', github(mac(secret, signed)), { body: sent });
    expect(verdict).toMatchObject({ part: 'body', message: expect.stringContaining('again') });
  });

  test('a lost line break', () => {
    const headers = github(mac(secret, '{}\n'));
    expect(verify('github', headers, { body: Buffer.from('{}') })).toMatchObject({ part: 'body' });
  });

  test('a sample with a changed body', () => {
    const known = Buffer.from('{"amount": 1}');
    const verdict = verify('github', github(mac(secret, String(known))), { knownBodies: [known] });
    expect(verdict).toMatchObject({ part: 'body', message: expect.stringContaining('changed') });
  });
});

describe('the time', () => {
  test.each<[string, SchemeName, number, boolean]>([
    ['300 seconds old', 'stripe', 300, true],
    ['301 seconds old', 'stripe', 301, false],
    ['ahead, which Stripe accepts', 'stripe', -10_000, true],
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

test('without explanations, every mistake is only a signature that does not match', () => {
  const headers = github(mac(decoded, String(body)));
  expect(verify('github', headers, { isExplained: false })).toMatchObject({ part: 'signature' });
});

test('a scheme is recognized by its signature header', () => {
  const judge = (header: string) => judgeDelivery({ [header]: '' })?.conclude(0);
  for (const name of schemeNames) {
    expect(judge(schemes[name].signatureHeader.toLowerCase())?.provider).toBe(name);
  }
  expect(judge('svix-signature')?.provider).toBe('standard-webhooks');
  expect(judge('x-hub-signature')).toBeUndefined();
});

test('without headers and body, nothing throws and nothing is accepted by accident', () => {
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

describe('a warning names the libraries that reject what others accept', () => {
  const header = (value: string) => ({ 'stripe-signature': value });
  const { stripe: hex } = right;
  const t = nowSeconds;
  test.each<[string, SchemeName, Record<string, string>, RegExp]>([
    [
      'white space after a comma',
      'stripe',
      header(`t=${t}, v1=${hex}`),
      /Rejected by Node\.js, Python, PHP, Java, Go\. Accepted by Ruby, \.NET\. Unusual: white space/,
    ],
    ['a tab after a comma', 'stripe', header(`t=${t},\tv1=${hex}`), /Accepted by Ruby, \.NET\./],
    [
      'capital hex digits',
      'stripe',
      stripe(hex.toUpperCase()),
      /Accepted by Go\. Unusual: capital hex digits\./,
    ],
    [
      'a repeated t, the first right',
      'stripe',
      header(`t=${t},t=1,v1=${hex}`),
      /Rejected by Node\.js, Go\. Accepted by Python, Ruby, PHP, Java, \.NET\./,
    ],
    [
      'a repeated t, the last right',
      'stripe',
      header(`t=1,t=${t},v1=${hex}`),
      /Accepted by Node\.js, Go\. Unusual: more than one t=/,
    ],
    [
      'headers of Svix',
      'standard-webhooks',
      Object.fromEntries(
        Object.entries(standard(`v1,${right.standard}`)).map(([name, value]) => [
          name.replace('webhook-', 'svix-'),
          value,
        ]),
      ),
      /Accepted by Svix\. Unusual: headers whose names begin with svix-/,
    ],
    ['no topic of Shopify', 'shopify', shopify(right.shopify), /no header x-shopify-topic/],
  ])('%s', (_name, scheme, headers, warning) => {
    const verdict = verify(scheme, headers);
    expect(verdict).toMatchObject({
      verified: true,
      message: expect.stringContaining('not every library'),
      warning: expect.stringMatching(warning),
    });
  });

  test('a delivery that all of them reject does not verify', () => {
    expect(verify('github', github(right.github.toUpperCase()))).toMatchObject({
      verified: false,
      part: 'header',
      message: expect.stringContaining('it has capital hex digits'),
    });
  });

  test('a delivery that all of them accept has no warning', () => {
    expect(verify('stripe', stripe(right.stripe))).not.toHaveProperty('warning');
  });
});

test('any of several signatures and secrets may match', () => {
  const old = 'whsec_b2xk';
  const both = { 'stripe-signature': `t=${nowSeconds},v1=${right.stripe},v1=${'0'.repeat(64)}` };
  for (const secrets of [[secret], [old, secret], [secret, old]]) {
    const delivery = { headers: both, body, secrets, nowSeconds, isExplained: false };
    expect(verifyDelivery('stripe', delivery)).toMatchObject({ verified: true });
  }
  const delivery = { headers: both, body, secrets: [old], nowSeconds, isExplained: false };
  expect(verifyDelivery('stripe', delivery)).toMatchObject({ verified: false });
});

describe('the cause is found where the sender signed', () => {
  test.each<[string, string | Buffer, string | Buffer, RegExp]>([
    ['\\u00e9 for é', '{"a":"\\u00e9"}', '{"a":"é"}', /as escapes, such as \\u00e9 for é/],
    ['\\u00E9 for é', '{"a":"\\u00E9"}', '{"a":"é"}', /escapes in capitals/],
    ['é for \\u00e9', '{"a":"é"}', '{"a":"\\u00e9"}', /signed unescaped, but sent as escapes/],
    ['\\ud83d\\ude00 for 😀', '{"a":"\\ud83d\\ude00"}', '{"a":"😀"}', /as escapes/],
    ['\\/', '{"a":"b\\/c"}', '{"a":"b/c"}', /Slashes were signed as \\\//],
    ['/ for \\/', '{"a":"b/c"}', '{"a":"b\\/c"}', /Slashes were signed unescaped/],
    ['PHP', '{"a":"\\u00e9\\/"}', '{"a":"é/"}', /as PHP writes them/],
    ['Python', '{"a": "\\u00e9"}', '{"a":"é"}', /escapes.*white space was changed/],
    ['CRLF instead of LF', '{\r\n}\r\n', '{\n}\n', /CRLF was signed/],
    ['LF instead of CRLF', '{\n}\n', '{\r\n}\r\n', /LF was signed/],
    ['no byte-order mark', '{"a":1}', '\ufeff{"a":1}', /gained a byte-order mark/],
    ['a byte-order mark', '\ufeff{"a":1}', '{"a":1}', /lost its byte-order mark/],
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1'), '{"a":"é"}', /signed as Latin-1/],
    ['UTF-8', '{"a":"é"}', Buffer.from('{"a":"é"}', 'latin1'), /body is Latin-1/],
  ])('%s', (_name, signed, sent, message) => {
    const headers = github(createHmac('sha256', secret).update(signed).digest('hex'));
    const verdict = verify('github', headers, { body: Buffer.from(sent as string) });
    expect(verdict).toMatchObject({ verified: false, part: 'body' });
    expect(verdict.message).toMatch(message);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    ['identity, gzip', gzipSync],
  ])('the body before it was compressed by %s', (coding, compress) => {
    const headers = { ...github(right.github), 'content-encoding': coding };
    const verdict = verify('github', headers, { body: compress(body) });
    expect(verdict).toMatchObject({ verified: false, part: 'body' });
    expect(verdict.message).toContain(`before it was compressed (${coding})`);
  });

  test.each([
    ['a decompression bomb', gzipSync(Buffer.alloc(20 * 1024 * 1024))],
    ['uncompressed bytes', body],
    ['a truncated stream', gzipSync(body).subarray(0, 15)],
  ])('no cause is found in %s', (_name, sent) => {
    const headers = { ...github('0'.repeat(64)), 'content-encoding': 'gzip' };
    expect(verify('github', headers, { body: sent })).toMatchObject({ part: 'signature' });
  });
});
