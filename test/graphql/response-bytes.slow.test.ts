/**
 * A response has a limit in bytes, which applies while it is built: by graphql-js, and by plans.
 */

import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/areas/graphql/execution/engine.js';
import { readSchemaText } from '../../src/areas/graphql/read-schema-text.js';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { createMemoryState } from '../../src/state/memory/memory-state.js';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const maxBytes = 8 * 1024 * 1024;
const rejection = {
  errors: [
    {
      message: 'The response would have 8,388,609 bytes or more; the limit is 8,388,608.',
      extensions: { code: 'LIMIT_EXCEEDED', limit: 'answerBytes', maximum: maxBytes },
    },
  ],
};

describe('a document that repeats short fields many times', () => {
  const service = useService();
  const graphql = useGraphQL(service);
  // Ten names of 3 KB, 450 times each: 13 MB.
  const name = '雪'.repeat(1000);
  const query = `{ users { ${Array.from({ length: 450 }, (_, index) => `a${index}:name`).join(' ')} } }`;
  const created =
    'mutation ($name: String!) { createUser(name: $name, job: "j", city: "c") { id } }';

  test('is rejected, on the first run and later, and other requests are served', async () => {
    expect(Object.keys((await graphql.data(query)).users[0])).toHaveLength(450);
    for (let index = 0; index < 10; index++) await graphql.data(created, { name });
    for (const text of [query, query, query, `${query} #`]) {
      const { status, json } = await graphql.run(text);
      expect(status).toBe(400);
      expect(json).toEqual(rejection);
      await graphql.data('{ users { name } }');
    }
  });

  test('gets 200 if the client accepts only application/json', async () => {
    const { status, json } = await graphql.post({ query }, { Accept: 'application/json' });
    expect(status).toBe(200);
    expect(json).toEqual(rejection);
  });

  test('is rejected for long names of fields as for long values', async () => {
    const query = `{ photos { ${'x'.repeat(20_000)}: id } }`;
    for (let run = 0; run < 2; run++) expect((await graphql.run(query)).json).toEqual(rejection);
  });
});

describe.each(['by graphql-js', 'by a plan'])('counted %s', (way) => {
  const state = createMemoryState({ clock: () => 0 });
  const runs = way === 'by a plan' ? 3 : 1;

  async function ask(users: readonly object[], query: string) {
    const datasets = { ...loadDatasets(), users } as unknown as ReturnType<typeof loadDatasets>;
    const engine = new Engine({
      schemaText: readSchemaText(true),
      datasets,
      introspection: true,
      compile: way === 'by a plan',
    });
    for (let run = 1; ; run++) {
      const { kind, body } = await engine.run(
        { query, variables: undefined, operationName: undefined },
        {
          sandbox: state.sandbox(''),
          baseUrl: () => '',
          mayMutate: false,
          onFault: (fault) => {
            throw fault;
          },
        },
      );
      if (run === runs) return { kind, body };
    }
  }

  const overhead = '{"data":{"users":[{"name":""},{"name":""}]}}'.length;
  const two = (first: string, second: string) => [
    { id: 1, name: first, job: '', city: '' },
    { id: 2, name: second, job: '', city: '' },
  ];

  test.each([
    ['letters', 'x', 1],
    ['letters of two bytes', 'ü', 2],
    ['letters of three bytes', '雪', 3],
    ['pairs of surrogates', '😀', 4],
    ['characters that JSON escapes with a backslash', '"', 2],
    ['characters that JSON escapes with a number', '\u0001', 6],
  ])('%s: the limit is exact to the byte', async (_name, letter, bytes) => {
    const room = maxBytes - overhead;
    const most = letter.repeat(Math.floor(room / bytes));
    const rest = 'x'.repeat(room % bytes);
    const fitting = await ask(two(most, rest), '{ users { name } }');
    expect(fitting.kind).toBe('executed');
    expect(Buffer.byteLength(String(fitting.body))).toBe(maxBytes);
    const { kind, body } = await ask(two(most, `${rest}x`), '{ users { name } }');
    expect(kind).toBe('rejected');
    expect(JSON.parse(String(body))).toEqual(rejection);
  });

  test('all fields of the response count together', async () => {
    const users = two('x'.repeat(maxBytes / 4), '');
    expect((await ask(users, '{ a: users { name } b: user(id: 1) { name } }')).kind).toBe(
      'executed',
    );
    const query = '{ a: users { name } b: user(id: 1) { x: name y: name } c: users { name } }';
    expect((await ask(users, query)).kind).toBe('rejected');
  });
});
