import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import type { Event } from '../../src/data/records.js';
import { caseCount, patientlyTried } from '../support/case-count.js';
import { createService } from '../support/create-service.js';
import { send } from '../support/service.js';

/** A model of the service: the content of a plain list of events. */
class Model {
  events: Event[] = [...loadDatasets().events];
  nextId = this.events.length + 1;
  readonly etags = new Map<number, string>();
}

type Fields = Omit<Event, 'id'>;
type Step = (model: Model, url: string) => Promise<void>;

const timestamp = fc
  .date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Without control and bidirectional characters, which are rejected. */
const withoutControls = (text: string) => text.replace(/[\u2028-\u202e\u2066-\u2069]/g, '');

const fields: fc.Arbitrary<Fields> = fc
  .record({
    name: fc.string({ minLength: 1, maxLength: 120 }).filter((text) => /\S/.test(text)),
    category: fc.constantFrom('Music', 'music', 'Art', 'Tech & Co', 'Élan'),
    venue: fc.constantFrom('Here', 'There'),
    city: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map(withoutControls)
      .filter((text) => /\S/.test(text)),
    startsAt: timestamp,
    endsAt: timestamp,
    price: fc.double({ min: 0, max: 1_000_000, noNaN: true }).map((price) => price + 0),
    capacity: fc.nat({ max: 1000 }),
    ticketsSold: fc.nat({ max: 1000 }),
    organizer: fc.constantFrom('Us', 'Them'),
    tags: fc.array(fc.constantFrom('a', 'B', 'free'), { maxLength: 3 }),
  })
  .map((event) => ({
    ...event,
    startsAt: event.startsAt < event.endsAt ? event.startsAt : event.endsAt,
    endsAt: event.startsAt < event.endsAt ? event.endsAt : event.startsAt,
  }))
  .map((event) => ({ ...event, ticketsSold: Math.min(event.capacity, event.ticketsSold) }));

const faultyFields = fc
  .tuple(
    fields,
    fc.constantFrom(
      { price: -1 },
      { ticketsSold: 1001 },
      { name: ' ' },
      { id: 1 },
      { x: 1 },
      { tags: 'a' },
    ),
  )
  .map(([event, fault]) => ({ ...event, ...fault }));

/** Ids of initial records, of created ones, and of none. */
const id = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 29, max: 40 }));

const create = fields.map<Step>((sent) => async (model, url) => {
  const { status, json, headers } = await send(url, 'POST /api/Events', { json: sent });
  const event = { id: model.nextId++, ...sent };
  expect([status, json]).toEqual([201, event]);
  model.events.push(event);
  model.etags.set(event.id, headers.etag as string);
});

const createFaulty = faultyFields.map<Step>((sent) => async (_model, url) => {
  expect((await send(url, 'POST /api/Events', { json: sent })).status).toBe(400);
});

function write(method: 'PUT' | 'PATCH', target: number, sent: Partial<Fields>): Step {
  return async (model, url) => {
    const { status, json, headers } = await send(url, `${method} /api/Events/${target}`, {
      json: sent,
    });
    const index = model.events.findIndex((event) => event.id === target);
    const before = model.events[index];
    if (before === undefined) {
      expect(status).toBe(404);
      return;
    }
    const after = { ...before, ...sent };
    if (after.ticketsSold > after.capacity || after.endsAt < after.startsAt) {
      expect(status).toBe(400);
      return;
    }
    expect([status, json]).toEqual([200, after]);
    model.events[index] = after;
    model.etags.set(target, headers.etag as string);
  };
}

const replace = fc.tuple(id, fields).map(([target, sent]) => write('PUT', target, sent));

const patch = fc
  .tuple(
    id,
    fields,
    fc.subarray(['name', 'category', 'price', 'capacity', 'tags', 'startsAt'] as const),
  )
  .map(([target, sent, names]) =>
    write('PATCH', target, Object.fromEntries(names.map((name) => [name, sent[name]]))),
  );

const remove = fc
  .tuple(id, fc.boolean())
  .map<Step>(([target, isConditional]) => async (model, url) => {
    const etag = isConditional ? model.etags.get(target) : undefined;
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
    const { status } = await send(url, `DELETE /api/Events/${target}`, { headers });
    const exists = model.events.some((event) => event.id === target);
    expect(status).toBe(exists ? 204 : 404);
    model.events = model.events.filter((event) => event.id !== target);
  });

