/** Events, as webhook endpoints receive them, with signatures that the SDK accepts. */

import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { travel } from './support/journey.js';

const service = useService();

const headersOf = (sandbox: string) => ({ 'x-sandbox': sandbox });

/** Reads all deliveries, and reports them as received. */
async function receive(
  stripe: Stripe,
  sandbox: string,
  { id, secret = '' }: Stripe.WebhookEndpoint,
): Promise<Stripe.Event[]> {
  const path = `/api/webhooks/subscriptions/${id}/deliveries`;
  const events: Stripe.Event[] = [];
  for (;;) {
    const { status, json } = await service.send(`GET ${path}?wait=0`, {
      headers: headersOf(sandbox),
    });
    expect(status).toBe(200);
    const due = Array.isArray(json) ? json : json.deliveries;
    if (due.length === 0) return events;
    for (const { id: delivery, request, attemptId } of due) {
      const signature = request.headers['Stripe-Signature'] ?? request.headers['stripe-signature'];
      events.push(stripe.webhooks.constructEvent(request.body, signature, secret));
      expect(() => stripe.webhooks.constructEvent(`${request.body} `, signature, secret)).toThrow(
        'No signatures found matching the expected signature',
      );
      const reported = await service.send(`POST ${path}/${delivery}/attempts`, {
        headers: headersOf(sandbox),
        json: { status: 200, ms: 5, ...(attemptId !== undefined && { attemptId }) },
      });
      expect(reported.status).toBeLessThan(300);
    }
  }
}

test('every event is delivered once, with a signature that the SDK accepts', async () => {
  const stripe = clientOf(service, 'all-events');
  const endpoint = await stripe.webhookEndpoints.create({
    ...{ enabled_events: ['*'], url: 'https://shop.example/hook', metadata: { a: 'b' } },
  });
  expect(endpoint.secret).toMatch(/^whsec_/);
  const values = await travel(stripe, service);
  const listed = values.filter(({ object }) => object === 'event');
  const delivered = await receive(stripe, 'all-events', endpoint);
  expect(delivered.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id).sort());
  const byId = new Map(listed.map((event) => [event.id, event]));
  for (const event of delivered) expect(event).toEqual(byId.get(event.id));
});

test('webhook endpoints are created, read, changed, listed and deleted', async () => {
  const stripe = clientOf(service, 'endpoints');
  const created = await stripe.webhookEndpoints.create({
    ...{ enabled_events: ['customer.created'], url: 'https://shop.example/hook' },
  });
  const read = await stripe.webhookEndpoints.retrieve(created.id);
  expect([read.status, read.secret, read.url]).toEqual([
    'enabled',
    undefined,
    'https://shop.example/hook',
  ]);
  await stripe.customers.create();
  await stripe.products.create({ name: 'Tea' });
  const types = (await receive(stripe, 'endpoints', created)).map(({ type }) => type);
  expect(types).toEqual(['customer.created']);
  const changed = await stripe.webhookEndpoints.update(created.id, {
    ...{ disabled: true, enabled_events: ['product.created'], metadata: { a: 'b' } },
  });
  expect([changed.status, changed.enabled_events, changed.metadata]).toEqual([
    'disabled',
    ['product.created'],
    { a: 'b' },
  ]);
  expect((await stripe.webhookEndpoints.list()).data.map(({ id }) => id)).toEqual([created.id]);
  expect((await stripe.webhookEndpoints.del(created.id)).deleted).toBe(true);
  await expect(stripe.webhookEndpoints.retrieve(created.id)).rejects.toThrow(
    `No such webhook endpoint: '${created.id}'`,
  );
});

test('the shared sandbox has no webhook endpoints', async () => {
  const create = clientOf(service, 'practice').webhookEndpoints.create({
    ...{ enabled_events: ['*'], url: 'https://shop.example/hook' },
  });
  await expect(create).rejects.toThrow('The shared sandbox has no webhook endpoints');
});

test.each([
  ['enabled_events[]=everything!', 'enabled_events[0]'],
  ['enabled_events=', 'enabled_events'],
])('%s is rejected', async (events, param) => {
  const { status, json } = await service.send('POST /v1/webhook_endpoints', {
    headers: {
      authorization: 'Bearer sk_test_endpoints',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `url=https://shop.example&${events}`,
  });
  expect([status, json.error.param]).toEqual([400, param]);
});
