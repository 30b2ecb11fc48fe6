/** A thousand customers, which the SDK pages through in both directions. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const stripe = clientOf(service, 'many');

test('1,000 customers are each listed once', async () => {
  const created: string[] = [];
  for (let batch = 0; batch < 40; batch++) {
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, place) =>
        stripe.customers.create({ name: `Customer ${batch * 25 + place}` }),
      ),
    );
    created.push(...made.map(({ id }) => id));
  }
  const listed: string[] = [];
  for await (const { id } of stripe.customers.list({ limit: 100 })) listed.push(id);
  expect(listed).toHaveLength(1000);
  expect(new Set(listed)).toEqual(new Set(created));
  const backward: string[] = [];
  const last = listed.at(-1) ?? '';
  for await (const { id } of stripe.customers.list({ limit: 100, ending_before: last })) {
    backward.push(id);
  }
  expect(backward.reverse()).toEqual(listed.slice(0, -1));
}, 120_000);
