/** Our verifier and the libraries of the providers, on the same signed and damaged deliveries. */

import '@shopify/shopify-api/adapters/node';
import { createHmac } from 'node:crypto';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { LogSeverity, shopifyApi } from '@shopify/shopify-api';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const secret = `whsec_${Buffer.from('a secret for two libraries').toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('the secret of last month').toString('base64')}`;
const decoded = (text: string) => Buffer.from(text.slice('whsec_'.length), 'base64');

interface Delivery {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Keyed by the name that warnings use. */
type Libraries = Readonly<Record<string, (delivery: Delivery) => unknown>>;

const bodies: Readonly<Record<string, Buffer>> = {
  JSON: Buffer.from('{"id":"evt_1","amount":4200}'),
  'text beyond ASCII': Buffer.from('{"name":"Žluťoučký 😀"}\r\n'),
  nothing: Buffer.alloc(0),
  'bytes that are not UTF-8': Buffer.from([0xff, 0xfe, 0x00, 0x39]),
  'a byte-order mark': Buffer.from('\ufeff{"a":1}'),
  'a long string': Buffer.from('{"a":"é/"}'.repeat(5_000)),
};

const nowSeconds = () => Math.floor(Date.now() / 1000);
const mac = (
  key: string | Buffer,
  signed: string | Buffer,
  prefix: string,
  encoding: 'hex' | 'base64',
) => createHmac('sha256', key).update(prefix).update(signed).digest(encoding);

const wrongHex = '0'.repeat(64);
const wrongBase64 = `${'A'.repeat(43)}=`;

function stripeHeaders(body: Buffer): Record<string, string> {
  const t = nowSeconds();
  const signed = (time: number, key = secret) => mac(key, body, `${time}.`, 'hex');
  const h = signed(t);
  return {
    right: `t=${t},v1=${h}`,
    'with an old scheme': `t=${t},v1=${h},v0=${wrongHex}`,
    'with two signatures, the first right': `t=${t},v1=${h},v1=${signed(t, otherSecret)}`,
    'with two signatures, the second right': `t=${t},v1=${signed(t, otherSecret)},v1=${h}`,
    'with white space after the comma': `t=${t}, v1=${h}`,
    'with a tab after the comma': `t=${t},\tv1=${h}`,
    'with white space before the comma': `t=${t} ,v1=${h}`,
    'with white space after the signature': `t=${t},v1=${h} ,v0=1`,
    'with white space after an equals sign': `t= ${t},v1=${h}`,
    'with white space in the signature': `t=${t},v1= ${h}`,
    'in capital hex digits': `t=${t},v1=${h.toUpperCase()}`,
    'with the wrong t first': `t=${t - 1},t=${t},v1=${h}`,
    'with the wrong t last': `t=${t},t=${t - 1},v1=${h}`,
    'with the right t twice': `t=${t},t=${t},v1=${h}`,
    'with the signature first': `v1=${h},t=${t}`,
    'with a comma at the end': `t=${t},v1=${h},`,
    'with a second equals sign': `t=${t},v1=${h}=x`,
    'with an empty signature': `t=${t},v1=,v1=${h}`,
    'with a bare element': `t=${t},v1=${h},x`,
    'with letters after the time': `t=${t}s,v1=${h}`,
    'with zeros before the time': `t=0${t},v1=${h}`,
    'of 200 seconds ago': `t=${t - 200},v1=${signed(t - 200)}`,
    'of 400 seconds ago': `t=${t - 400},v1=${signed(t - 400)}`,
    'of 1000 seconds ahead': `t=${t + 1000},v1=${signed(t + 1000)}`,
    'of another secret': `t=${t},v1=${signed(t, otherSecret)}`,
    'that is wrong': `t=${t},v1=${wrongHex}`,
    'cut short': `t=${t},v1=${h.slice(0, 60)}`,
    'without a time': `v1=${h}`,
    'without a signature': `t=${t}`,
    'of a name in capitals': `T=${t},V1=${h}`,
  };
}

function githubHeaders(body: Buffer): Record<string, string> {
  const h = mac(secret, body, '', 'hex');
  return {
    right: `sha256=${h}`,
    'in capital hex digits': `sha256=${h.toUpperCase()}`,
    'with a prefix in capitals': `SHA256=${h}`,
    'without a prefix': h,
    'of SHA-1': `sha1=${h.slice(0, 40)}`,
    'with white space': `sha256= ${h}`,
    'in base64': `sha256=${mac(secret, body, '', 'base64')}`,
    'of another secret': `sha256=${mac(otherSecret, body, '', 'hex')}`,
    'that is wrong': `sha256=${wrongHex}`,
    'twice in one header': `sha256=${h}, sha256=${h}`,
  };
}

function shopifyHeaders(body: Buffer): Record<string, string> {
  const h = mac(secret, body, '', 'base64');
  return {
    right: h,
    'without padding': h.slice(0, -1),
    'in hex': mac(secret, body, '', 'hex'),
    'in base64url': h.replaceAll('+', '-').replaceAll('/', '_'),
    'of another secret': mac(otherSecret, body, '', 'base64'),
    'that is wrong': wrongBase64,
    'with white space': `${h.slice(0, 9)} ${h.slice(9)}`,
  };
}

function standardHeaders(body: Buffer): Record<string, [time: string, signature: string]> {
  const t = nowSeconds();
  const signed = (time: number | string, key = secret) =>
    mac(decoded(key), body, `msg_1.${time}.`, 'base64');
  const h = signed(t);
  return {
    right: [`${t}`, `v1,${h}`],
    'with two signatures, the first right': [`${t}`, `v1,${h} v1,${signed(t, otherSecret)}`],
    'with two signatures, the second right': [`${t}`, `v1,${signed(t, otherSecret)} v1,${h}`],
    'with an asymmetric one': [`${t}`, `v1a,abc v1,${h}`],
    'with two spaces': [`${t}`, `v1,${wrongBase64}  v1,${h}`],
    'with a tab': [`${t}`, `v1,${wrongBase64}\tv1,${h}`],
    'with a part without a comma': [`${t}`, `v1 v1,${h}`],
    'with a second comma': [`${t}`, `v1,${h},x`],
    'with commas between': [`${t}`, `v1,${wrongBase64}, v1,${h}`],
    'without padding': [`${t}`, `v1,${h.slice(0, -1)}`],
    'without a version': [`${t}`, h],
    'of version 2': [`${t}`, `v2,${h}`],
    'with a version in capitals': [`${t}`, `V1,${h}`],
    'with letters after the time': [`${t}s`, `v1,${h}`],
    'with a fraction of the time': [`${t}.5`, `v1,${h}`],
    'with milliseconds': [`${t}000`, `v1,${signed(`${t}000`)}`],
    'with zeros before the time': [`0${t}`, `v1,${h}`],
    'of 200 seconds ago': [`${t - 200}`, `v1,${signed(t - 200)}`],
    'of 400 seconds ago': [`${t - 400}`, `v1,${signed(t - 400)}`],
    'of 400 seconds ahead': [`${t + 400}`, `v1,${signed(t + 400)}`],
    'of another time': [`${t}`, `v1,${signed(t - 1)}`],
    'of another secret': [`${t}`, `v1,${signed(t, otherSecret)}`],
    'that is wrong': [`${t}`, `v1,${wrongBase64}`],
    'that is empty': [`${t}`, 'v1,'],
  };
}

const shopifyContext = {
  'X-Shopify-Topic': 'orders/create',
  'X-Shopify-Shop-Domain': 'practice-paper.myshopify.com',
  'X-Shopify-API-Version': '2024-07',
  'X-Shopify-Webhook-Id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
};

/** Each header with its own body, and with a body that was changed in transit. */
function deliveriesOf<Header>(
  headersOf: (body: Buffer) => Record<string, Header>,
  write: (header: Header) => Record<string, string>,
): Delivery[] {
  return Object.entries(bodies).flatMap(([name, body]) => {
    const all = Object.entries(headersOf(body)).map(([what, header]) => ({
      what: `${name}, a signature ${what}`,
      headers: write(header),
      body,
    }));
    const [right] = all;
    const changed = { what: `${name}, changed`, body: Buffer.concat([body, Buffer.from(' ')]) };
    return right === undefined ? all : [...all, { ...right, ...changed }];
  });
}

const stripeClient = new Stripe('sk_test_practice');
const shopify = shopifyApi({
  apiKey: 'key',
  apiSecretKey: secret,
  apiVersion: '2025-07' as never,
  hostName: 'receiver.example',
  isEmbeddedApp: false,
  logger: { level: LogSeverity.Error },
});
const octokit = '@octokit/webhooks-methods';

const stripeLibraries: Libraries = {
  'Node.js': ({ headers, body }) =>
    stripeClient.webhooks.signature.verifyHeader(
      // It accepts bytes as well, although its types do not allow them.
      body as unknown as string,
      headers['Stripe-Signature'] ?? '',
      secret,
      300,
    ),
};
const githubLibraries: Libraries = {
  [octokit]: ({ headers, body }) =>
    verifyGithub(secret, body.toString(), headers['X-Hub-Signature-256'] ?? ''),
};
const shopifyLibraries: Libraries = {
  '@shopify/shopify-api': async ({ headers, body }) => {
    const rawRequest = { url: '/hooks', method: 'POST', headers };
    return (await shopify.webhooks.validate({ rawBody: body.toString(), rawRequest })).valid;
  },
};
const isVerified = () => true;
const standardLibraries: Libraries = {
  JavaScript: ({ headers, body }) => {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return isVerified();
  },
  // It parses the body after verification.
  Svix: ({ headers, body }) => {
    try {
      new SvixWebhook(secret).verify(body, headers);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return isVerified();
  },
};

const standardDeliveries = ['webhook', 'svix'].flatMap((prefix) =>
  deliveriesOf(standardHeaders, ([time, signature]) => ({
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: time,
    [`${prefix}-signature`]: signature,
  })),
);

const table: readonly (readonly [string, Libraries, () => readonly Delivery[]])[] = [
  [
    'stripe',
    stripeLibraries,
    () => deliveriesOf(stripeHeaders, (header) => ({ 'Stripe-Signature': header })),
  ],
  [
    'github',
    githubLibraries,
    () => deliveriesOf(githubHeaders, (header) => ({ 'X-Hub-Signature-256': header })),
  ],
  [
    'shopify',
    shopifyLibraries,
    () => [
      ...deliveriesOf(shopifyHeaders, (header) => ({
        'X-Shopify-Hmac-Sha256': header,
        ...shopifyContext,
      })),
      ...deliveriesOf(shopifyHeaders, (header) => ({ 'X-Shopify-Hmac-Sha256': header })),
    ],
  ],
  ['standard-webhooks', standardLibraries, () => standardDeliveries],
];

async function accepts(library: Libraries[string], delivery: Delivery): Promise<boolean> {
  try {
    return (await library?.(delivery)) === true;
  } catch {
    return false;
  }
}

function listedIn(warning: string, what: string): readonly string[] {
  const [, names = ''] = new RegExp(`${what} by ([^ ]+(?:, [^ ]+)*)\\.(?: |$)`).exec(warning) ?? [];
  return names.split(', ');
}

describe.each(table)('deliveries signed by %s', (provider, libraries, deliveries) => {
  test('get the same verdict from the service and from its libraries; where they differ, a warning says so', async () => {
    const disagreements: string[] = [];
    for (const delivery of deliveries()) {
      const { json } = await service.send(`POST /api/webhooks/verify/${provider}`, {
        headers: { ...delivery.headers, 'X-Signing-Secret': secret },
        body: delivery.body,
      });
      const { verified, warning } = json as { verified: boolean; warning?: string };
      for (const [name, library] of Object.entries(libraries)) {
        const isAccepted = await accepts(library, delivery);
        const isNamed = (what: string) =>
          warning !== undefined && listedIn(warning, what).includes(name);
        const ours = warning === undefined ? verified : isNamed('Accepted') && !isNamed('Rejected');
        if (ours !== isAccepted) {
          disagreements.push(`${delivery.what}: ${name} ${isAccepted}, we ${JSON.stringify(json)}`);
        }
      }
    }
    expect(disagreements).toEqual([]);
  });
});

test('the table has at least 200 deliveries, many of them valid', async () => {
  const all = table.flatMap(([provider, , deliveries]) =>
    deliveries().map((delivery) => ({ provider, ...delivery })),
  );
  expect(all.length).toBeGreaterThan(200);
});