const read = id.map<Step>((target) => async (model, url) => {
  const { status, json, headers } = await send(url, `GET /api/Events/${target}`);
  const event = model.events.find((each) => each.id === target);
  expect(status).toBe(event === undefined ? 404 : 200);
  if (event === undefined) return;
  expect(json).toEqual(event);
  const known = model.etags.get(target);
  if (known !== undefined) expect(headers.etag).toBe(known);
});

const list = fc
  .record({
    category: fc.option(fc.constantFrom('music', 'Art', 'nothing')),
    tag: fc.option(fc.constantFrom('free', 'b')),
    maxPrice: fc.option(fc.constantFrom(0, 50)),
    word: fc.option(fc.constantFrom('a', 'us')),
    isSorted: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 12 })),
    page: fc.integer({ min: 1, max: 4 }),
  })
  .map<Step>(({ category, tag, maxPrice, word, isSorted, limit, page }) => async (model, url) => {
    const query = new URLSearchParams();
    let expected = [...model.events];
    if (category !== null) {
      query.set('category', category);
      expected = expected.filter(
        (event) => event.category.toLowerCase() === category.toLowerCase(),
      );
    }
    if (tag !== null) {
      query.set('tags', tag);
      expected = expected.filter((event) => event.tags.some((own) => own.toLowerCase() === tag));
    }
    if (maxPrice !== null) {
      query.set('price_lte', String(maxPrice));
      expected = expected.filter((event) => event.price <= maxPrice);
    }
    if (word !== null) {
      query.set('q', word);
      expected = expected.filter(({ name, category, venue, city, organizer, tags }) =>
        [name, category, venue, city, organizer, ...tags].some((text) =>
          text.normalize('NFC').toLowerCase().includes(word),
        ),
      );
    }
    if (isSorted) {
      query.set('sort', '-price');
      expected.sort((a, b) => b.price - a.price || a.id - b.id);
    }
    const total = expected.length;
    if (limit !== null) {
      query.set('limit', String(limit));
      query.set('page', String(page));
      expected = expected.slice((page - 1) * limit, page * limit);
    }
    const { status, json, headers } = await send(url, `GET /api/Events?${query}`);
    expect(status).toBe(200);
    expect(json).toEqual(expected);
    expect(headers['x-total-count']).toBe(String(total));
  });

test(
  'after random creations, replacements, changes and deletions, events equal a plain list',
  async () => {
    const step = fc.oneof(
      { arbitrary: create, weight: 4 },
      createFaulty,
      replace,
      { arbitrary: patch, weight: 2 },
      remove,
      read,
      { arbitrary: list, weight: 3 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const service = await createService();
        try {
          const model = new Model();
          for (const run of steps) await run(model, service.url);
          const { json } = await send(service.url, 'GET /api/Events');
          expect(json).toEqual(model.events);
        } finally {
          await service.close();
        }
      }),
      { numRuns: caseCount(15, 2_000) },
    );
  },
  patientlyTried.timeout,
);

interface Todo {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  readonly completed: boolean;
  readonly priority: string;
  readonly dueDate: string;
}
interface User {
  readonly id: number;
  readonly name: string;
  readonly job: string;
  readonly city: string;
}

/** A model of the result of writes by REST and GraphQL. */
class SharedModel {
  todos: Todo[] = [...loadDatasets().todos];
  users: User[] = [...loadDatasets().users];
  nextTodo = this.todos.length + 1;
  nextUser = this.users.length + 1;
}

type SharedStep = (model: SharedModel, url: string) => Promise<void>;

const near = (size: number) =>
  fc.oneof(fc.nat({ max: 4 }), fc.integer({ min: size - 1, max: size + 4 }));
const word = fc.constantFrom('Ada', 'Grace', 'Élan & "Co"', '日本');
const userFields = fc.record({ name: word, job: word, city: word });
const quoted = (text: string) => JSON.stringify(text);
const argumentsOf = ({ name, job, city }: Omit<User, 'id'>) =>
  `name: ${quoted(name)}, job: ${quoted(job)}, city: ${quoted(city)}`;

async function mutate(url: string, mutation: string) {
  const { json } = await send(url, 'POST /graphql', {
    json: { query: `mutation { done: ${mutation} }` },
  });
  return json.data?.done;
}

const todoFields = '{ id userId title completed priority dueDate }';

