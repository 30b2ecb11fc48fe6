/** Compiles every object and event that the area produces with the types of the pinned SDK. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pinned } from '../../src/areas/payments/pages/index-page.js';
import { packages, useCompiler } from '../support/compile-types.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';
import { compile, deletedTypes, typeOf, types } from './support/compile-values.js';
import { travel } from './support/journey.js';

const service = useService();
useCompiler();

test('the SDK is installed in its pinned version, with the pinned version of the API', () => {
  const read = (name: string) => readFileSync(join(packages, 'stripe', name), 'utf8');
  expect(JSON.parse(read('package.json')).version).toBe(pinned.stripe);
  expect(read('cjs/apiVersion.js')).toContain(`'${pinned.apiVersion}'`);
});

test('every object and event has the type of the SDK', async () => {
  const values = await travel(clientOf(service, 'types'), service);
  const objects = new Set(values.map(({ object }) => object));
  expect(Object.keys(types).filter((name) => !objects.has(name))).toEqual([]);
  const deleted = new Set(values.filter((each) => each.deleted === true).map(typeOf));
  const wanted = [...deletedTypes, 'WebhookEndpoint'].map((name) => `Deleted${name}`);
  expect([...deleted].toSorted()).toEqual(wanted.toSorted());
  expect(values.filter(({ object }) => object === 'error')).toHaveLength(4);
  const events = values.filter(({ object }) => object === 'event');
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(50);
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  expect(compile(unique)).toEqual([]);
});

test('a wrong value does not compile', () => {
  expect(compile([{ object: 'balance' }, { object: 'coupon', id: 'a', other: 1 }])).toHaveLength(2);
});
