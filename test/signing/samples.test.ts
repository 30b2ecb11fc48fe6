import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const nowMs = Date.UTC(2030, 0, 2, 3, 4, 5);
const nowSeconds = nowMs / 1000;
const service = useService({ now: () => nowMs });
const samples = '/api/webhooks/samples';
const verify = '/api/webhooks/verify';

const headerNames = {
  stripe: ['stripe-signature'],
  github: ['x-hub-signature-256', 'x-github-event', 'x-github-delivery'],
  shopify: [
    'x-shopify-hmac-sha256',
    'x-shopify-topic',
    'x-shopify-shop-domain',
    'x-shopify-webhook-id',
  ],
} as const;
const providers = ['stripe', 'github', 'shopify'] as const;

test('the list names three samples, their signature headers and the secret', async () => {
  const { json } = await service.send(`GET ${samples}`);
  expect(json).toEqual({
    signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
    note: expect.any(String),
    samples: [
      {
        provider: 'stripe',
        eventType: 'payment_intent.succeeded',
        signatureHeader: 'Stripe-Signature',
        url: `${samples}/stripe`,
      },
      {
        provider: 'github',
        eventType: 'push',
        signatureHeader: 'X-Hub-Signature-256',
        url: `${samples}/github`,
      },
      {
        provider: 'shopify',
        eventType: 'orders/create',
        signatureHeader: 'X-Shopify-Hmac-Sha256',
        url: `${samples}/shopify`,
      },
    ],
  });
});

