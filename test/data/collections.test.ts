/**
 * Checks that hold for every collection, whatever its records; events and books have further tests.
 */

import { describe, expect, test } from 'vitest';
import { collections } from '../../src/areas/data/built-in/collections.js';
import { recordFields } from '../../src/areas/data/built-in/record-fields.js';
import { hasDefault } from '../../src/data/field-types.js';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { useService } from '../support/service.js';
import { newRecords } from './new-records.js';

const nowMs = Date.parse('2027-01-01T12:00:00Z');
const service = useService({ now: () => nowMs });
const datasets = loadDatasets();

/** Prepends the origin of the service to the URLs of images. */
const shown = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('"/images/', `"${service.url}/images/`));

/** The condition that companies require; it changes nothing elsewhere. */
const anyState = { headers: { 'If-Match': '*' } };

test('every dataset except the items of paging is a collection', () => {
  const { items: _items, ...others } = datasets;
  expect(collections.map(({ name }) => name)).toEqual(Object.keys(others));
  expect(newRecords.map(({ name, noun, title }) => ({ name, noun, title }))).toEqual(
    collections.map(({ name, noun, title }) => ({ name, noun, title })),
  );
});

describe.each(newRecords)('$title', ({ title, name, noun, sent, defaults, change }) => {
  const path = `/api/${title}`;
  const records = datasets[name as keyof typeof datasets] as readonly { readonly id: number }[];
  const size = records.length;
  const own = { headers: { 'X-Sandbox': `own-${name}` } };
  const send: typeof service.send = (target, options) =>
    service.send(target, { ...options, headers: { ...own.headers, ...options?.headers } });

  test('the list has every record, in order, and its pages link to each other', async () => {
    const whole = await service.send(`GET ${path}`);
    expect(whole.status).toBe(200);
    expect(whole.json).toEqual(shown(records));
    expect(whole.headers['x-total-count']).toBe(String(size));
    const page = await service.send(`GET ${path.toLowerCase()}/?limit=3&page=2&sort=-id`);
    expect(page.json.map(({ id }: { id: number }) => id)).toEqual([size - 3, size - 4, size - 5]);
    expect(page.headers.link).toContain(
      `<${service.url}${path}?limit=3&sort=-id&page=3>; rel="next"`,
    );
    expect(page.headers['x-total-pages']).toBe(String(Math.ceil(size / 3)));
    expect((await service.send(`GET ${path}/count`)).json).toEqual({ count: size });
  });

  test('every field filters, and sorts where it has an order', async () => {
    const { record } = collections.find((each) => each.name === name) ?? {};
    for (const { name: field, kind, valueIn } of recordFields(record?.fields ?? {})) {
      const values = records.map((each) => valueIn(each as never));
      const first = [values[0]].flat()[0] ?? null;
      const query = new URLSearchParams({ [field]: String(first) });
      const { status, json } = await service.send(`GET ${path}?${query}`);
      expect([field, status]).toEqual([field, 200]);
      const matching = records.filter((_, index) =>
        [values[index]].flat().includes(first as never),
      );
      expect(json).toEqual(shown(matching));
      const sorted = await service.send(`GET ${path}?sort=${field}`);
      expect(sorted.status).toBe(kind === 'texts' ? 400 : 200);
    }
  });

  test.each([
    ['limit=0', 'limit'],
    ['page=1', 'page'],
    ['id=one', 'id'],
    ['sort=nothing', 'sort'],
    ['order=up', 'order'],
    ['colour=red', 'colour'],
    [`q=${'x'.repeat(201)}`, 'q'],
  ])('?%s is 400, and the response names %s', async (query, field) => {
    const { status, json } = await service.send(`GET ${path}?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ field }]);
  });

  test('a record is read, a client that has it gets 304, and invalid ids are rejected', async () => {
    const { status, json, headers } = await service.send(`GET ${path}/2`);
    expect(status).toBe(200);
    expect(json).toEqual(shown(records[1]));
    expect(Object.keys(json)).toEqual(Object.keys(records[1] ?? {}));
    const etag = headers.etag as string;
    const known = { headers: { 'If-None-Match': etag } };
    expect((await service.send(`GET ${path}/2`, known)).status).toBe(304);
    expect((await service.send(`HEAD ${path}/2`)).headers.etag).toBe(etag);
    const missing = await service.send(`GET ${path}/99999`);
    expect(missing.status).toBe(404);
    expect(missing.json.message).toBe(`There is no ${noun} 99999. GET ${path} lists all.`);
    expect((await service.send(`GET ${path}/one`)).status).toBe(400);
  });

  test('a record is created with its defaults, replaced, changed and deleted', async () => {
    const created = await send(`POST ${path}`, { json: sent });
    expect(created.status, created.text).toBe(201);
    const id = size + 1;
    expect(created.json).toMatchObject({ id, ...sent, ...defaults });
    expect(Object.keys(created.json)).toEqual(Object.keys(records[0] ?? {}));
    expect(created.headers.location).toBe(`${service.url}${path}/${id}`);
    const read = await send(`GET ${path}/${id}`);
    expect(read.json).toEqual(created.json);
    expect(read.headers.etag).toBe(created.headers.etag);

    const ifMatch = { headers: { 'If-Match': read.headers.etag as string } };
    const changed = await send(`PATCH ${path}/${id}`, { json: change, ...ifMatch });
    expect(changed.json).toEqual({ ...created.json, ...change });
    expect((await send(`PATCH ${path}/${id}`, { json: change, ...ifMatch })).status).toBe(412);
    // A client may send back what it read, unchanged.
    const replaced = await send(`PUT ${path}/${id}`, { json: changed.json, ...anyState });
    expect(replaced.json).toEqual(changed.json);
    expect(replaced.headers.etag).toBe(changed.headers.etag);
    const again = await send(`PUT ${path}/${id}`, { json: sent, ...anyState });
    expect(again.json).toEqual(created.json);

    const gone = name === 'todos' ? 410 : 404;
    expect((await send(`DELETE ${path}/${id}`, anyState)).status).toBe(204);
    expect((await send(`GET ${path}/${id}`)).status).toBe(gone);
    expect((await send(`DELETE ${path}/${id}`, anyState)).status).toBe(gone);
    expect((await send(`PUT ${path}/${id}`, { json: sent, ...anyState })).status).toBe(gone);
    expect((await send(`PATCH ${path}/${id}`, { json: change, ...anyState })).status).toBe(gone);
    expect((await send(`POST ${path}`, { json: sent })).json.id).toBe(id + 1);
  });

  test('null in a patch is the default, and in a replacement it is rejected', async () => {
    const { record } = collections.find((each) => each.name === name) ?? {};
    const optional = Object.entries(record?.fields ?? {}).filter(([, each]) => hasDefault(each));
    const created = await send(`POST ${path}`, { json: sent });
    const { id } = created.json;
    for (const [field, schema] of optional) {
      const json = { [field]: null };
      const merged = { 'Content-Type': 'application/merge-patch+json', ...anyState.headers };
      const patches = [
        send(`PATCH ${path}/${id}`, { json, ...anyState }),
        send(`PATCH ${path}/${id}`, { body: JSON.stringify(json), headers: merged }),
      ];
      for (const { status, json: patched } of await Promise.all(patches)) {
        expect([field, status, patched]).toEqual([field, 200, created.json]);
      }
      const operation = { method: 'PATCH', id, body: json, ifMatch: '*' };
      const batch = await send(`POST ${path}/batch`, { json: { operations: [operation] } });
      expect(batch.json.results).toEqual([{ status: 200, body: created.json }]);
      const isNullable = [(schema as { type?: unknown }).type].flat().includes('null');
      const whole = { json: { ...sent, ...json }, ...anyState };
      const replaced = await send(`PUT ${path}/${id}`, whole);
      expect([field, replaced.status]).toEqual([field, isNullable ? 200 : 400]);
    }
  });

  test('the response names all missing fields at once, and unknown ones are rejected', async () => {
    const missing = await send(`POST ${path}`, { json: {} });
    expect(missing.status).toBe(400);
    expect(missing.json.errors).toEqual(
      Object.keys(sent).map((field) => ({
        field,
        message: expect.stringMatching(`^${field} is missing(?:; it must be .+)?\\.$`),
      })),
    );
    const unknown = await send(`POST ${path}`, { json: { ...sent, colour: 'red', id: 1 } });
    expect(unknown.json.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'colour',
      'id',
    ]);
    for (const field of Object.keys(records[0] ?? {})) {
      if (field === 'id') continue;
      const wrong = await send(`POST ${path}`, { json: { ...sent, [field]: { x: [1] } } });
      expect([field, wrong.status]).toEqual([field, 400]);
      expect(wrong.json.errors[0].field.split('.')[0]).toBe(field);
      const whole = await send(`PATCH ${path}/1`, { json: { [field]: [{}] }, ...anyState });
      expect([field, whole.status]).toEqual([field, 400]);
    }
    expect((await send(`POST ${path}`, { body: 'x' })).status).toBe(415);
    expect((await send(`POST ${path}`)).status).toBe(400);
    expect((await send(`PATCH ${path}/1`, { body: 'x' })).status).toBe(415);
  });

  test.each([
    ['DELETE', '', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/1', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['POST', '/count', 'GET, HEAD'],
  ])('%s of %s is 405, and %s are allowed', async (method, below, allow) => {
    const { status, headers } = await service.send(`${method} ${path}${below}`);
    expect(status).toBe(405);
    expect(headers.allow).toBe(allow);
  });
});
