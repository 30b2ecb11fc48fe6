/** Todos, which move to a trash when they are deleted, by REST and by GraphQL. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { caseCount, patientlyTried } from '../support/case-count.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();

function inSandbox(name: string) {
  const send = (target: string, { headers, ...options }: SendOptions = {}) => {
    const all = { 'X-Sandbox': name, ...(headers as Record<string, string>) };
    return service.send(target, { ...options, headers: all });
  };
  const graphql = async (query: string) =>
    (await send('POST /graphql', { json: { query } })).json.data;
  return { send, graphql };
}

test('a deleted todo is 410 in the trash until it is restored', async () => {
  const { send, graphql } = inSandbox('trash');
  const { json: before, headers } = await send('GET /api/Todos/5');
  expect((await send('DELETE /api/Todos/5')).status).toBe(204);
  for (const target of ['GET', 'DELETE', 'HEAD']) {
    expect((await send(`${target} /api/Todos/5`)).status, target).toBe(410);
  }
  expect((await send('PATCH /api/Todos/5', { json: { completed: true } })).status).toBe(410);
  const whole = { userId: 1, title: 'x' };
  expect((await send('PUT /api/Todos/5', { json: whole })).status).toBe(410);
  expect((await send('PUT /api/Todos/5?upsert=true', { json: whole })).status).toBe(410);
  expect((await send('GET /api/Todos/count')).json.count).toBe(199);
  expect(
    (await send('GET /api/Todos?id=4,5,6')).json.map((todo: { id: number }) => todo.id),
  ).toEqual([4, 6]);
  const trash = await send('GET /api/Todos?deleted=true');
  expect(trash.json).toEqual([
    { ...before, deletedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  ]);
  expect(trash.headers['x-total-count']).toBe('1');
  expect((await send('GET /api/Todos?deleted=false&limit=1')).headers['x-total-count']).toBe('199');
  expect((await send('GET /api/Todos?deleted=yes')).status).toBe(400);
  expect((await send('GET /api/Books?deleted=true')).status).toBe(400);
  expect((await graphql('{ todos { id } }')).todos).toHaveLength(199);

  const restored = await send('POST /api/Todos/5/restore');
  expect([restored.status, restored.json]).toEqual([200, before]);
  expect(restored.headers.etag).toBe(headers.etag);
  expect((await send('POST /api/Todos/5/restore')).status).toBe(409);
  expect((await send('POST /api/Todos/9999/restore')).status).toBe(404);
  expect((await send('GET /api/Todos?deleted=true')).json).toEqual([]);
  expect((await send('POST /api/Books/5/restore')).status).toBe(404);
});

test('a purge is permanent, in the trash or not', async () => {
  const { send } = inSandbox('purge');
  await send('DELETE /api/Todos/5');
  expect((await send('DELETE /api/Todos/5?purge=true')).status).toBe(204);
  expect((await send('DELETE /api/Todos/5?purge=true')).status).toBe(404);
  expect((await send('GET /api/Todos/5')).status).toBe(404);
  expect((await send('POST /api/Todos/5/restore')).status).toBe(404);
  expect(
    (await send('DELETE /api/Todos/6?purge=true', { headers: { 'If-Match': '"old"' } })).status,
  ).toBe(412);
  expect((await send('DELETE /api/Todos/6?purge=true')).status).toBe(204);
  expect((await send('GET /api/Todos?deleted=true')).json).toEqual([]);
});

test("GraphQL's deleteTodo returns the same as before, and moves the todo to the trash", async () => {
  const { send, graphql } = inSandbox('graphql');
  expect(await graphql('mutation { deleteTodo(id: 7) }')).toEqual({ deleteTodo: true });
  expect(await graphql('mutation { deleteTodo(id: 7) }')).toEqual({ deleteTodo: false });
  expect(await graphql('mutation { toggleTodo(id: 7) { id } }')).toEqual({ toggleTodo: null });
  expect((await send('GET /api/Todos/7')).status).toBe(410);
  expect((await send('POST /api/Todos/7/restore')).status).toBe(200);
  expect((await graphql('{ todos { id } }')).todos).toHaveLength(200);
});

test('changes report a todo in the trash as deleted, and a restored todo as created', async () => {
  const { send } = inSandbox('told');
  const { token } = (await send('GET /api/Todos/changes')).json;
  const told = async () => {
    const { json } = await send(`GET /api/Todos/changes?since=${token}`);
    return json.changes.map(({ id, kind }: { id: number; kind: string }) => `${id} ${kind}`);
  };
  await send('DELETE /api/Todos/1');
  expect(await told()).toEqual(['1 deleted']);
  await send('DELETE /api/Todos/1?purge=true');
  await send('DELETE /api/Todos/2');
  await send('POST /api/Todos/2/restore');
  expect(await told()).toEqual(['1 deleted', '2 created']);
});

interface Model {
  readonly live: Map<number, object>;
  readonly trash: Map<number, object>;
}

test(
  'after random writes to todos by REST and GraphQL, both and the trash agree',
  async () => {
    const { todos } = loadDatasets();
    const id = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 200, max: 204 }));
    const act = fc.constantFrom(
      'delete',
      'purge',
      'restore',
      'graphqlDelete',
      'toggle',
      'add',
      'upsert',
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(act, id), { minLength: 5, maxLength: 25 }),
        async (acts) => {
          const { send, graphql } = inSandbox(`history-${count++}`);
          const model: Model = {
            live: new Map(todos.map((todo) => [todo.id, todo])),
            trash: new Map(),
          };
          for (const [what, target] of acts) {
            const isLive = model.live.has(target);
            const isTrashed = model.trash.has(target);
            const found = model.live.get(target) ?? model.trash.get(target) ?? {};
            if (what === 'delete' || what === 'graphqlDelete') {
              if (what === 'delete') {
                const { status } = await send(`DELETE /api/Todos/${target}`);
                expect(status).toBe(isLive ? 204 : isTrashed ? 410 : 404);
              } else {
                expect(await graphql(`mutation { deleteTodo(id: ${target}) }`)).toEqual({
                  deleteTodo: isLive,
                });
              }
              if (isLive) model.trash.set(target, found);
              model.live.delete(target);
            } else if (what === 'purge') {
              const { status } = await send(`DELETE /api/Todos/${target}?purge=true`);
              expect(status).toBe(isLive || isTrashed ? 204 : 404);
              model.live.delete(target);
              model.trash.delete(target);
            } else if (what === 'restore') {
              const { status } = await send(`POST /api/Todos/${target}/restore`);
              expect(status).toBe(isTrashed ? 200 : isLive ? 409 : 404);
              if (isTrashed) model.live.set(target, found);
              model.trash.delete(target);
            } else if (what === 'toggle') {
              const { toggleTodo } = await graphql(
                `mutation { toggleTodo(id: ${target}) { completed } }`,
              );
              if (isLive) model.live.set(target, { ...found, ...toggleTodo });
              else expect(toggleTodo).toBeNull();
            } else if (what === 'add') {
              const { json } = await send('POST /api/Todos', { json: { userId: 1, title: 'new' } });
              expect(model.live.has(json.id) || model.trash.has(json.id)).toBe(false);
              model.live.set(json.id, json);
            } else {
              const { status, json } = await send(`PUT /api/Todos/${target}?upsert=true`, {
                json: { userId: 1, title: 'put', dueDate: '2027-01-01' },
              });
              expect(status).toBe(isLive ? 200 : isTrashed ? 410 : 201);
              if (!isTrashed) model.live.set(target, json);
            }
          }
          const inOrder = (rows: Map<number, object>) => [...rows].sort(([a], [b]) => a - b);
          const { json: rest } = await send('GET /api/Todos');
          expect(rest).toEqual(inOrder(model.live).map(([, todo]) => todo));
          const { todos: graph } = await graphql(
            '{ todos { id userId title completed priority dueDate } }',
          );
          expect(graph).toEqual(rest);
          const { json: trashed } = await send('GET /api/Todos?deleted=true');
          expect(trashed).toMatchObject(inOrder(model.trash).map(([, todo]) => todo));
        },
      ),
      { numRuns: caseCount(15, 1_000) },
    );
  },
  patientlyTried.timeout,
);
