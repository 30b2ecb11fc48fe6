/** practice-api listen --verify by each scheme: a careful receiver, which the library of the provider helps, and a careless one. */

import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { LogSeverity, shopifyApi } from '@shopify/shopify-api';
import '@shopify/shopify-api/adapters/node';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterEach, describe, expect, test } from 'vitest';
import { receiverCases } from '../../src/areas/deliveries/plan/cases.js';
import { type DeliveryScheme, deliverySchemes } from '../../src/kit/deliveries/schemes.js';
import { listen } from '../../src/listen/listen.js';
import { parseOptions } from '../../src/listen/options.js';
import { useService } from '../support/service.js';
import { hooksOf } from './hooks.js';

const service = useService();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const headersOf = (headers: IncomingHttpHeaders) => headers as Record<string, string>;

interface Reading {
  /** Throws, or returns false, for a delivery that the secret has not signed. */
  readonly verify: (body: Buffer, headers: Record<string, string>, secret: string) => unknown;
  readonly read: (body: Body, headers: Record<string, string>) => Received;
}

interface Order {
  readonly id: string;
  readonly version: number;
}

/** The members of all providers; each has some. */
interface Body extends Order {
  readonly type: string;
  readonly action: string;
  readonly data: Order & { readonly object: Order };
  readonly order: Order;
  readonly event: Order & { readonly type: string };
  readonly event_id: string;
}

interface Received {
  readonly event: string;
  readonly isPaid: boolean;
  readonly order: Order;
}

const slackSeconds = 300;

const readings: Readonly<Record<DeliveryScheme, Reading>> = {
  'standard-webhooks': {
    verify: (body, headers, secret) => new Webhook(secret).verify(body, headers),
    read: ({ type, data }, headers) => ({
      ...{ event: headers['webhook-id'] ?? '', isPaid: type === 'order.paid', order: data },
    }),
  },
  stripe: {
    verify: (body, headers, secret) =>
      new Stripe('sk_test_1').webhooks.constructEvent(
        body,
        headers['stripe-signature'] ?? '',
        secret,
      ),
    read: ({ id, type, data }) => ({
      ...{ event: id, isPaid: type === 'order.paid', order: data.object },
    }),
  },
  github: {
    verify: (body, headers, secret) =>
      verifyGithub(secret, String(body), headers['x-hub-signature-256'] ?? ''),
    read: ({ action, order }, headers) => ({
      event: headers['x-github-delivery'] ?? '',
      isPaid: headers['x-github-event'] === 'order' && action === 'paid',
      order,
    }),
  },
  shopify: {
    async verify(body, headers, secret) {
      const api = shopifyApi({
        ...{ apiKey: 'key', apiSecretKey: secret, hostName: 'localhost', isEmbeddedApp: false },
        ...{ apiVersion: '2024-07' as never, logger: { level: LogSeverity.Error } },
      });
      const rawRequest = { method: 'POST', url: '/hook', headers };
      return (await api.webhooks.validate({ rawBody: String(body), rawRequest })).valid;
    },
    read: (order, headers) => ({
      event: headers['x-shopify-event-id'] ?? '',
      isPaid: headers['x-shopify-topic'] === 'order/paid',
      order,
    }),
  },
  slack: {
    verify(body, headers, secret) {
      const { 'x-slack-request-timestamp': time = '', 'x-slack-signature': given = '' } = headers;
      if (Math.abs(Date.now() / 1000 - Number(time)) > slackSeconds) return false;
      const hmac = createHmac('sha256', secret).update(`v0:${time}:`).update(body);
      const expected = Buffer.from(`v0=${hmac.digest('hex')}`);
      return given.length === expected.length && timingSafeEqual(Buffer.from(given), expected);
    },
    read: ({ event_id, event }) => ({
      ...{ event: event_id, isPaid: event.type === 'order.paid', order: event },
    }),
  },
};

