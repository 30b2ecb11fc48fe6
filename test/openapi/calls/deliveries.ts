import type { Caller } from '../caller.js';

const headers = { 'X-Sandbox': 'streamed-deliveries' };
const json = { events: ['todos.*'], scheme: 'standard-webhooks' };
const create = 'postWebhooksSubscriptions';
const remove = 'deleteWebhooksSubscriptionsById';
const stream = 'getWebhooksSubscriptionsByIdDeliveriesStream';

/** Streams that last until their subscription is deleted, and limits. */
export async function callDeliveries(caller: Caller): Promise<void> {
  const first = { id: (await caller.send(create, { headers, json })).json.id };
  await caller.call(stream, 'Until the subscription is deleted', {
    ...{ headers, path: first },
    onHead: () => caller.send(remove, { headers, path: first }),
  });
  await caller.call(stream, 'An unknown subscription', { headers, path: { id: 'none' } });
  await caller.call(stream, 'The shared sandbox', { path: { id: 'none' } });

  const taken = { id: (await caller.send(create, { headers, json })).json.id };
  let reader: Promise<unknown> | undefined;
  await new Promise<void>((resolve) => {
    const onHead = async () => resolve();
    reader = caller.send(stream, { headers, path: taken, query: { listener: 'first' }, onHead });
  });
  await caller.call(stream, 'Another listener', { headers, path: taken });
  await caller.send(remove, { headers, path: taken });
  await reader;

  const full = { 'X-Sandbox': 'full-of-subscriptions' };
  for (let count = 0; count < 20; count++) await caller.send(create, { headers: full, json });
  await caller.call(create, 'One subscription too many', { headers: full, json });
}
