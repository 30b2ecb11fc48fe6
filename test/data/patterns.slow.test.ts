/** The write patterns, which every collection supports alike. */

import { describe, expect, test } from 'vitest';
import { collections } from '../../src/areas/data/built-in/collections.js';
import { type SendOptions, useService } from '../support/service.js';
import { newRecords } from './new-records.js';

const service = useService();

/** The condition that companies require; it changes nothing elsewhere. */
const anyState = { 'If-Match': '*' };

const jsonPatch = { 'Content-Type': 'application/json-patch+json' };

describe.each(newRecords)('$title', ({ title, name, sent, change }) => {
  const path = `/api/${title}`;
  const [field = '', value] = Object.entries(change)[0] ?? [];

  /** Sends requests in a new sandbox. */
  function inSandbox(of: string) {
    return (target: string, { headers, ...options }: SendOptions = {}) => {
      const all = { 'X-Sandbox': `${name}-${of}`, ...(headers as Record<string, string>) };
      return service.send(target, { ...options, headers: all });
    };
  }

  test('a POST with a key is executed once, whatever happens in between', async () => {
    const send = inSandbox('key');
    const headers = { 'Idempotency-Key': '"8e03978e-40d5"' };
    const first = await send(`POST ${path}`, { headers, json: sent });
    expect(first.status, first.text).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    await send(`DELETE ${path}/${first.json.id}`, { headers: anyState });
    const again = await send(`POST ${path}`, {
      headers: { 'Idempotency-Key': '8e03978e-40d5' },
      json: sent,
    });
    expect(again.headers['idempotency-replayed']).toBe('true');
    for (const each of ['etag', 'location', 'last-modified', 'content-type']) {
      expect(again.headers[each], each).toBe(first.headers[each]);
    }
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await send(`POST ${path}`, { headers, json: { ...sent, ...change, id: 1 } });
    expect(other.status).toBe(422);
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
  });

  test('a PATCH with a key is executed once, and a rejected one is rejected again', async () => {
    const send = inSandbox('key-patch');
    const headers = { ...anyState, ...jsonPatch, 'Idempotency-Key': 'a' };
    const json = [{ op: 'replace', path: `/${field}`, value }];
    const first = await send(`PATCH ${path}/1`, { headers, json });
    expect(first.status, first.text).toBe(200);
    const again = await send(`PATCH ${path}/1`, { headers, json });
    expect([again.status, again.text]).toEqual([200, first.text]);
    // Another path is another request.
    expect((await send(`PATCH ${path}/2`, { headers, json })).headers).not.toHaveProperty(
      'idempotency-replayed',
    );
    const rejected = { ...headers, 'Idempotency-Key': 'b', 'If-Match': '"old"' };
    expect((await send(`PATCH ${path}/1`, { headers: rejected, json })).status).toBe(412);
    const replay = await send(`PATCH ${path}/1`, { headers: rejected, json });
    expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([412, 'true']);
    const faulty = { headers: { 'Idempotency-Key': 'c' }, json: {} };
    expect((await send(`POST ${path}`, faulty)).status).toBe(400);
    const { status, headers: said } = await send(`POST ${path}`, faulty);
    expect([status, said['idempotency-replayed']]).toEqual([400, 'true']);
  });

  test('a response is as short as the client prefers', async () => {
    const send = inSandbox('prefer');
    const headers = { ...anyState, Prefer: 'return=minimal' };
    const created = await send(`POST ${path}`, {
      headers: { Prefer: 'return=minimal' },
      json: sent,
    });
    expect([created.status, created.text]).toEqual([201, '']);
    expect(created.headers['preference-applied']).toBe('return=minimal');
    const id = created.headers.location?.split('/').at(-1);
    const changed = await send(`PATCH ${path}/${id}`, { headers, json: change });
    expect([changed.status, changed.text]).toEqual([204, '']);
    const { headers: now, json } = await send(`GET ${path}/${id}`);
    expect(json).toMatchObject(change);
    expect(now.etag).toBe(changed.headers.etag);
    const long = { ...anyState, Prefer: 'return=representation, foo; bar=1' };
    const whole = await send(`PUT ${path}/${id}`, { headers: long, json });
    expect([whole.status, whole.json]).toEqual([200, json]);
    expect(whole.headers['preference-applied']).toBe('return=representation');
    const strict = { ...anyState, Prefer: 'handling=strict' };
    for (const target of [
      `GET ${path}/1?colour=red`,
      `DELETE ${path}/1?colour=red`,
      `PATCH ${path}/1?colour=red`,
    ]) {
      const body = target.startsWith('PATCH') ? { json: change } : {};
      const { status, json: error } = await send(target, { headers: strict, ...body });
      expect([target, status, error.errors?.[0].field]).toEqual([target, 400, 'colour']);
    }
    expect((await send(`GET ${path}/1?colour=red&delay=0`)).status).toBe(200);
    const read = await send(`GET ${path}?limit=1`, { headers: strict });
    expect([read.status, read.headers['preference-applied']]).toEqual([200, 'handling=strict']);
  });

  test('a write becomes a job, whose result exists when it is due', async () => {
    const send = inSandbox('jobs');
    const headers = { Prefer: 'respond-async' };
    const accepted = await send(`POST ${path}?jobSeconds=60`, { headers, json: sent });
    expect(accepted.status, accepted.text).toBe(202);
    expect(accepted.headers['preference-applied']).toBe('respond-async');
    expect(accepted.headers['retry-after']).toBe('60');
    const [, job = ''] = accepted.headers.location?.split(service.url) ?? [];
    expect(job).toMatch(/^\/api\/jobs\/[\w-]+$/);
    const size = (await send(`GET ${path}/count`)).json.count;
    const early = (await send(`GET ${job}`)).json;
    expect(early.result).toBeNull();
    expect(early.progress).toBeLessThan(50);
    await send('PUT /api/sandbox/clock', { json: { offsetSeconds: 30 } });
    const running = await send(`GET ${job}`);
    expect(running.json).toMatchObject({ status: 'running', error: null });
    expect(running.json.progress).toBeGreaterThanOrEqual(50);
    expect(Number(running.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect((await send(`GET ${path}/count`)).json.count).toBe(size);
    await send('PUT /api/sandbox/clock', { json: { offsetSeconds: 61 } });
    expect((await send(`GET ${path}/count`)).json.count).toBe(size + 1);
    const done = await send(`GET ${job}`);
    expect([done.status, done.json.status, done.json.progress]).toEqual([303, 'succeeded', 100]);
    expect(done.headers.location).toBe(done.json.result);
    const [, result = ''] = done.json.result.split(service.url);
    expect((await send(`GET ${result}`)).json).toMatchObject(sent);
    expect((await send(`DELETE ${job}`)).status).toBe(409);
    expect((await send(`POST ${path}?jobSeconds=0`, { headers, json: {} })).status).toBe(400);
  });

  test('a batch executes each operation separately, or all or none', async () => {
    const send = inSandbox('batch');
    const tag = (await send(`GET ${path}/2`)).headers.etag;
    const missing = { method: 'DELETE', id: 99999, ifMatch: '*' };
    const operations = [
      { method: 'POST', body: sent },
      { method: 'PATCH', id: 1, body: change, ifMatch: '*' },
      { method: 'PATCH', id: 2, body: [{ op: 'replace', path: `/${field}`, value }], ifMatch: tag },
      { method: 'DELETE', id: 3, ifMatch: '*' },
      missing,
      { method: 'POST', body: {} },
    ];
    const before = (await send(`GET ${path}`)).text;
    const last = { operations, atomic: true };
    const failed = await send(`POST ${path}/batch`, { json: last });
    expect([failed.status, failed.json.index]).toEqual([404, 4]);
    expect((await send(`GET ${path}`)).text).toBe(before);
    const rest = operations.slice(0, 4);
    for (let position = 0; position <= rest.length; position++) {
      const json = { operations: rest.toSpliced(position, 0, missing), atomic: true };
      const failing = await send(`POST ${path}/batch`, { json });
      expect([failing.status, failing.json.index]).toEqual([404, position]);
      expect((await send(`GET ${path}`)).text).toBe(before);
    }
    const strictly = await send(`POST ${path}/batch`, {
      headers: { Prefer: 'handling=strict' },
      json: { operations: [{ ...operations[0], colour: 'red' }], atomic: true, size: 1 },
    });
    const strange = strictly.json.errors?.map(({ field: name }: { field: string }) => name);
    expect([strictly.status, strange]).toEqual([400, ['size', 'operations.0.colour']]);
    const { status, json } = await send(`POST ${path}/batch`, { json: { operations } });
    expect(status, JSON.stringify(json)).toBe(207);
    const statuses = json.results.map((each: { status: number }) => each.status);
    expect(statuses).toEqual([201, 200, 200, 204, 404, 400]);
    expect(json.results[1].body).toMatchObject(change);
    expect(json.results[3].body).toBeNull();
    expect(json.results[5].body.errors.length).toBeGreaterThan(0);
    expect((await send(`GET ${path}/1`)).json).toEqual(json.results[1].body);
    const good = { operations: [{ method: 'POST', body: sent }], atomic: true };
    expect((await send(`POST ${path}/batch`, { json: good })).status).toBe(200);
  });

  test('a batch has 100 operations at most', async () => {
    const send = inSandbox('batch-size');
    const batch = (size: number) => {
      const operations = Array.from({ length: size }, () => ({ method: 'DELETE', id: 'none' }));
      return send(`POST ${path}/batch`, { json: { operations } });
    };
    expect((await batch(101)).status).toBe(400);
    const most = await batch(100);
    expect([most.status, most.json.results?.length ?? most.text]).toEqual([207, 100]);
  });

  test('JSON patches are applied completely or not at all', async () => {
    const send = inSandbox('patch');
    const before = await send(`GET ${path}/1`);
    const headers = { ...anyState, ...jsonPatch };
    const patch = (json: unknown) => send(`PATCH ${path}/1`, { headers, json });
    const replace = { op: 'replace', path: `/${field}`, value };
    const failed = await patch([replace, { op: 'test', path: `/${field}`, value: 'other' }]);
    expect([failed.status, failed.json.index, failed.json.path]).toEqual([409, 1, `/${field}`]);
    expect((await patch([{ op: 'remove', path: '/no/such' }])).json.index).toBe(0);
    expect((await patch([{ op: 'add', path: '/strange', value: 1 }])).status).toBe(400);
    expect((await patch([{ op: 'replace', path: '/id', value: 2 }])).status).toBe(400);
    expect((await patch([{ op: 'replace', path: '', value: [] }])).status).toBe(400);
    expect((await patch([{ op: 'remove', path: '' }])).status).toBe(400);
    expect((await patch({ op: 'remove', path: '' })).status).toBe(400);
    expect((await send(`GET ${path}/1`)).text).toBe(before.text);
    const tested = { op: 'test', path: `/${field}`, value: before.json[field] };
    const { status, json } = await patch([tested, replace]);
    expect([status, json]).toEqual([200, { ...before.json, ...change }]);
  });

  test('OPTIONS lists what is supported', async () => {
    const all = await service.send(`OPTIONS ${path}`);
    expect([all.status, all.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    expect(all.headers['accept-post']).toContain('application/json');
    const one = await service.send(`OPTIONS ${path}/1`);
    expect(one.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
    expect(one.headers['accept-patch']).toContain('application/json-patch+json');
  });

  test('dates are conditions, too', async () => {
    const send = inSandbox('dates');
    const { headers } = await send(`GET ${path}/1`);
    const known = headers['last-modified'] as string;
    expect((await send(`GET ${path}/1`, { headers: { 'If-Modified-Since': known } })).status).toBe(
      304,
    );
    const unchanged = { 'If-Unmodified-Since': known };
    const changed = await send(`PATCH ${path}/1`, { headers: unchanged, json: change });
    expect(changed.status).toBe(200);
    const modified = Date.parse(changed.headers['last-modified'] as string);
    expect(modified).toBeGreaterThan(Date.parse(known));
    expect((await send(`GET ${path}/1`)).headers['last-modified']).toBe(
      changed.headers['last-modified'],
    );
    expect((await send(`PATCH ${path}/1`, { headers: unchanged, json: change })).status).toBe(412);
    expect((await send(`DELETE ${path}/1`, { headers: unchanged })).status).toBe(412);
    expect((await send(`GET ${path}/1`, { headers: unchanged })).status).toBe(412);
  });

  test('changes are listed, one for each record', async () => {
    const send = inSandbox('changes');
    const start = (await send(`GET ${path}/changes`)).json;
    expect(start.changes).toEqual([]);
    const created = await send(`POST ${path}`, { json: sent });
    await send(`PATCH ${path}/${created.json.id}`, { headers: anyState, json: change });
    await send(`DELETE ${path}/2`, { headers: anyState });
    const next = await send(`GET ${path}/changes?since=${start.token}`);
    expect(next.json.changes).toMatchObject([
      { id: created.json.id, kind: 'created', record: { ...created.json, ...change } },
      { id: 2, kind: 'deleted', record: { id: 2 } },
    ]);
    const since = `${path}/changes?since=${next.json.token}`;
    expect((await send(`GET ${since}`)).json).toEqual({ changes: [], token: next.json.token });
    const waiting = send(`GET ${since}&wait=60`);
    await send(`PATCH ${path}/1`, { headers: anyState, json: change });
    expect((await waiting).json.changes).toMatchObject([{ id: 1, kind: 'updated' }]);
    await send('DELETE /api/sandbox');
    expect((await send(`GET ${since}`)).status).toBe(410);
    expect((await send(`GET ${path}/changes?since=now`)).status).toBe(400);
  });

  test('several records are read by their ids, in that order', async () => {
    const { json } = await service.send(`GET ${path}?id=3,1,99999,3`);
    expect(json.map(({ id }: { id: number }) => id)).toEqual([3, 1]);
    const page = await service.send(`GET ${path}?id=3,2,1&limit=1&page=2`);
    expect(page.json.map(({ id }: { id: number }) => id)).toEqual([2]);
    expect(page.headers['x-total-count']).toBe('3');
    expect((await service.send(`GET ${path}?id=1,one`)).json.errors).toMatchObject([
      { field: 'id' },
    ]);
  });

  test('PUT creates an unknown record on request, and generated ids continue above it', async () => {
    const send = inSandbox('upsert');
    expect(
      (await send(`PUT ${path}/5000`, { headers: { 'If-None-Match': '*' }, json: sent })).status,
    ).toBe(404);
    const put = (id: string, headers = {}) =>
      send(`PUT ${path}/${id}?upsert=true`, {
        headers: { 'If-None-Match': '*', ...headers },
        json: sent,
      });
    const made = await put('5000');
    expect(made.status, made.text).toBe(201);
    expect(made.headers.location).toBe(`${service.url}${path}/5000`);
    expect(made.json).toMatchObject({ id: 5000, ...sent });
    expect((await put('5000')).status).toBe(412);
    expect((await send(`POST ${path}`, { json: sent })).json.id).toBe(5001);
    expect((await put('6000', { 'If-Match': '*' })).status).toBe(412);
    for (const id of ['0', '-1', '9007199254740991']) expect((await put(id)).status, id).toBe(400);
    expect(
      (await send(`PUT ${path}/1?upsert=maybe`, { headers: anyState, json: sent })).status,
    ).toBe(400);
  });
});

test('some collections have a trash, and some require conditions', () => {
  expect(
    collections.filter(({ record }) => record.demandsCondition).map(({ name }) => name),
  ).toEqual(['companies']);
});

test.each([
  ['PUT', {}],
  ['PATCH', { name: 'Other' }],
  ['DELETE', undefined],
])('%s of a company without a condition is 428, and changes nothing', async (method, json) => {
  const headers = { 'X-Sandbox': 'companies-condition' };
  const before = (await service.send('GET /api/Companies/1', { headers })).text;
  const rejected = await service.send(`${method} /api/Companies/1`, { headers, json });
  expect(rejected.status, rejected.text).toBe(428);
  expect(rejected.json.message).toContain('If-Match');
  expect((await service.send('GET /api/Companies/1', { headers })).text).toBe(before);
});
