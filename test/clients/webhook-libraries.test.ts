/** The libraries that providers publish for verification, on our samples. */

import '@shopify/shopify-api/adapters/node';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { LogSeverity, shopifyApi } from '@shopify/shopify-api';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const samples = '/api/webhooks/samples';
const secretOf = async () => (await service.send(`GET ${samples}`)).json.signingSecret as string;

describe('stripe', () => {
  const stripe = new Stripe('sk_test_practice');
  const construct = async (query = '', change = (body: string) => body) => {
    const { headers, text } = await service.send(`GET ${samples}/stripe${query}`);
    const signature = String(headers['stripe-signature']);
    return stripe.webhooks.constructEvent(change(text), signature, await secretOf());
  };

  test('accepts the sample within its default tolerance', async () => {
    const event = await construct();
    expect(event.type).toBe('payment_intent.succeeded');
  });

  test.each(['body', 'signature', 'timestamp'])(
    'rejects it with the %s tampered with',
    async (part) => {
      await expect(construct(`?tamper=${part}`)).rejects.toThrow(/No signatures found matching/);
    },
  );

  test('rejects a sample of an earlier time, and a re-serialized one', async () => {
    const old = Math.floor(Date.now() / 1000) - 301;
    await expect(construct(`?timestamp=${old}`)).rejects.toThrow(/outside the tolerance/);
    const again = (body: string) => JSON.stringify(JSON.parse(body));
    await expect(construct('', again)).rejects.toThrow(/No signatures found matching/);
  });

  test('creates signatures that the service verifies', async () => {
    const payload = '{"id":"evt_own","object":"event"}';
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret: await secretOf() });
    const { json } = await service.send('POST /api/webhooks/verify/stripe', {
      headers: { 'Stripe-Signature': header },
      body: payload,
    });
    expect(json).toMatchObject({ verified: true });
  });

  test("accepts the caller's own body signed by the service", async () => {
    const signed = await service.send(`POST ${samples}/stripe`, {
      body: '{"object":"event","n":1}',
    });
    const { headers, body, secret } = signed.json;
    expect(stripe.webhooks.constructEvent(body, headers['Stripe-Signature'], secret)).toMatchObject(
      { n: 1 },
    );
  });
});

describe('@octokit/webhooks-methods', () => {
  const verify = async (query = '') => {
    const { headers, text } = await service.send(`GET ${samples}/github${query}`);
    return verifyGithub(await secretOf(), text, String(headers['x-hub-signature-256']));
  };

  test('accepts the sample', async () => {
    expect(await verify()).toBe(true);
  });

  test.each(['body', 'signature'])('rejects it with the %s tampered with', async (part) => {
    expect(await verify(`?tamper=${part}`)).toBe(false);
  });
});

describe('@shopify/shopify-api', () => {
  const validate = async (query = '') => {
    const { rawHeaders, text } = await service.send(`GET ${samples}/shopify${query}`);
    const headers: Record<string, string> = {};
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers[rawHeaders[index] ?? ''] = rawHeaders[index + 1] ?? '';
    }
    const shopify = shopifyApi({
      apiKey: 'key',
      apiSecretKey: await secretOf(),
      apiVersion: '2025-07' as never,
      hostName: 'receiver.example',
      isEmbeddedApp: false,
      logger: { level: LogSeverity.Error },
    });
    // The Node adapter reads only the URL, method and headers of the request.
    const rawRequest = { url: '/hooks', method: 'POST', headers };
    return shopify.webhooks.validate({ rawBody: text, rawRequest });
  };

  test('accepts the sample and reads its headers', async () => {
    expect(await validate()).toMatchObject({
      valid: true,
      topic: 'ORDERS_CREATE',
      domain: 'practice-paper.myshopify.com',
    });
  });

  test.each(['body', 'signature'])('rejects it with the %s tampered with', async (part) => {
    expect(await validate(`?tamper=${part}`)).toMatchObject({
      valid: false,
      reason: 'invalid_hmac',
    });
  });
});

describe('standardwebhooks', () => {
  const sign = async (query = '') => {
    const { json } = await service.send(`POST ${samples}/standard-webhooks${query}`, {
      body: '{"n":1}',
    });
    return json as { secret: string; headers: Record<string, string>; body: string };
  };

  test("accepts the caller's own body signed by the service", async () => {
    const { secret, headers, body } = await sign();
    expect(new Webhook(secret).verify(body, headers)).toEqual({ n: 1 });
  });

  test.each(['body', 'signature', 'timestamp'])(
    'rejects it with the %s tampered with',
    async (part) => {
      const { secret, headers, body } = await sign(`?tamper=${part}`);
      expect(() => new Webhook(secret).verify(body, headers)).toThrow(/No matching signature/);
    },
  );

  test('creates signatures that the service verifies', async () => {
    const secret = await secretOf();
    const time = new Date();
    const signature = new Webhook(secret).sign('msg_own', time, '{"n":2}');
    const { json } = await service.send('POST /api/webhooks/verify/standard-webhooks', {
      headers: {
        'webhook-id': 'msg_own',
        'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
        'webhook-signature': signature,
      },
      body: '{"n":2}',
    });
    expect(json).toMatchObject({ verified: true });
  });
});
