/**
 * Schemas from untrusted callers: the cost of a request is limited, and the response says why it
 * was rejected.
 */

import { expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService();

const list = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index));
const names = (count: number) => list(count, (index) => `n${index}`);

let count = 0;
const newHeaders = () => ({ 'X-Sandbox': `schemas-${++count}` });
const putData = (headers: Record<string, string>, schema: unknown, records: unknown[] = []) =>
  send('PUT /api/sandbox/data', { headers, json: { $schemas: { c: schema }, c: records } });

test.each<[string, unknown]>([
  ['required', { required: names(3000) }],
  ['dependentRequired', { dependentRequired: { a: names(8000) } }],
  ['enum', { enum: list(2001, (index) => index) }],
  ['enum, inside', { enum: [[list(2001, (index) => index)]] }],
  ['const', { const: { a: list(2001, () => 0) } }],
  ['allOf', { allOf: list(2001, () => true) }],
  ['type', { type: list(2001, () => 'string') }],
  ['$defs without references', { $defs: { x: { allOf: list(2001, () => true) } } }],
  ['examples', { examples: list(2001, () => 1) }],
  ['unknown keywords', { contentSchema: { allOf: list(2001, () => true) } }],
  ['properties', { properties: Object.fromEntries(names(2001).map((name) => [name, true])) }],
  ['patterns', { allOf: list(200, (index) => ({ pattern: `^a${index}` })) }],
])('%s count as parts', async (_keyword, schema) => {
  const { status, json } = await putData(newHeaders(), schema);
  expect(status).toBe(400);
  expect(json.errors).toEqual([
    { field: '$schemas', message: expect.stringContaining('more than 2000 parts') },
  ]);
});

test.each<[string, unknown, unknown]>([
  ['allOf', { items: { allOf: list(450, () => ({ type: 'number' })) } }, list(15_000, () => 1)],
  ['doubling references', doubling({ type: 'string' }), 1],
  ['uniqueItems', { allOf: list(600, () => ({ uniqueItems: true })) }, list(15_000, (n) => n)],
  ['a pattern', { items: { pattern: '^(a|b|c|d|e){1,80}x' } }, list(3, () => 'a'.repeat(10_000))],
])('%s: a value that needs too many checks is rejected', async (_name, schema, value) => {
  const headers = newHeaders();
  const put = await putData(headers, { properties: { a: schema } }, [{ id: 1, a: value }]);
  expect(put.status).toBe(400);
  expect(put.json.errors[0]).toEqual({
    field: 'c.0',
    message: expect.stringContaining('The record needs too many checks by its schema'),
  });
  expect((await putData(headers, { properties: { a: schema } })).status).toBe(200);
  const post = await send('POST /my/c', { headers, json: { a: value } });
  expect(post.status).toBe(400);
  // A body of more than a thousand values is rejected before validation.
  const isShort = !Array.isArray(value) || value.length < 1000;
  if (isShort) expect(post.json.message).toBe('The record needs too many checks by its schema.');
  expect((await send('POST /my/c', { headers, json: {} })).status).toBe(201);
});

/** Each level refers twice to the next. */
function doubling(leaf: object): object {
  const next = (level: number) => ({ $ref: `#/properties/a/$defs/l${level}` });
  const levels = list(30, (level) => [
    `l${level}`,
    level === 29 ? leaf : { anyOf: [next(level + 1), next(level + 1)] },
  ]);
  return { ...next(0), $defs: Object.fromEntries(levels) };
}

test('a response lists at most 100 errors, also for all operations of a batch', async () => {
  const headers = newHeaders();
  await putData(headers, { properties: { a: { items: { type: 'string' } } } });
  const faulty = { a: list(90, () => 1) };
  const post = await send('POST /my/c', { headers, json: { a: list(500, () => 1) } });
  expect(post.json.errors).toHaveLength(100);
  const operations = [faulty, faulty, faulty, { a: ['right'] }].map((body) => ({
    method: 'POST',
    body,
  }));
  const { json } = await send('POST /my/c/batch', { headers, json: { operations } });
  const told = json.results.map(({ status, body }: { status: number; body: { errors?: [] } }) => [
    status,
    body.errors?.length,
  ]);
  expect(told).toEqual([
    [400, 90],
    [400, 10],
    [400, 1],
    [201, undefined],
  ]);
});

test('long names do not make messages long', async () => {
  const headers = newHeaders();
  const long = 'x'.repeat(100_000);
  const inner = { additionalProperties: false, required: [long], properties: { [long]: true } };
  await putData(headers, { properties: { a: { items: inner } } });
  const a = list(100, (index) => ({ [`${index}${'y'.repeat(2000)}`]: 1 }));
  const { status, text } = await send('POST /my/c', { headers, json: { a } });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(1_000_000);
});
