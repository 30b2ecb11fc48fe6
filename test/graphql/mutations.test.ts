import { beforeEach, describe, expect, test } from 'vitest';
import { type TestService, useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const nowMs = Date.UTC(2026, 11, 28, 23, 59, 59, 999);
const service = useService({ now: () => nowMs });
let sandbox = 0;

// A new sandbox for each test, since tests change it.
beforeEach(() => {
  sandbox += 1;
});

const send: TestService['send'] = (target, options = {}) => {
  const headers = { 'X-Sandbox': `mutations-${sandbox}`, ...options.headers };
  return service.send(target, { ...options, headers });
};
const graphql = useGraphQL({
  get url() {
    return service.url;
  },
  send,
});

const newUser = 'createUser(name: "Nia", job: "Pilot", city: "Oslo")';

describe('users', () => {
  test('createUser uses the next id and creates the user', async () => {
    const user = { id: 11, name: 'Nia', job: 'Pilot', city: 'Oslo' };
    const created = await graphql.data(`mutation { ${newUser} { id name job city } }`);
    expect(created).toEqual({ createUser: user });
    const { users, user: found } = await graphql.data(
      '{ users { id } user(id: 11) { id name job city } }',
    );
    expect(found).toEqual(user);
    expect(users).toHaveLength(11);
  });

  test('an id is never used again', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      const { createUser } = await graphql.data(`mutation { ${newUser} { id } }`);
      ids.push(createUser.id);
      await graphql.data(`mutation { deleteUser(id: ${createUser.id}) }`);
    }
    expect(ids).toEqual([11, 12, 13]);
  });

  test('updateUser replaces a user, and is null for an unknown one', async () => {
    const update =
      'mutation ($id: Int!) { updateUser(id: $id, name: "A", job: "B", city: "C") { id name job city } }';
    const user = { id: 2, name: 'A', job: 'B', city: 'C' };
    expect(await graphql.data(update, { id: 2 })).toEqual({ updateUser: user });
    expect(await graphql.data('{ user(id: 2) { id name job city } }')).toEqual({ user });
    expect(await graphql.data(update, { id: 99 })).toEqual({ updateUser: null });
  });

  test('deleteUser returns whether it deleted', async () => {
    const remove = 'mutation { deleteUser(id: 3) }';
    expect(await graphql.data(remove)).toEqual({ deleteUser: 'User 3 deleted successfully' });
    expect(await graphql.data('{ user(id: 3) { id } }')).toEqual({ user: null });
    expect(await graphql.data(remove)).toEqual({ deleteUser: 'User 3 not found' });
  });
});

describe('todos', () => {
  test.each(['high', 'Medium', 'LOW'])('addTodo with priority %s', async (priority) => {
    const { addTodo } = await graphql.data(
      'mutation ($p: String!) { addTodo(title: " Buy milk ", userId: 12345, priority: $p) { id userId title completed priority dueDate } }',
      { p: priority },
    );
    expect(addTodo).toEqual({
      id: 201,
      userId: 12345,
      title: ' Buy milk ',
      completed: false,
      priority: priority.toLowerCase(),
      dueDate: '2027-01-04',
    });
  });

  test('toggleTodo toggles a todo twice, and is null for an unknown one', async () => {
    const toggle = 'mutation ($id: Int!) { toggleTodo(id: $id) { id completed } }';
    const { todos } = await graphql.data('{ todos(completed: false) { id } }');
    const { id } = todos[0];
    expect(await graphql.data(toggle, { id })).toEqual({ toggleTodo: { id, completed: true } });
    expect(await graphql.data(toggle, { id })).toEqual({ toggleTodo: { id, completed: false } });
    expect(await graphql.data(toggle, { id: -1 })).toEqual({ toggleTodo: null });
  });

  test('deleteTodo is true once, then false', async () => {
    const remove = 'mutation { deleteTodo(id: 5) }';
    expect(await graphql.data(remove)).toEqual({ deleteTodo: true });
    expect(await graphql.data(remove)).toEqual({ deleteTodo: false });
    expect((await graphql.data('{ todos { id } }')).todos).toHaveLength(199);
  });
});

