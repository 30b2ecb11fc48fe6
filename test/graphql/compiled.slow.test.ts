import fc from 'fast-check';
import { parse, specifiedRules, validate } from 'graphql';
import { expect, test } from 'vitest';
import { findMergeConflicts } from '../../src/areas/graphql/documents/find-merge-conflicts.js';
import { createSchema } from '../../src/areas/graphql/execution/create-schema.js';
import { Engine } from '../../src/areas/graphql/execution/engine.js';
import { readSchemaText } from '../../src/areas/graphql/read-schema-text.js';
import type { Parameters } from '../../src/areas/graphql/request/read-parameters.js';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { createMemoryState } from '../../src/state/memory/memory-state.js';
import type { Sandbox } from '../../src/state/state.js';
import { caseCount, patientlyTried } from '../support/case-count.js';
import { sandboxRespondingLater } from '../support/responding-later.js';
import { arbitraryDocument } from './arbitrary-document.js';

const schemaText = readSchemaText(true);
const schema = createSchema(schemaText);
const state = createMemoryState({ clock: () => Date.UTC(2026, 0, 2) });
const sandbox = state.sandbox('');

function engineThat(options: { compile: boolean }): Engine {
  return new Engine({ schemaText, datasets: loadDatasets(), introspection: true, ...options });
}

async function response(engine: Engine, parameters: Partial<Parameters>, of: Sandbox = sandbox) {
  const request = { query: '', variables: undefined, operationName: undefined, ...parameters };
  const { body } = await engine.run(request, {
    sandbox: of,
    baseUrl: () => 'https://example.com/"base"',
    mayMutate: true,
    onFault: (fault) => {
      throw fault;
    },
  });
  return String(body);
}

/** Simulates state in another process. */
const remoteSandbox = sandboxRespondingLater(sandbox);

const plain = engineThat({ compile: false });
const compiled = engineThat({ compile: true });

const documentCount = caseCount(60, 20_000);

test(
  'random documents get the same response, byte for byte, compiled and by graphql-js',
  async () => {
    let withData = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryDocument(schema), async ({ query, variables }) => {
        const expected = await response(plain, { query, variables });
        // The first run is never compiled, the second always is.
        expect(await response(compiled, { query, variables })).toBe(expected);
        expect(await response(compiled, { query, variables })).toBe(expected);
        expect(await response(compiled, { query, variables }, remoteSandbox)).toBe(expected);
        if (expected.startsWith('{"data":')) withData += 1;
      }),
      { numRuns: documentCount },
    );
    expect(withData).toBeGreaterThan(0.5 * documentCount);
  },
  patientlyTried.timeout,
);

test('random documents are valid, here and for graphql-js', () => {
  fc.assert(
    fc.property(arbitraryDocument(schema), ({ query }) => {
      const document = parse(query);
      expect(validate(schema, document, specifiedRules)).toEqual([]);
      expect(findMergeConflicts(schema, document, 5)).toEqual([]);
    }),
    { numRuns: caseCount(150, 20_000) },
  );
});

