/** Accept-Patch, the 415 and the descriptions have the same list of types, and each of them works. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const types = ['application/merge-patch+json', 'application/json', 'application/json-patch+json'];
const inSandbox = { 'X-Sandbox': 'patch-types' };

const data = { posts: [{ id: 1, title: 'a' }], profile: { name: 'b' } };

interface Case {
  readonly path: string;
  /** In /openapi.json; `own` in /my/openapi.json. */
  readonly described: string;
  readonly own?: string;
  readonly field: string;
}

const cases: readonly Case[] = [
  { path: '/api/Books/1', described: '/api/Books/{id}', field: 'title' },
  { path: '/api/Todos/1', described: '/api/Todos/{id}', field: 'title' },
  {
    path: '/my/posts/1',
    described: '/my/{collection}/{id}',
    own: '/my/posts/{id}',
    field: 'title',
  },
  { path: '/my/profile', described: '/my/{collection}', own: '/my/profile', field: 'name' },
];

async function describedTypes(document: string, path: string): Promise<readonly string[]> {
  const { json } = await send(`GET ${document}`, { headers: inSandbox });
  return Object.keys(json.paths[path].patch.requestBody.content);
}

test.each(cases)('$path', async ({ path, described, own, field }) => {
  await send('PUT /api/sandbox/data', { headers: inSandbox, json: data });
  for (const document of ['/openapi.json', '/openapi.json?formats=all']) {
    expect([...(await describedTypes(document, described))].sort()).toEqual([...types].sort());
  }
  if (own !== undefined) expect(await describedTypes('/my/openapi.json', own)).toEqual(types);

  const { headers } = await send(`OPTIONS ${path}`, { headers: inSandbox });
  expect(headers['accept-patch']).toBe(types.join(', '));
  const text = { headers: { ...inSandbox, 'Content-Type': 'text/plain' }, body: 'x' };
  const rejected = await send(`PATCH ${path}`, text);
  expect([rejected.status, rejected.headers['accept-patch']]).toEqual([415, types.join(', ')]);

  for (const type of types) {
    const value = `by ${type}`;
    const isJsonPatch = type.includes('json-patch');
    const patch = isJsonPatch ? [{ op: 'replace', path: `/${field}`, value }] : { [field]: value };
    const sent = {
      headers: { ...inSandbox, 'Content-Type': type },
      body: JSON.stringify(patch),
    };
    const { status, json } = await send(`PATCH ${path}`, sent);
    expect([type, status, json[field]]).toEqual([type, 200, value]);
  }
});
