import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const bins = '/api/webhooks/bins';

async function makeBin(settings?: object): Promise<string> {
  const { status, json } = await service.send(
    `POST ${bins}`,
    settings === undefined ? {} : { json: settings },
  );
  expect(status).toBe(201);
  return json.id;
}

describe('a new bin', () => {
  test('has a URL to send to and a URL to inspect', async () => {
    const { status, headers, json } = await service.send(`POST ${bins}`, {
      json: { name: 'Mine' },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Mine',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      url: `${service.url}/api/webhooks/${json.id}`,
      inspectUrl: `${service.url}/bins#${json.id}`,
      requestCount: 0,
      response: null,
    });
    expect(headers.location).toBe(`${service.url}${bins}/${json.id}`);
    const read = await service.send(`GET ${bins}/${json.id}`);
    expect(read.json).toEqual({ ...json, requests: [] });
  });

  test('needs no body, and accepts an empty one', async () => {
    for (const options of [{}, { json: {} }, { headers: { 'Content-Type': 'application/json' } }]) {
      const { status, json } = await service.send(`POST ${bins}`, options);
      expect(status).toBe(201);
      expect(json.name).toBeNull();
    }
  });

  test.each([
    [{ name: 5 }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'x\u0000' }, 'name'],
    [{ name: '\u202egnirts' }, 'name'],
    [{ name: 'half \ud83d' }, 'name'],
    [{ nam: 'x' }, 'nam'],
    [{ response: 'x' }, 'response'],
    [{ response: { status: 199 } }, 'response.status'],
    [{ response: { status: 600 } }, 'response.status'],
    [{ response: { status: 200.5 } }, 'response.status'],
    [{ response: { status: '200' } }, 'response.status'],
    [{ response: { body: {} } }, 'response.body'],
    [{ response: { headers: 'X-A: 1' } }, 'response.headers'],
    [{ response: { headers: null } }, 'response.headers'],
    [{ response: { headers: { 'X-A': 1 } } }, 'response.headers.X-A'],
    [{ response: { headers: { 'X-A': ['1', 2] } } }, 'response.headers.X-A.1'],
    [{ response: { headers: { 'X-A': [] } } }, 'response.headers.X-A'],
    [{ response: { headers: ['X-A', '1'] } }, 'response.headers.0'],
    [{ response: { headers: [[]] } }, 'response.headers.0'],
    [{ response: { headers: [['X-A', '1'], ['X-B']] } }, 'response.headers.1'],
    [{ response: { headers: [['X-A', '1', '2']] } }, 'response.headers.0'],
    [{ response: { headers: [['X-A', 1]] } }, 'response.headers.0.1'],
    [{ response: { headers: [{ 'X-A': '1' }] } }, 'response.headers.0'],
    [{ response: { headers: [null] } }, 'response.headers.0'],
    [{ response: { headers: { 'Content-Length': '1' } } }, 'response.headers.Content-Length'],
    [{ response: { headers: [['x-ACCEL-redirect', '/x']] } }, 'response.headers.0'],
    [{ response: { headers: { 'cf-x': '1' } } }, 'response.headers.cf-x'],
    [{ response: { headers: [['Set-Cookie', 'a=b']] } }, 'response.headers.0'],
    [{ response: { headers: [['Trailer', 'X-A']] } }, 'response.headers.0'],
    [{ response: { delay: 1 } }, 'response.delay'],
    [[], ''],
    ['x', ''],
  ])('is rejected with the body %j', async (json, field) => {
    const response = await service.send(`POST ${bins}`, { json });
    expect(response.status).toBe(400);
    expect(response.json.errors[0].field).toBe(field);
  });

  test('has a name of up to 100 characters of any kind', async () => {
    const name = '🐎'.repeat(100);
    const id = await makeBin({ name });
    expect((await service.send(`GET ${bins}/${id}`)).json.name).toBe(name);
  });

  test('has an id unlike the previous one', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => makeBin()));
    expect(new Set(ids).size).toBe(20);
    const places = Array.from({ length: 22 }, (_, place) => new Set(ids.map((id) => id[place])));
    for (const characters of places) expect(characters.size).toBeGreaterThan(3);
  });
});

test('a bin can get a new name or a response, each separately', async () => {
  const id = await makeBin({ name: 'before' });
  const response = { status: 201, headers: { 'X-A': '1' }, body: 'ok' };
  const changed = await service.send(`PATCH ${bins}/${id}`, { json: { response } });
  expect(changed.json).toMatchObject({ name: 'before', response });
  const renamed = await service.send(`PATCH ${bins}/${id}`, { json: { name: null } });
  expect(renamed.json).toMatchObject({ name: null, response });
  const cleared = await service.send(`PATCH ${bins}/${id}`, { json: { response: null } });
  expect(cleared.json.response).toBeNull();
  const named = await service.send(`PATCH ${bins}/${id}`, { json: { name: 'a\tb' } });
  expect(named.status).toBe(400);
  expect(named.json.message).toContain('U+0009 is its character 2');
  const pairs = [
    ['X-A', '1'],
    ['X-A', '2'],
  ];
  const listed = await service.send(`PATCH ${bins}/${id}`, {
    json: { response: { headers: pairs } },
  });
  expect(listed.json.response).toEqual({ status: 200, headers: pairs, body: '' });
  expect((await service.send(`GET ${bins}/${id}`)).json.response).toEqual(listed.json.response);
  const defaults = await service.send(`PATCH ${bins}/${id}`, { json: { response: {} } });
  expect(defaults.json.response).toEqual({ status: 200, headers: {}, body: '' });
  expect((await service.send(`PATCH ${bins}/${id}`)).status).toBe(400);
});

