/** REST and GraphQL show the same state of every dataset, after random writes through both. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { caseCount, patientlyTried } from '../support/case-count.js';
import { type SendOptions, useService } from '../support/service.js';
import { newRecords as requiredAlone } from './new-records.js';

const service = useService();
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const datasets = loadDatasets() as unknown as Readonly<Record<string, readonly Row[]>>;

interface Row {
  readonly id: number;
}

/**
 * Changes that are valid for every record: for example, they never sell more tickets than there are
 * seats.
 */
const newRecords = requiredAlone.map((each) =>
  each.name === 'events' ? { ...each, change: { price: 12.5 } } : each,
);

/** The fields that hold ids of other records, which must exist when they are sent. */
const references = [
  ['userId', 'users'],
  ['albumId', 'albums'],
  ['companyId', 'companies'],
] as const;

/** All fields that REST has as well, which are the fields that lead to no other records. */
function selectionOf(type: GraphQLObjectType, names?: readonly string[]): string {
  const fields = Object.values(type.getFields()).filter(
    ({ name }) => names?.includes(name) ?? true,
  );
  const selected = fields.map(({ name, type: of }) => {
    const inner = getNamedType(of);
    return isObjectType(inner) ? `${name} ${selectionOf(inner)}` : name;
  });
  return `{ ${selected.join(' ')} }`;
}

/** Field lists by dataset, such as `users { id name job city }`. */
const selections = new Map(
  newRecords.map(({ name }) => {
    const field = schema.getQueryType()?.getFields()[name];
    const type = getNamedType(field?.type) as GraphQLObjectType;
    return [name, `${name} ${selectionOf(type, Object.keys(datasets[name]?.[0] ?? {}))}`];
  }),
);

class History {
  readonly #sandbox: string;
  readonly #rows = new Map(
    newRecords.map(({ name }) => [name, new Map(datasets[name]?.map((row) => [row.id, row]))]),
  );
  readonly #trashed = new Set<number>();

  constructor(sandbox: string) {
    this.#sandbox = sandbox;
  }

  send(target: string, options: SendOptions = {}) {
    // Companies accept no write to a record without a condition.
    const condition = /^(?:PUT|PATCH|DELETE)/.test(target) ? { 'If-Match': '*' } : {};
    const headers = { 'X-Sandbox': this.#sandbox, ...condition };
    return service.send(target, { ...options, headers });
  }

  async graphql(query: string) {
    const { json } = await this.send('POST /graphql', { json: { query } });
    expect(json.errors, query).toBeUndefined();
    return json.data;
  }

  rowsOf(name: string): Map<number, Row> {
    return this.#rows.get(name) as Map<number, Row>;
  }

  /** Ids of the initial records, of created records, and of none. */
  idIn(name: string, pick: number): number {
    const ids = [1, 2, 3, ...[...this.rowsOf(name).keys()].slice(-3), 99_999];
    return ids[pick % ids.length] as number;
  }

  isOrphan(sent: object): boolean {
    return references.some(([field, of]) => {
      const id = (sent as Record<string, unknown>)[field];
      return typeof id === 'number' && !this.rowsOf(of).has(id);
    });
  }

  /** The response to a write to a record that may exist. */
  expected(name: string, id: number, done: number, sent: object = {}): number {
    if (!this.rowsOf(name).has(id)) return name === 'todos' && this.#trashed.has(id) ? 410 : 404;
    return this.isOrphan(sent) ? 400 : done;
  }

  note(name: string, status: number, id: number, record: Row | null | undefined): void {
    if (status === 200 || status === 201) {
      this.rowsOf(name).set((record as Row).id, record as Row);
    } else if (status === 204 && this.rowsOf(name).delete(id) && name === 'todos') {
      this.#trashed.add(id);
    }
  }
}

type Write = (
  history: History,
  dataset: (typeof newRecords)[number],
  pick: number,
) => Promise<void>;

