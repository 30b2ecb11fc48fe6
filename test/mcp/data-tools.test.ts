/** Tools over records: they read and write as the REST API does. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { callTool, openSession, request } from './mcp.js';

const service = useService();
const { send } = service;

const run = (sandbox: string, name: string, args: object) =>
  callTool(service, name, args, { path: `/s/${sandbox}/mcp` });

const todo = { userId: 1, title: 'Call a tool' };

test('create_record completes a record, which the REST API has, too', async () => {
  const { structuredContent } = await run('mcp-create', 'create_record', {
    collection: 'todos',
    record: todo,
  });
  const { uri, record } = structuredContent;
  expect(uri).toBe(`practice://todos/${record.id}`);
  expect((await send(`GET /s/mcp-create/api/Todos/${record.id}`)).json).toEqual(record);
  const read = await run('mcp-create', 'get_record', { collection: 'todos', id: record.id });
  expect(read.structuredContent.record).toEqual(record);
});

test.each([
  ['a wrong type', 'books', { isbn: 9780306406157 }, 'isbn must be'],
  ['a missing field', 'todos', { title: 'Without a user' }, 'userId is missing'],
  ['a reference to no record', 'todos', { ...todo, userId: 999_999 }, '999999 does not exist'],
  ['an unknown field', 'todos', { ...todo, colour: 'red' }, 'colour'],
  ['an id', 'todos', { ...todo, id: 3 }, 'id must be omitted'],
])('create_record explains %s', async (_what, collection, record, says) => {
  const result = await run('mcp-wrong', 'create_record', { collection, record });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain(says);
});

test('update_record resets a field to its default by null', async () => {
  const before = (await send('GET /s/mcp-patch/api/Todos/1')).json;
  const patch = { collection: 'todos', id: 1, record: { completed: !before.completed } };
  const changed = await run('mcp-patch', 'update_record', patch);
  expect(changed.structuredContent.record).toMatchObject({ completed: !before.completed });
  const record = { completed: null };
  const reset = await run('mcp-patch', 'update_record', { collection: 'todos', id: 1, record });
  expect(reset.structuredContent.record).toMatchObject({ completed: false, title: before.title });
});

test('update_record needs no entity tag, also where the REST API requires one', async () => {
  const patch = { collection: 'companies', id: 1, record: { name: 'Other' } };
  const { structuredContent } = await run('mcp-company', 'update_record', patch);
  expect(structuredContent.record).toMatchObject({ id: 1, name: 'Other' });
});

test.each([
  ['update_record', { record: { title: 'A' } }],
  ['delete_record', {}],
])('%s of no record is an error result', async (name, args) => {
  const result = await run('mcp-none', name, { collection: 'todos', id: 999_999, ...args });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain('999999');
});

test('delete_record deletes once', async () => {
  const args = { collection: 'todos', id: 2 };
  const { structuredContent } = await run('mcp-delete', 'delete_record', args);
  expect(structuredContent).toEqual({ deleted: 'practice://todos/2' });
  expect((await run('mcp-delete', 'delete_record', args)).isError).toBe(true);
});

test('pictures have whole URLs, in tools and in resources', async () => {
  const { json } = await send('GET /s/mcp-picture/api/Products/1');
  const read = await run('mcp-picture', 'get_record', { collection: 'products', id: 1 });
  expect(read.structuredContent.record.image).toBe(json.image);
  const list = await run('mcp-picture', 'list_records', { collection: 'products', limit: 1 });
  expect(list.structuredContent.records[0].image).toBe(json.image);
  const uri = 'practice://products/1';
  const resource = await request(
    service,
    'resources/read',
    { uri },
    { path: '/s/mcp-picture/mcp' },
  );
  expect(JSON.parse(resource.json.result.contents[0].text).image).toBe(json.image);
});

test('reset_sandbox keeps the hints of challenges', async () => {
  await send('POST /s/mcp-hints/api/challenges/http-head/start');
  await send('POST /s/mcp-hints/api/challenges/http-head/hint');
  const before = (await send('GET /s/mcp-hints/api/challenges/http-head')).json;
  expect(before.hints).toHaveLength(1);
  await run('mcp-hints', 'reset_sandbox', {});
  const { json } = await send('GET /s/mcp-hints/api/challenges/http-head');
  expect(json.hints).toEqual(before.hints);
});

describe('names of JavaScript', () => {
  test.each(['constructor', 'toString', '__proto__', 'valueOf'])(
    '%s is an unknown method',
    async (method) => {
      const session = await openSession(service, '2025-11-25');
      expect((await session.request(method)).json.error.code).toBe(-32601);
      expect((await request(service, method)).json.error.code).toBe(-32601);
    },
  );
});