describe('a rejected mutation is a field error', () => {
  const long = 'x'.repeat(1001);
  test.each([
    ['addTodo(title: "a", userId: 1, priority: "urgent") { id }', 'priority', 'high, medium, low'],
    ['addTodo(title: "a", userId: 1, priority: "") { id }', 'priority', 'high, medium, low'],
    ['addTodo(title: " ", userId: 1, priority: "low") { id }', 'title', 'must not be blank'],
    [`addTodo(title: "${long}", userId: 1, priority: "low") { id }`, 'title', '1,001 characters'],
    ['createUser(name: "", job: "b", city: "c") { id }', 'name', 'must not be blank'],
    ['createUser(name: "a", job: "\\n", city: "c") { id }', 'job', 'must not be blank'],
    ['createUser(name: "a", job: "b", city: "\\u00A0") { id }', 'city', 'must not be blank'],
    ['createUser(name: "a\\u0000", job: "b", city: "c") { id }', 'name', 'control characters'],
    ['createUser(name: "a", job: "b\\nc", city: "c") { id }', 'job', 'control characters'],
    ['createUser(name: "a", job: "b", city: "\\u009b31m") { id }', 'city', 'control characters'],
    ['addTodo(title: "a\\tb", userId: 1, priority: "low") { id }', 'title', 'control characters'],
    [`createUser(name: "${long}", job: "b", city: "c") { id }`, 'name', '1,001 characters'],
  ])('%s', async (call, argument, message) => {
    const field = call.split('(')[0];
    const response = await graphql.run(`mutation { ${call} }`);
    expect(response.status).toBe(200);
    expect(response.data).toBeNull();
    expect(response.errors).toEqual([
      {
        message: expect.stringContaining(message),
        locations: [{ line: 1, column: 12 }],
        path: [field],
        extensions: { code: 'BAD_USER_INPUT', argument },
      },
    ]);
  });

  test('updateUser may be null, so the rest of the response is kept', async () => {
    const { data, errors } = await graphql.run(
      'mutation { a: updateUser(id: 1, name: " ", job: "b", city: "c") { id } b: deleteTodo(id: 1) }',
    );
    expect(data).toEqual({ a: null, b: true });
    expect(errors[0].path).toEqual(['a']);
  });

  test.each(['name', 'job', 'city'])(
    'a control character in %s changes no user',
    async (argument) => {
      const given = { id: 2, name: 'a', job: 'b', city: 'c', [argument]: 'x\u001b[2J' };
      const { data, errors } = await graphql.run(
        'mutation ($id: Int!, $name: String!, $job: String!, $city: String!) { updateUser(id: $id, name: $name, job: $job, city: $city) { id } }',
        given,
      );
      expect(data).toEqual({ updateUser: null });
      expect(errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT', argument });
      expect(errors[0].message).toBe(
        `${argument} must hold no control characters, but U+001B is its character 2.`,
      );
      const { user } = await graphql.data('{ user(id: 2) { name job city } }');
      expect(JSON.stringify(user)).not.toContain('[2J');
    },
  );

  test('errors beyond five are omitted', async () => {
    const calls = Array.from(
      { length: 9 },
      (_, index) => `a${index}: updateUser(id: 1, name: "", job: "b", city: "c") { id }`,
    );
    const { errors, data } = await graphql.run(`mutation { ${calls.join(' ')} }`);
    expect(errors).toHaveLength(5);
    expect(Object.keys(data)).toHaveLength(9);
  });

  test('a created record beyond the thousandth', async () => {
    const hundred = (from: number) =>
      Array.from({ length: 250 }, (_, index) => `a${from + index}: ${newUser} { id }`).join(' ');
    for (let count = 0; count < 4; count++) await graphql.data(`mutation { ${hundred(count)} }`);
    const { status, data, errors } = await graphql.run(`mutation { ${newUser} { id } }`);
    expect(status).toBe(200);
    expect(data).toBeNull();
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('1000'),
      path: ['createUser'],
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

describe('several mutations in one document', () => {
  test('run one after the other', async () => {
    const data = await graphql.data(`mutation {
      one: toggleTodo(id: 1) { completed }
      two: toggleTodo(id: 1) { completed }
      user: ${newUser} { id }
      gone: deleteUser(id: 11)
      missing: deleteUser(id: 11)
    }`);
    expect(data.one.completed).toBe(!data.two.completed);
    expect(data.gone).toBe('User 11 deleted successfully');
    expect(data.missing).toBe('User 11 not found');
  });

  test('keep their effects if a later one fails and the response has no data; later ones do not run', async () => {
    const { status, data, errors } = await graphql.run(`mutation {
      ${newUser} { id }
      addTodo(title: "a", userId: 1, priority: "urgent") { id }
      deleteTodo(id: 1)
    }`);
    expect(status).toBe(200);
    expect(data).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0].path).toEqual(['addTodo']);
    const after = await graphql.data('{ user(id: 11) { name } todos { id } }');
    expect(after.user).toEqual({ name: 'Nia' });
    expect(after.todos[0].id).toBe(1);
  });

  test('do nothing when the document is invalid', async () => {
    const { status } = await graphql.run(`mutation { ${newUser} { id } unknown }`);
    expect(status).toBe(400);
    expect((await graphql.data('{ users { id } }')).users).toHaveLength(10);
  });
});

test('concurrent mutations get different ids', async () => {
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => graphql.data(`mutation { ${newUser} { id } }`)),
  );
  expect(new Set(responses.map(({ createUser }) => createUser.id)).size).toBe(40);
});

describe("state belongs to the caller's sandbox", () => {
  const inSandbox = { 'X-Sandbox': 'mine' };
  const count = async (headers: Record<string, string>) => {
    // Twice, since the second run is compiled.
    await graphql.post({ query: '{ users { id } }' }, headers);
    return (await graphql.post({ query: '{ users { id } }' }, headers)).data.users.length;
  };

  test('a record created in one sandbox is missing in another, and after a reset', async () => {
    await graphql.post({ query: `mutation { ${newUser} { id } }` }, inSandbox);
    expect([await count(inSandbox), await count({})]).toEqual([11, 10]);
    await send('DELETE /api/sandbox', { headers: inSandbox });
    expect([await count(inSandbox), await count({})]).toEqual([10, 10]);
  });

  test('a todo is due by the clock of the sandbox', async () => {
    const json = { offsetSeconds: 1 };
    await send('PUT /api/sandbox/clock', { headers: inSandbox, json });
    const query = 'mutation { addTodo(title: "a", userId: 1, priority: "low") { dueDate } }';
    const here = await graphql.post({ query }, inSandbox);
    const elsewhere = await graphql.post({ query });
    expect(here.data.addTodo.dueDate).toBe('2027-01-05');
    expect(elsewhere.data.addTodo.dueDate).toBe('2027-01-04');
  });

  test('REST and GraphQL show the same records', async () => {
    const query = 'query ($id: Int!) { book(id: $id) { title price } books { id } }';
    const book = { title: 'New', author: 'A', isbn: '9780547928227', genre: 'Fantasy' };
    const json = {
      ...book,
      publishedYear: 2020,
      pages: 9,
      price: 3.5,
      rating: 4,
      language: 'English',
    };
    const created = await send('POST /api/Books', { json });
    expect(created.status, created.text).toBe(201);
    const { data } = await graphql.run(query, { id: created.json.id });
    expect(data.book).toEqual({ title: 'New', price: 3.5 });
    expect(data.books).toHaveLength(26);
    await send(`PATCH /api/Books/${created.json.id}`, { json: { price: 4 } });
    expect((await graphql.run(query, { id: created.json.id })).data.book.price).toBe(4);
  });
});

const other = useService();

test('services in one process share no state', async () => {
  await graphql.data(`mutation { ${newUser} { id } }`);
  const json = { query: '{ users { id } }' };
  const headers = { 'X-Sandbox': `mutations-${sandbox}` };
  const response = await other.send('POST /graphql', { json, headers });
  expect(response.json.data.users).toHaveLength(10);
});