describe('an unknown bin', () => {
  const id = 'A'.repeat(22);
  test.each([
    `GET ${bins}/${id}`,
    `PATCH ${bins}/${id}`,
    `DELETE ${bins}/${id}`,
    `GET ${bins}/${id}/requests`,
    `GET ${bins}/${id}/requests?wait=5`,
    `DELETE ${bins}/${id}/requests`,
    `GET ${bins}/${id}/requests/1`,
    `DELETE ${bins}/${id}/requests/1`,
    `GET ${bins}/${id}/requests/1/body`,
    `GET ${bins}/${id}/events`,
    `POST /api/webhooks/${id}`,
    `GET /api/webhooks/${id}/below`,
    `GET ${bins}/__proto__`,
    `GET ${bins}/short`,
  ])('%s is 404', async (target) => {
    const { status, json } = await service.send(
      target,
      target.startsWith('PATCH') ? { json: {} } : {},
    );
    expect(status).toBe(404);
    expect(json.message).toContain('POST /api/webhooks/bins');
  });
});

describe('fixed paths never capture', () => {
  test.each([
    ['POST', '/api/webhooks/', 'GET, HEAD'],
    ['PUT', bins, 'GET, HEAD, POST'],
    ['OPTIONS', bins, 'GET, HEAD, POST'],
    ['POST', '/api/webhooks/samples', 'GET, HEAD'],
    ['PURGE', '/API/Webhooks/SAMPLES/', 'GET, HEAD'],
    ['SEARCH', `${bins}?status=201`, 'GET, HEAD, POST'],
    ['DELETE', '/api/webhooks/samples/stripe', 'GET, HEAD, POST'],
    ['GET', '/api/webhooks/verify/stripe', 'POST'],
    ['POST', `${bins}/${'A'.repeat(22)}`, 'DELETE, GET, HEAD, PATCH'],
  ])('%s %s is 405', async (method, path, allow) => {
    const { status, headers } = await service.send(`${method} ${path}`);
    expect(status).toBe(405);
    expect(headers.allow).toBe(allow);
  });

  test.each(['/api/webhooks/verify', '/api/webhooks/bin', '/api/webhooks/bins/a/b'])(
    '%s is 404',
    async (path) => {
      expect((await service.send(`POST ${path}`)).status).toBe(404);
    },
  );
});

describe('bins of a sandbox', () => {
  const own = { headers: { 'X-Sandbox': 'own' } };
  const makeOwn = async (name: string): Promise<string> =>
    (await service.send(`POST ${bins}`, { ...own, json: { name } })).json.id;
  beforeEach(async () => {
    expect((await service.send('DELETE /api/sandbox', own)).status).toBe(204);
  });

  test('are listed newest first, each with its number of captures', async () => {
    expect((await service.send(`GET ${bins}`, own)).json).toEqual([]);
    const first = await makeOwn('first');
    const second = await makeOwn('second');
    await service.send(`POST /api/webhooks/${first}`);
    const { json } = await service.send(`GET ${bins}`, own);
    expect(
      json.map(({ id, requestCount }: { id: string; requestCount: number }) => [id, requestCount]),
    ).toEqual([
      [second, 0],
      [first, 1],
    ]);
  });

  test('bin 101 evicts the first with its captures, and the other 100 stay', async () => {
    const first = await makeOwn('first');
    await service.send(`POST /api/webhooks/${first}`, { body: 'x' });
    // Used and changed since: only the creation time matters.
    await service.send(`PATCH ${bins}/${first}`, { ...own, json: { name: 'still the first' } });
    const others = [];
    for (let count = 2; count <= 100; count++) others.push(await makeOwn('other'));
    expect((await service.send(`GET ${bins}`, own)).json).toHaveLength(100);
    expect((await service.send(`GET ${bins}/${first}`, own)).status).toBe(200);
    others.push(await makeOwn('one more'));
    const ids = (await service.send(`GET ${bins}`, own)).json.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(others.reverse());
    expect((await service.send(`GET ${bins}/${first}`, own)).status).toBe(404);
    expect((await service.send(`POST /api/webhooks/${first}`)).status).toBe(404);
  });
});

test('bins of the shared sandbox are not listed, and the response says how to get a list', async () => {
  const id = await makeBin({ name: 'a secret' });
  for (const method of ['GET', 'HEAD']) {
    const { status, text } = await service.send(`${method} ${bins}`);
    expect(status).toBe(403);
    expect(text).not.toContain(id);
    if (method === 'GET') expect(JSON.parse(text).message).toContain('X-Sandbox: any-name');
  }
});