const cases: readonly [title: string, query: string, variables?: Record<string, unknown>][] = [
  ['fields of one name, merged', '{ books { id } books { title id } b: books { id } }'],
  [
    'objects merged at every level',
    '{ people { address { city } address { geo { lat } } address { geo { lng lat } } } }',
  ],
  [
    'a fragment first skipped, then spread',
    '{ users { ...F @skip(if: true) id ...F } } fragment F on User { name }',
  ],
  [
    'an alias that is a member of Object.prototype',
    '{ __proto__: users { constructor: id toString: name } }',
  ],
  ['everything skipped', '{ users @skip(if: true) { id } }'],
  ['everything in an object skipped', '{ users { id @include(if: false) } }'],
  ['only the type name', '{ __typename }'],
  ['an unknown record', '{ user(id: 999) { id } }'],
  ['an empty list', '{ books(genre: "none") { id } }'],
  [
    'a variable twice',
    'query ($id: Int!) { book(id: $id) { id } user(id: $id) { id } }',
    { id: 3 },
  ],
  ['a default', 'query ($g: String = "fantasy") { books(genre: $g) { id } }'],
  [
    'null instead of a default',
    'query ($g: String = "fantasy") { books(genre: $g) { id } }',
    { g: null },
  ],
  ['an argument omitted by its variable', 'query ($g: String) { books(genre: $g) { id } }'],
  [
    'null where a nullable variable with a default meets a required argument',
    'query ($id: Int = 1) { book(id: $id) { id } a: books { id } }',
    { id: null },
  ],
  [
    'null for a directive',
    'query ($b: Boolean = true) { users @include(if: $b) { id } }',
    { b: null },
  ],
  ['introspection', '{ __schema { queryType { name } } __type(name: "Book") { fields { name } } }'],
  [
    'pictures',
    '{ products { image } movies { poster } people { avatar } photos { url thumbnailUrl } }',
  ],
];

test.each(cases)('compiled and plain agree on %s', async (_title, query, variables) => {
  const expected = await response(plain, { query, variables });
  expect(JSON.parse(expected)).not.toHaveProperty('errors.0.extensions.specifiedBy');
  for (let run = 0; run < 3; run++) {
    expect(await response(compiled, { query, variables })).toBe(expected);
  }
});

test('compiled and plain agree on more combinations of switches than are compiled', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `b${index}`);
  const query = `query (${names.map((name) => `$${name}: Boolean!`)}) { users { ${names
    .map((name) => `${name}: id @include(if: $${name})`)
    .join(' ')} } }`;
  for (let bits = 0; bits < 64; bits++) {
    const variables = Object.fromEntries(
      names.map((name, place) => [name, (bits >> place) % 2 > 0]),
    );
    const expected = await response(plain, { query, variables });
    expect(await response(compiled, { query, variables })).toBe(expected);
  }
});

test('a compiled query sees what mutations did, and only in their sandbox', async () => {
  const query = '{ users { id name } }';
  const elsewhere = state.sandbox('elsewhere');
  await response(compiled, { query });
  const before = await response(compiled, { query });
  const change =
    'mutation { updateUser(id: 1, name: "New \\"name\\"", job: "j", city: "c") { id } }';
  await response(compiled, { query: change }, elsewhere);
  expect(await response(compiled, { query }, elsewhere)).toBe(
    await response(plain, { query }, elsewhere),
  );
  expect(await response(compiled, { query }, elsewhere)).toContain('New \\"name\\"');
  expect(await response(compiled, { query })).toBe(before);
});

test('a record that violates its type gets the same error compiled and plain', async () => {
  const datasets = {
    ...loadDatasets(),
    users: [
      { id: 1, name: 'fine', job: 'j', city: 'c' },
      { id: 2, name: null as unknown as string, job: 'j', city: 'c' },
    ],
    movies: [{ ...loadDatasets().movies[0], boxOffice: 2 ** 60, id: 1 }],
  } as unknown as ReturnType<typeof loadDatasets>;
  const own = state.sandbox('broken');
  for (const query of [
    '{ users { id name } }',
    '{ user(id: 2) { name } movies { id } }',
    '{ movies { boxOffice } }',
  ]) {
    const run = async (engine: Engine) => {
      const faults: unknown[] = [];
      const { body } = await engine.run(
        { query, variables: undefined, operationName: undefined },
        {
          sandbox: own,
          baseUrl: () => '',
          mayMutate: true,
          onFault: (fault) => faults.push(fault),
        },
      );
      expect(faults).toHaveLength(1);
      return body;
    };
    const options = { schemaText, datasets, introspection: true };
    const expected = await run(new Engine({ ...options, compile: false }));
    expect(expected).toContain('"code":"INTERNAL"');
    expect(expected).not.toContain('non-nullable');
    const engine = new Engine(options);
    await run(engine);
    expect(await run(engine)).toBe(expected);
  }
});