describe.each(providers)('the sample of %s', (provider) => {
  const path = `${samples}/${provider}`;

  test('is the body itself with the headers of the provider, readable by pages', async () => {
    const { status, headers, json } = await service.send(`GET ${path}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json).toBeTypeOf('object');
    expect(headers['access-control-expose-headers']).toBe('*');
    for (const name of headerNames[provider]) {
      expect(headers[name]).toBeTruthy();
    }
  });

  test('as an envelope has the same content', async () => {
    const raw = await service.send(`GET ${path}?timestamp=1700000000`);
    const envelope = await service.send(`GET ${path}?format=envelope&timestamp=1700000000`);
    const { json } = envelope;
    expect(Object.keys(json)).toEqual([
      'provider',
      'eventType',
      'secret',
      'headers',
      'body',
      'verification',
    ]);
    expect(json.body).toBe(raw.text);
    for (const [name, value] of Object.entries(json.headers)) {
      expect(raw.headers[name.toLowerCase()]).toBe(value);
    }
    const listed = (await service.send(`GET ${samples}`)).json;
    expect(json.secret).toBe(listed.signingSecret);
    expect(json.verification).toContain('HMAC-SHA256');
  });

  test('always has the same bytes, and is not cacheable', async () => {
    const [one, two] = [await service.send(`GET ${path}`), await service.send(`GET ${path}`)];
    expect(one.bytes.equals(two.bytes)).toBe(true);
    expect(one.headers['cache-control']).toBe('no-store');
  });

  test('verifies when it is sent back, but not when it was changed', async () => {
    const check = async (query: string) => {
      const { json } = await service.send(`GET ${path}?format=envelope${query}`);
      const { headers, body } = json;
      const response = await service.send(`POST ${verify}/${provider}`, { headers, body });
      expect(response.status).toBe(200);
      return response.json;
    };
    expect(await check('')).toEqual({
      provider,
      verified: true,
      message: expect.any(String),
    });
    expect(await check('&tamper=body')).toMatchObject({ verified: false, part: 'body' });
    expect(await check('&tamper=signature')).toMatchObject({ verified: false, part: 'signature' });
    if (provider === 'stripe') {
      expect(await check('&tamper=timestamp')).toMatchObject({
        verified: false,
        part: 'timestamp',
      });
    }
  });

  test('responds to HEAD with the same headers', async () => {
    const get = await service.send(`GET ${path}?timestamp=1`);
    const head = await service.send(`HEAD ${path}?timestamp=1`);
    for (const name of headerNames[provider]) expect(head.headers[name]).toBe(get.headers[name]);
  });

  test('is found in any letter case', async () => {
    const { status } = await service.send(`GET /API/WEBHOOKS/Samples/${provider.toUpperCase()}`);
    expect(status).toBe(200);
  });
});

describe('the time of the sample of stripe', () => {
  test('follows the sandbox', async () => {
    const headers = { 'X-Sandbox': 'later' };
    await service.send('PUT /api/sandbox/clock', { headers, json: { offsetSeconds: 86_400 } });
    const { headers: signed } = await service.send(`GET ${samples}/stripe`, { headers });
    expect(signed['stripe-signature']).toMatch(new RegExp(`^t=${nowSeconds + 86_400},`));
  });

  test('is now', async () => {
    const { headers } = await service.send(`GET ${samples}/stripe`);
    expect(headers['stripe-signature']).toMatch(new RegExp(`^t=${nowSeconds},v1=[0-9a-f]{64}$`));
  });

  test('is the requested time, and affects the verdict', async () => {
    const old = await service.send(`GET ${samples}/stripe?timestamp=1700000000`);
    const headers = { 'Stripe-Signature': String(old.headers['stripe-signature']) };
    expect(headers['Stripe-Signature']).toMatch(/^t=1700000000,/);
    const delivery = { headers, body: old.bytes };
    const now = await service.send(`POST ${verify}/stripe`, delivery);
    expect(now.json).toMatchObject({ verified: false, part: 'timestamp' });
    expect(now.json.message).toContain('tolerates 300 seconds');
    const then = await service.send(`POST ${verify}/stripe?at=1700000300`, delivery);
    expect(then.json).toMatchObject({ verified: true });
  });
});

describe('an invalid request', () => {
  test.each([
    [`GET ${samples}/paypal`, 404, /stripe, github, shopify\./],
    [`GET ${samples}/standard-webhooks`, 404, /stripe, github, shopify\./],
    [`GET ${samples}/__proto__`, 404, /stripe/],
    [`POST ${samples}/paypal`, 404, /standard-webhooks/],
    [`POST ${verify}/paypal`, 404, /standard-webhooks/],
    [`GET ${samples}/stripe?tamper=all`, 400, /one of body, signature, timestamp/],
    [`GET ${samples}/stripe?tamper=body&tamper=body`, 400, /tamper/],
    [`GET ${samples}/github?tamper=timestamp`, 400, /has no time to tamper with/],
    [`GET ${samples}/stripe?timestamp=now`, 400, /timestamp must be an integer/],
    [`GET ${samples}/stripe?timestamp=-1`, 400, /timestamp/],
    [`GET ${samples}/stripe?timestamp=1e30`, 400, /timestamp/],
    [`GET ${samples}/stripe?format=xml`, 400, /one of raw, envelope/],
    [`POST ${verify}/stripe?at=x`, 400, /at must be an integer/],
  ])('%s is %d', async (target, status, message) => {
    const response = await service.send(target);
    expect(response.status).toBe(status);
    expect(response.json.message).toMatch(message);
  });
});

const schemes = [...providers, 'standard-webhooks'] as const;

describe.each(schemes)('the signature of %s', (scheme) => {
  const secret = `whsec_${Buffer.from('my very own secret').toString('base64')}`;

  test("covers any bytes, with our secret or the caller's, and verifies", async () => {
    for (const body of ['{"mine":true}', 'žluťoučký', '', Buffer.from([0xff, 0x00, 0x80])]) {
      for (const own of [{}, { 'X-Signing-Secret': secret }]) {
        const signed = await service.send(`POST ${samples}/${scheme}`, { body, headers: own });
        expect(signed.status).toBe(200);
        const { json } = signed;
        const bytes = Buffer.from(json.body, json.bodyEncoding ?? 'utf8');
        expect(bytes.equals(Buffer.from(body))).toBe(true);
        const delivery = { headers: { ...json.headers, ...own }, body: bytes };
        expect((await service.send(`POST ${verify}/${scheme}`, delivery)).json).toMatchObject({
          verified: true,
        });
        const other = { 'X-Signing-Secret': 'd3Jvbmc=' };
        const wrong = { headers: { ...json.headers, ...other }, body: bytes };
        expect((await service.send(`POST ${verify}/${scheme}`, wrong)).json).toMatchObject({
          verified: false,
        });
      }
    }
  });

  test('keeps the Content-Type of the body', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const { json } = await service.send(`POST ${samples}/${scheme}`, { headers, body: 'a,b' });
    expect(json.headers['Content-Type']).toBe('text/csv');
  });

  test('of more than 1 MiB is rejected', async () => {
    const body = Buffer.alloc(1024 * 1024 + 1, 'x');
    expect((await service.send(`POST ${samples}/${scheme}`, { body })).status).toBe(413);
    expect((await service.send(`POST ${verify}/${scheme}`, { body })).status).toBe(413);
    const whole = await service.send(`POST ${samples}/${scheme}`, { body: body.subarray(1) });
    expect(whole.status).toBe(200);
  });

  test('is reported if it is missing', async () => {
    const { json } = await service.send(`POST ${verify}/${scheme}`, { body: '{}' });
    expect(json).toMatchObject({ provider: scheme, verified: false, part: 'header' });
    expect(json.message).toContain('missing');
  });
});

test('Standard Webhooks accepts only base64 as a secret', async () => {
  const headers = { 'X-Signing-Secret': 'not base64!' };
  const { status } = await service.send(`POST ${samples}/standard-webhooks`, {
    headers,
    body: '{}',
  });
  expect(status).toBe(400);
  expect((await service.send(`POST ${samples}/stripe`, { headers, body: '{}' })).status).toBe(200);
});

test("the id of a Standard Webhooks message is the caller's if given", async () => {
  const headers = { 'webhook-id': 'msg_mine' };
  const { json } = await service.send(`POST ${samples}/standard-webhooks?timestamp=5`, { headers });
  expect(json.headers).toMatchObject({ 'webhook-id': 'msg_mine', 'webhook-timestamp': '5' });
});

describe('a delivery that is signed with two secrets', () => {
  const secrets = ['whsec_bmV3', 'whsec_b2xk'];
  const [current = '', old = ''] = secrets;
  const verifyWith = async (
    scheme: string,
    delivery: { headers: object; body: string },
    sent: readonly string[],
  ) => {
    const { headers, body } = delivery;
    const names = sent.map((secret) => ['X-Signing-Secret', secret] as const);
    return (
      await service.send(`POST ${verify}/${scheme}`, {
        headers: [...Object.entries(headers), ...names],
        body,
      })
    ).json;
  };

  test.each([
    [
      'two headers',
      [
        ['X-Signing-Secret', current],
        ['x-signing-secret', old],
      ],
    ],
    ['a list', [['X-Signing-Secret', `${current}, ${old}`]]],
  ] as const)('by %s verifies with each', async (_name, headers) => {
    const sample = (await service.send(`GET ${samples}/stripe?format=envelope`, { headers })).json;
    const own = (await service.send(`POST ${samples}/standard-webhooks`, { headers, body: 'x' }))
      .json;
    expect(sample).toMatchObject({ secret: current, secrets });
    expect(sample.headers['Stripe-Signature'].match(/,v1=[0-9a-f]{64}/g)).toHaveLength(2);
    expect(own.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const [scheme, delivery] of [
      ['stripe', sample],
      ['standard-webhooks', own],
    ] as const) {
      for (const each of [[current], [old], ['whsec_eHh4', old]]) {
        expect(await verifyWith(scheme, delivery, each)).toMatchObject({ verified: true });
      }
      expect(await verifyWith(scheme, delivery, ['whsec_eHh4'])).toMatchObject({ verified: false });
    }
    const raw = await service.send(`GET ${samples}/stripe`, { headers });
    expect(raw.headers['stripe-signature']).toBe(sample.headers['Stripe-Signature']);
  });

  test('does not verify when it was changed', async () => {
    const headers = { 'X-Signing-Secret': secrets.join() };
    for (const part of ['body', 'signature', 'timestamp']) {
      const path = `${samples}/stripe?format=envelope&tamper=${part}`;
      const { json } = await service.send(`GET ${path}`, { headers });
      expect(await verifyWith('stripe', json, secrets)).toMatchObject({ verified: false });
    }
  });

  test.each([
    [
      `GET ${samples}/github`,
      secrets.join(),
      /GitHub sends only one signature in X-Hub-Signature-256/,
    ],
    [`POST ${samples}/shopify`, secrets.join(), /Shopify sends only one signature/],
    [`POST ${verify}/stripe`, 'a,b,c', /one or two secrets/],
    [`GET ${samples}/stripe`, ',', /one or two secrets/],
    [`POST ${samples}/stripe`, 'x'.repeat(501), /at most 500 characters/],
    [`POST ${verify}/standard-webhooks`, 'd3Jvbmc=,not base64!', /must be base64/],
  ])('is 400 at %s with %s', async (target, secret, message) => {
    const { status, json } = await service.send(target, {
      headers: { 'X-Signing-Secret': secret },
    });
    expect(status).toBe(400);
    expect(json.message).toMatch(message);
  });

  test('verifies at GitHub with either secret while the receiver knows both', async () => {
    const headers = { 'X-Signing-Secret': old };
    const { json } = await service.send(`POST ${samples}/github`, { headers, body: '{}' });
    expect(await verifyWith('github', json, secrets)).toMatchObject({ verified: true });
  });
});

test.each([
  ['X-Hub-Signature-256', 'github'],
  ['Stripe-Signature', 'stripe'],
] as const)(
  'a header %s in another letter case and in a sandbox verifies',
  async (name, scheme) => {
    const { json } = await service.send(`POST ${samples}/${scheme}`, { body: '{}' });
    const headers = { [name.toUpperCase()]: json.headers[name] };
    const response = await service.send(`POST /s/letters${verify}/${scheme}`, {
      headers,
      body: '{}',
    });
    expect(response.json).toMatchObject({ verified: true });
  },
);