test('the index lists every endpoint of webhooks', async () => {
  const { status, json } = await service.send('GET /api/webhooks');
  expect(status).toBe(200);
  const listed = json.endpoints.map(
    ({ method, path }: { method: string; path: string }) => `${method} ${path}`,
  );
  expect(listed).toContain('ANY /api/webhooks/{binId}');
  expect(listed).toContain('ANY /api/webhooks/{binId}/{subPath}');
  expect(listed).toContain('GET /api/webhooks/bins/{id}/requests/{requestId}/body');
  expect(new Set(listed).size).toBe(listed.length);
  for (const { path, summary } of json.endpoints) {
    expect(path).toMatch(/^\/api\/webhooks\/./);
    expect(summary).not.toBe('');
  }
});

describe('deleting and emptying', () => {
  test('a deleted bin captures no more, and deleting it again is 404', async () => {
    const id = await makeBin();
    expect((await service.send(`DELETE ${bins}/${id}`)).status).toBe(204);
    expect((await service.send(`DELETE ${bins}/${id}`)).status).toBe(404);
    expect((await service.send(`POST /api/webhooks/${id}`)).status).toBe(404);
  });

  test('one capture is deleted, and the others keep their ids', async () => {
    const id = await makeBin();
    const ids: string[] = [];
    for (const path of ['a', 'b', 'c']) {
      ids.push((await service.send(`POST /api/webhooks/${id}/${path}`)).json.requestId);
    }
    const target = `${bins}/${id}/requests/${ids[1]}`;
    const both = await Promise.all([1, 2].map(() => service.send(`DELETE ${target}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await service.send(`GET ${target}`)).status).toBe(404);
    const left = (await service.send(`GET ${bins}/${id}`)).json;
    expect(left.requestCount).toBe(2);
    expect(left.requests.map((each: { id: string }) => each.id)).toEqual([ids[2], ids[0]]);
    const next = await service.send(`POST /api/webhooks/${id}`);
    expect(Number(next.json.requestId)).toBeGreaterThan(Number(ids[2]));
    for (const wrong of ['0', '-1', '1e3', '999999999999999', 'x']) {
      const { status, json } = await service.send(`DELETE ${bins}/${id}/requests/${wrong}`);
      expect([status, json.message]).toEqual([404, expect.stringContaining('no captured request')]);
    }
  });

  test('an emptied bin continues to capture, with ids never used before', async () => {
    const id = await makeBin();
    const before = await service.send(`POST /api/webhooks/${id}`);
    expect((await service.send(`DELETE ${bins}/${id}/requests`)).status).toBe(204);
    expect((await service.send(`GET ${bins}/${id}/requests`)).json).toEqual([]);
    const after = await service.send(`POST /api/webhooks/${id}`);
    expect(Number(after.json.requestId)).toBeGreaterThan(Number(before.json.requestId));
    const gone = await service.send(`GET ${bins}/${id}/requests/${before.json.requestId}`);
    expect(gone.status).toBe(404);
  });
});

describe('a response in bytes', () => {
  const gzipped = gzipSync('practice');
  const tooLong = 'A'.repeat(88 * 1024);

  const captureWith = async (response: object, status = 200) => {
    const created = await service.send('POST /api/webhooks/bins', { json: { response } });
    expect(created.status).toBe(201);
    const { pathname } = new URL(created.json.url);
    return { bin: created.json, captured: await service.send(`POST ${pathname}?status=${status}`) };
  };

  test.each([200, 304])('is sent with its content coding and status %i', async (status) => {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' };
    const bodyBase64 = gzipped.toString('base64');
    const { captured } = await captureWith({ headers, bodyBase64 }, status);
    expect([captured.status, captured.headers['content-encoding']]).toEqual([status, 'gzip']);
    expect(captured.bytes).toEqual(status === 200 ? gzipped : Buffer.alloc(0));
  });

  test('has headers in UTF-8, and is shown as it was written', async () => {
    const response = { headers: { 'X-A': '안녕' }, headerEncoding: 'utf-8' };
    const { bin, captured } = await captureWith(response);
    expect(bin.response).toMatchObject(response);
    expect(Buffer.from(String(captured.headers['x-a']), 'latin1').toString()).toBe('안녕');
  });

  test.each([
    [{ body: 'a', bodyBase64: 'YQ==' }, 'response.bodyBase64'],
    [{ bodyBase64: 'YQ' }, 'response.bodyBase64'],
    [{ bodyBase64: tooLong }, 'response.bodyBase64'],
    [{ headerEncoding: 'utf-16' }, 'response.headerEncoding'],
    [{ headers: { 'X-A': '안녕' } }, 'response.headers.X-A'],
  ])('is rejected when it is wrong, case %#', async (response, field) => {
    const { status, json } = await service.send('POST /api/webhooks/bins', { json: { response } });
    expect([status, json.errors[0].field]).toEqual([400, field]);
  });
});