const byRest: Readonly<Record<string, Write>> = {
  async create(history, { title, name, sent }) {
    const { status, json } = await history.send(`POST /api/${title}`, { json: sent });
    expect(status).toBe(history.isOrphan(sent) ? 400 : 201);
    if (status === 201) expect(history.rowsOf(name).has(json.id)).toBe(false);
    history.note(name, status, json.id, json);
  },
  async change(history, { title, name, change }, pick) {
    const id = history.idIn(name, pick);
    const { status, json } = await history.send(`PATCH /api/${title}/${id}`, { json: change });
    expect(status).toBe(history.expected(name, id, 200));
    history.note(name, status, id, json);
  },
  async replace(history, { title, name, sent }, pick) {
    const id = history.idIn(name, pick);
    const { status, json } = await history.send(`PUT /api/${title}/${id}`, { json: sent });
    expect(status).toBe(history.expected(name, id, 200, sent));
    history.note(name, status, id, json);
  },
  async remove(history, { title, name }, pick) {
    const id = history.idIn(name, pick);
    const { status } = await history.send(`DELETE /api/${title}/${id}`);
    expect(status).toBe(history.expected(name, id, 204));
    history.note(name, status, id, null);
  },
  async batch(history, { title, name, sent, change }, pick) {
    const ids = [history.idIn(name, pick), history.idIn(name, pick + 3)] as const;
    const operations = [
      { method: 'POST', body: sent },
      { method: 'DELETE', id: ids[0], ifMatch: '*' },
      { method: 'PATCH', id: ids[1], body: change, ifMatch: '*' },
    ];
    const atomic = pick % 2 === 0;
    const { status, json } = await history.send(`POST /api/${title}/batch`, {
      json: { operations, atomic },
    });
    if (status !== 200 && status !== 207) return;
    for (const [index, { status: each, body }] of json.results.entries()) {
      history.note(name, each, ids[index - 1] ?? 0, body);
    }
  },
};

const user = '{ id name job city }';
const todo = '{ id userId title completed priority dueDate }';

/** The mutations of the datasets that have any. */
const byGraphql: Readonly<Record<string, readonly Write[]>> = {
  users: [
    async (history) => {
      const { made } = await history.graphql(
        `mutation { made: createUser(name: "Élan", job: "日本", city: "\\"") ${user} }`,
      );
      history.note('users', 201, made.id, made);
    },
    async (history, _dataset, pick) => {
      const id = history.idIn('users', pick);
      const { made } = await history.graphql(
        `mutation { made: updateUser(id: ${id}, name: "A", job: "B", city: "C") ${user} }`,
      );
      expect(made === null).toBe(!history.rowsOf('users').has(id));
      if (made !== null) history.note('users', 200, id, made);
    },
    async (history, _dataset, pick) => {
      const id = history.idIn('users', pick);
      await history.graphql(`mutation { deleteUser(id: ${id}) }`);
      history.note('users', 204, id, null);
    },
  ],
  todos: [
    async (history, _dataset, pick) => {
      const { made } = await history.graphql(
        `mutation { made: addTodo(userId: ${pick}, title: "Read", priority: "HIGH") ${todo} }`,
      );
      history.note('todos', 201, made.id, made);
    },
    async (history, _dataset, pick) => {
      const id = history.idIn('todos', pick);
      const { made } = await history.graphql(`mutation { made: toggleTodo(id: ${id}) ${todo} }`);
      expect(made === null).toBe(!history.rowsOf('todos').has(id));
      if (made !== null) history.note('todos', 200, id, made);
    },
    async (history, _dataset, pick) => {
      const id = history.idIn('todos', pick);
      const { done } = await history.graphql(`mutation { done: deleteTodo(id: ${id}) }`);
      expect(done).toBe(history.rowsOf('todos').has(id));
      history.note('todos', 204, id, null);
    },
  ],
};

test('GraphQL has all fields of all datasets, so that all of them are compared', () => {
  for (const { name } of newRecords) {
    const selected = selections.get(name) ?? '';
    for (const field of Object.keys(datasets[name]?.[0] ?? {})) {
      expect(selected.split(/\W+/), `${name}.${field}`).toContain(field);
    }
  }
});

const step = fc.tuple(
  fc.oneof(
    fc.constantFrom('users', 'todos'),
    fc.constantFrom(...newRecords.map(({ name }) => name)),
  ),
  fc.nat({ max: 7 }),
  fc.nat({ max: 30 }),
);

let count = 0;

test(
  'after random writes by REST and GraphQL, both show the same records of every dataset',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const history = new History(`agreement-${count++}`);
        for (const [name, way, pick] of steps) {
          const dataset = newRecords.find(
            (each) => each.name === name,
          ) as (typeof newRecords)[number];
          const writes = [...Object.values(byRest), ...(byGraphql[name] ?? [])];
          await writes[way % writes.length]?.(history, dataset, pick);
        }
        const query = `{ ${[...selections.values()].join(' ')} }`;
        const inGraphql = await history.graphql(query);
        for (const { title, name } of newRecords) {
          const { json: inRest } = await history.send(`GET /api/${title}`);
          const rows = [...history.rowsOf(name).values()].sort((a, b) => a.id - b.id);
          expect(inRest, name).toEqual(inGraphql[name]);
          expect(
            inRest.map(({ id }: Row) => id),
            name,
          ).toEqual(rows.map(({ id }) => id));
          for (const [index, row] of rows.entries()) {
            // Untouched rows are the initial data, with relative URLs of images.
            if (!datasets[name]?.includes(row)) expect(inRest[index]).toEqual(row);
          }
        }
      }),
      { numRuns: caseCount(8, 1_000) },
    );
  },
  patientlyTried.timeout,
);