const sharedSteps: readonly fc.Arbitrary<SharedStep>[] = [
  userFields.map((fields) => async (model, url) => {
    const { json } = await send(url, 'POST /api/Users', { json: fields });
    expect(json).toEqual({ id: model.nextUser, ...fields });
    model.users.push({ id: model.nextUser++, ...fields });
  }),
  userFields.map((fields) => async (model, url) => {
    const made = await mutate(url, `createUser(${argumentsOf(fields)}) { id name job city }`);
    expect(made).toEqual({ id: model.nextUser, ...fields });
    model.users.push({ id: model.nextUser++, ...fields });
  }),
  fc.tuple(near(10), userFields).map(([id, fields]) => async (model, url) => {
    const made = await mutate(url, `updateUser(id: ${id}, ${argumentsOf(fields)}) { id }`);
    expect(made === null).toBe(!model.users.some((user) => user.id === id));
    model.users = model.users.map((user) => (user.id === id ? { id, ...fields } : user));
  }),
  fc.tuple(near(10), word).map(([id, city]) => async (model, url) => {
    const { status } = await send(url, `PATCH /api/Users/${id}`, { json: { city } });
    expect(status).toBe(model.users.some((user) => user.id === id) ? 200 : 404);
    model.users = model.users.map((user) => (user.id === id ? { ...user, city } : user));
  }),
  fc.tuple(near(10), fc.boolean()).map(([id, isRest]) => async (model, url) => {
    const exists = model.users.some((user) => user.id === id);
    if (isRest)
      expect((await send(url, `DELETE /api/Users/${id}`)).status).toBe(exists ? 204 : 404);
    else
      expect(await mutate(url, `deleteUser(id: ${id})`)).toContain(
        exists ? 'deleted' : 'not found',
      );
    model.users = model.users.filter((user) => user.id !== id);
  }),
  fc
    .tuple(near(10), word, fc.constantFrom('high', 'low'))
    .map(([userId, title, priority]) => async (model, url) => {
      const { status, json } = await send(url, 'POST /api/Todos', {
        json: { userId, title, priority },
      });
      const exists = model.users.some((user) => user.id === userId);
      expect(status).toBe(exists ? 201 : 400);
      if (!exists) return;
      expect(json).toMatchObject({ id: model.nextTodo, userId, title, priority, completed: false });
      model.todos.push(json);
      model.nextTodo += 1;
    }),
  fc.tuple(near(10), word).map(([userId, title]) => async (model, url) => {
    const made = await mutate(
      url,
      `addTodo(userId: ${userId}, title: ${quoted(title)}, priority: "LOW") ${todoFields}`,
    );
    expect(made).toMatchObject({ id: model.nextTodo++, userId, title, priority: 'low' });
    model.todos.push(made);
  }),
  near(200).map((id) => async (model, url) => {
    const made = await mutate(url, `toggleTodo(id: ${id}) { completed }`);
    const before = model.todos.find((todo) => todo.id === id);
    expect(made).toEqual(before === undefined ? null : { completed: !before.completed });
    model.todos = model.todos.map((todo) =>
      todo.id === id ? { ...todo, completed: !todo.completed } : todo,
    );
  }),
  fc.tuple(near(200), fc.boolean()).map(([id, completed]) => async (model, url) => {
    await send(url, `PATCH /api/Todos/${id}`, { json: { completed } });
    model.todos = model.todos.map((todo) => (todo.id === id ? { ...todo, completed } : todo));
  }),
  near(200).map((id) => async (model, url) => {
    expect(await mutate(url, `deleteTodo(id: ${id})`)).toBe(
      model.todos.some((todo) => todo.id === id),
    );
    model.todos = model.todos.filter((todo) => todo.id !== id);
  }),
];

test(
  'after random writes by GraphQL and REST, both show the same users and todos',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...sharedSteps), { minLength: 5, maxLength: 30 }),
        async (steps) => {
          const service = await createService();
          try {
            const model = new SharedModel();
            for (const run of steps) await run(model, service.url);
            const query = `{ users { id name job city } todos ${todoFields} }`;
            const { json } = await send(service.url, 'POST /graphql', { json: { query } });
            expect(json.data).toEqual({ users: model.users, todos: model.todos });
            const { url } = service;
            expect((await send(url, 'GET /api/Users')).json).toEqual(model.users);
            expect((await send(url, 'GET /api/Todos')).json).toEqual(model.todos);
            const owned = await send(url, 'GET /api/Users?embed=todos&fields=id');
            expect(owned.json).toEqual(
              model.users.map(({ id }) => ({
                id,
                todos: model.todos.filter(({ userId }) => userId === id),
              })),
            );
          } finally {
            await service.close();
          }
        },
      ),
      { numRuns: caseCount(8, 1_000) },
    );
  },
  patientlyTried.timeout,
);
