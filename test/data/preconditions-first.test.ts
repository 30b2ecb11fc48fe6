/** Conditions of writes come before their content: RFC 9110 section 13.2.1. */

import { beforeEach, describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const own = { 'X-Sandbox': 'conditions-first' };
const json = { ...own, 'Content-Type': 'application/json' };

beforeEach(async () => {
  await send('POST /api/sandbox/reset', { headers: own });
  const data = { posts: [{ id: 1, title: 'a' }], profile: { name: 'Ada' } };
  await send('PUT /api/sandbox/data', { headers: own, json: data });
});

const targets = ['/api/Books/1', '/api/Todos/1', '/my/posts/1', '/my/profile', '/api/http/cache/x'];
const bodies = {
  right: '{}',
  'wrong by schema': '{"title":5,"id":7}',
  'no object': '[1]',
  malformed: '{"a',
};
const longAgo = 'Sat, 01 Jan 2000 00:00:00 GMT';

describe.each(targets)('%s', (path) => {
  const methods = path.includes('cache') ? ['PUT'] : ['PUT', 'PATCH'];
  describe.each(methods)('%s', (method) => {
    test.each(Object.entries(bodies))('is 412 with a body that is %s', async (_name, body) => {
      const dated = path.includes('cache') ? [] : [{ 'If-Unmodified-Since': longAgo }];
      for (const condition of [{ 'If-Match': '"nope"' }, ...dated]) {
        const headers = { ...json, ...condition };
        const { status } = await send(`${method} ${path}`, { headers, body });
        expect([status, condition]).toEqual([412, condition]);
      }
    });

    test.each(Object.entries(bodies))(
      'is 412 with a key, too, with a body that is %s',
      async (name, body) => {
        const headers = { ...json, 'If-Match': '"nope"', 'Idempotency-Key': `"${name}"` };
        const [once, again] = [
          await send(`${method} ${path}`, { headers, body }),
          await send(`${method} ${path}`, { headers, body }),
        ];
        expect([once.status, again.status]).toEqual([412, 412]);
      },
    );

    test('is 400 with a malformed body and the right condition', async () => {
      const { headers } = await send(`GET ${path}`, { headers: own });
      const match = { ...json, 'If-Match': String(headers.etag) };
      const { status } = await send(`${method} ${path}`, { headers: match, body: '{"a' });
      expect(status).toBe(path.includes('cache') ? 200 : 400);
    });
  });
});

test.each([
  ['404 of a record', 'PUT /api/Books/99999', json, 404],
  ['404 of own data', 'PATCH /my/nothing/1', json, 404],
  ['405', 'PUT /my/posts', json, 405],
  ['415', 'PUT /api/Books/1', { ...own, 'Content-Type': 'image/png' }, 415],
  ['415 of a patch', 'PATCH /api/Books/1', { ...own, 'Content-Type': 'text/csv' }, 415],
])('%s comes before 412', async (_name, target, headers, expected) => {
  const { status } = await send(target, {
    headers: { ...headers, 'If-Match': '"nope"' },
    body: '{',
  });
  expect(status).toBe(expected);
});

test('conditions of the members of a batch come before their bodies', async () => {
  const operations = [
    { method: 'PUT', id: 1, ifMatch: '"nope"', body: { title: 5 } },
    { method: 'PATCH', id: 1, ifMatch: '"nope"', body: [{ op: 'wrong' }] },
    { method: 'PUT', id: 1, ifMatch: '"nope"', body: 5 },
    { method: 'PUT', id: 1, body: 5 },
  ];
  const { json: response } = await send('POST /api/Books/batch', {
    headers: own,
    json: { operations },
  });
  expect(response.results.map(({ status }: { status: number }) => status)).toEqual([
    412, 412, 412, 400,
  ]);
});

test('a repeated request gets the first response, also after a change of the record', async () => {
  const { headers } = await send('GET /api/Books/1', { headers: own });
  const once = { ...json, 'If-Match': String(headers.etag), 'Idempotency-Key': '"k"' };
  const options = { headers: once, body: '{"title":"New"}' };
  expect((await send('PATCH /api/Books/1', options)).status).toBe(200);
  const again = await send('PATCH /api/Books/1', options);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
});