/** Verifies the raw bytes, stores the id, responds, and only then works. */
function careful(scheme: DeliveryScheme, secret: string, api: string): RequestListener {
  const seen = new Set<string>();
  const versions = new Map<string, number>();
  const { verify, read } = readings[scheme];
  return async (request, response) => {
    const body = await buffer(request);
    const headers = headersOf(request.headers);
    const reject = (status: number) => void response.writeHead(status).end();
    if (headers['content-encoding'] !== undefined) return reject(415);
    const isRight = await Promise.resolve()
      .then(() => verify(body, headers, secret))
      .catch(() => false);
    if (isRight === false) return reject(401);
    let received: Received;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
      received = read(JSON.parse(text), headers);
    } catch {
      return reject(400);
    }
    response.writeHead(204).end();
    const { event, isPaid, order } = received;
    if (seen.has(event)) return;
    seen.add(event);
    if (!isPaid || (versions.get(order.id) ?? 0) > order.version) return;
    versions.set(order.id, order.version);
    await fetch(`${api}/my/received`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ event, order: order.id }),
    });
  };
}

const careless: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200).end();
};

async function verify(scheme: DeliveryScheme, name: string, given?: RequestListener) {
  const hooks = hooksOf(service, name);
  await hooks.call('PUT /api/sandbox/data', { received: [] });
  const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
  const server = createServer(given ?? careful(scheme, secret, `${service.url}/s/${name}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const options = parseOptions(
    [
      ...['--verify', '--json', '--settle', '0.5', '--scheme', scheme, '--secret', secret],
      ...['--url', service.url, '--sandbox', name, '--forward', `http://127.0.0.1:${port}/hook`],
    ],
    {},
  );
  if (options === undefined) throw new Error('There are no options.');
  const printed: string[] = [];
  const output = { print: (line: string) => printed.push(line), say: () => {} };
  const status = await listen(options, new AbortController().signal, output);
  const steps: readonly { name: string; outcome: string; evidence: string }[] = JSON.parse(
    printed.join('\n'),
  );
  return { status, steps };
}

const noTime = 'The scheme signs no time.';
const oneSignature = 'The scheme has one signature.';

/** The cases that do not apply, and why. */
const absent: Readonly<Record<DeliveryScheme, Readonly<Record<string, string>>>> = {
  'standard-webhooks': {},
  stripe: {},
  github: { 'old-timestamp': noTime, 'rotated-secret': oneSignature },
  shopify: { 'old-timestamp': noTime, 'rotated-secret': oneSignature },
  slack: { 'rotated-secret': oneSignature },
};

describe.each(deliverySchemes)('%s', (scheme) => {
  const missing = absent[scheme];

  test('a careful receiver keeps every case that applies; the others say why they are absent', async () => {
    const { status, steps } = await verify(scheme, `careful-${scheme}`);
    expect(steps.map(({ name }) => name)).toEqual(Object.keys(receiverCases));
    const isThere = ({ name }: { readonly name: string }) => !Object.hasOwn(missing, name);
    expect(steps.filter(isThere).filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
    const others = steps.filter((step) => !isThere(step));
    expect(Object.fromEntries(others.map(({ name, evidence }) => [name, evidence]))).toEqual(
      missing,
    );
    expect(new Set(others.map(({ outcome }) => outcome))).toEqual(
      new Set(others.length === 0 ? [] : ['not-reached']),
    );
    expect(status).toBe(0);
  }, 60_000);

  test('a receiver that verifies nothing breaks each case of a signature', async () => {
    const { status, steps } = await verify(scheme, `careless-${scheme}`, careless);
    const broken = steps.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name);
    const wrong = ['wrong-signature', 'other-bytes', 'other-secret', 'missing-signature'];
    expect(broken).toEqual([...wrong, ...('old-timestamp' in missing ? [] : ['old-timestamp'])]);
    expect(status).toBe(1);
  }, 60_000);
});
