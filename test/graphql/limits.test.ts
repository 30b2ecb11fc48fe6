/**
 * Documents beyond the limits are rejected at once, and documents up to the limits are executed.
 */

import { getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { isDeep } from '../support/case-count.js';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const service = useService();
const graphql = useGraphQL(service);

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Fragments that each spread the next one twice: two to the power of `levels` fields. */
function doublingFragments(levels: number): string {
  const doubling = times(levels, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
  return `{ ...F0 } ${doubling} fragment F${levels} on Query { users { id } }`;
}

async function expectRejected(query: string, limit: string, maximum: number) {
  const { status, json, errors } = await graphql.run(query);
  expect(status).toBe(400);
  expect(json).not.toHaveProperty('data');
  const error = errors.find(
    (each: { extensions: { limit: string } }) => each.extensions.limit === limit,
  );
  expect(error?.extensions, JSON.stringify(errors)).toEqual({
    code: 'LIMIT_EXCEEDED',
    limit,
    maximum,
  });
  expect(error.message).toContain(`the limit is ${maximum.toLocaleString('en')}.`);
}

describe('up to each limit, and beyond it', () => {
  test('100 KiB of document', async () => {
    const query = '{ users { id } } #';
    const room = 102_400 - query.length;
    await graphql.data(query + 'x'.repeat(room));
    await expectRejected(query + 'x'.repeat(room + 1), 'bytes', 102_400);
    await graphql.data(query + 'ü'.repeat(room / 2));
    await expectRejected(query + 'ü'.repeat(room / 2 + 1), 'bytes', 102_400);
  });

  test('5,000 tokens', async () => {
    // Four brackets and the name; every other token is a field.
    const query = (fields: number) => `{ users { ${'id '.repeat(fields)}} }`;
    await expectRejected(query(4995 + 1), 'tokens', 5000);
    await expectRejected(query(4995), 'fields', 2000);
  });

  test('2,000 fields after spreading fragments', async () => {
    const query = (fields: number) => `{ users { ${'id '.repeat(fields - 1)}} }`;
    await graphql.data(query(2000));
    await expectRejected(query(2001), 'fields', 2000);
    const spread = (count: number) =>
      `{ ${times(count, (i) => `a${i}: users { ...F }`)} } fragment F on User { id name job city my: id our: name their: job }`;
    expect(Object.keys(await graphql.data(spread(125)))).toHaveLength(125);
    await expectRejected(spread(251), 'fields', 2000);
  });

  test('500 aliases', async () => {
    const query = (aliases: number) => `{ ${times(aliases, (i) => `a${i}: users { id }`)} }`;
    expect(Object.keys(await graphql.data(query(500)))).toHaveLength(500);
    await expectRejected(query(501), 'aliases', 500);
    await expectRejected(query(600), 'aliases', 500);
  });

  test('fields 15 deep', async () => {
    const query = (depth: number) => '{ a '.repeat(depth) + '}'.repeat(depth);
    const { errors } = await graphql.run(query(15));
    expect(errors[0].extensions.specifiedBy).toBeTruthy();
    await expectRejected(query(16), 'depth', 15);
  });

  test('brackets 50 deep', async () => {
    const list = (depth: number) => `{ book(id: ${'['.repeat(depth)}${']'.repeat(depth)}) { id } }`;
    const { errors } = await graphql.run(list(48));
    expect(errors[0].extensions.specifiedBy).toBeTruthy();
    await expectRejected(list(49), 'nesting', 50);
  });

  test('25,000 values in the response', async () => {
    // 500 photos, with 500 of each requested field.
    const query = (aliases: number) => `{ photos { ${times(aliases, (i) => `a${i}: id`)} } }`;
    for (let run = 0; run < 2; run++) {
      expect((await graphql.data(query(50))).photos).toHaveLength(500);
      await expectRejected(query(51), 'values', 25_000);
    }
    const lists = (count: number) => `{ ${times(count, (i) => `a${i}: photos { id }`)} }`;
    for (let run = 0; run < 2; run++) {
      await graphql.data(lists(50));
      await expectRejected(lists(51), 'values', 25_000);
    }
  });

  test('four times the schema', async () => {
    const query = (count: number) =>
      `{ ${times(count, (i) => `a${i}: __type(name: "Book") { name }`)} ...F ...F } fragment F on Query { __schema { queryType { name } } }`;
    expect((await graphql.data(query(2))).a1).toEqual({ name: 'Book' });
    await expectRejected(query(3), 'introspections', 4);
    await expectRejected(query(200), 'introspections', 4);
  });

  test('15 levels of the schema', async () => {
    const query = (levels: number) =>
      `{ __type(name: "Query") { fields { type { ${'ofType { '.repeat(levels - 4)} name ${'} '.repeat(levels - 1)} }`;
    await graphql.data(query(15));
    await expectRejected(query(16), 'depth', 15);
  });

  test('25,000 values of the schema, by themselves or with others', async () => {
    const names = (count: number) => times(count, (i) => `a${i}: name`);
    const query = (count: number) => `{ __schema { types { fields { ${names(count)} } } } }`;
    const { types } = (await graphql.data(query(1))).__schema;
    const fields = types.flatMap((type: { fields: object[] | null }) => type.fields ?? []).length;
    const most = Math.floor((25_000 - 2 - types.length) / fields);
    await graphql.data(query(most));
    await expectRejected(query(most + 1), 'values', 25_000);
    const room = 25_000 - 2 - types.length - fields;
    const photos = (rows: number) =>
      `{ photos { ${names(rows).replaceAll('name', 'id')} } ${query(1).slice(1)}`;
    await graphql.data(photos(Math.floor(room / 500)));
    await expectRejected(photos(Math.floor(room / 500) + 1), 'values', 25_000);
  });

  test('two nested lists in introspection', async () => {
    const deep =
      '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }';
    const { status, errors } = await graphql.run(deep);
    expect(status).toBe(400);
    expect(errors[0].extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'introspection',
      maximum: 2,
    });
    const less = deep.replace('fields { type { fields { name } } }', 'fields { name }');
    await graphql.data(less);
  });
});

test('a document beyond a limit gets 200 if the client accepts only application/json', async () => {
  const { status, errors } = await graphql.post(
    { query: '{'.repeat(6000) },
    { Accept: 'application/json' },
  );
  expect(status).toBe(200);
  expect(errors[0].extensions.code).toBe('LIMIT_EXCEEDED');
});

describe('introspection of common tools is accepted', () => {
  test.each([
    ['as it comes', {}],
    [
      'with all options',
      {
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        experimentalDirectiveDeprecation: true,
        oneOf: true,
      },
    ],
    ['with types seven levels deep, as in command-line tools', { typeDepth: 7 }],
    ['without descriptions', { descriptions: false }],
  ])('%s', async (_title, options) => {
    const { __schema: schema } = await graphql.data(getIntrospectionQuery(options));
    expect(schema.queryType.name).toBe('Query');
    expect(schema.types.length).toBeGreaterThan(20);
  });
});

describe('hostile documents are rejected quickly', () => {
  const garbage = Array.from({ length: 100 * 1024 }, (_, index) =>
    String.fromCharCode(33 + ((index * index * 31 + index * 7) % 90)),
  ).join('');

  const cases: readonly [title: string, query: string][] = [
    ['50,000 nested braces', '{'.repeat(50_000)],
    ['50,000 nested fields', '{a'.repeat(50_000)],
    ['2,400 nested fields, within the tokens', '{a'.repeat(2400)],
    ['20,000 aliases', `{${times(20_000, (i) => `a${i}:users{id}`)}}`],
    ['20,000 short aliases, within the bytes', `{${'a:b '.repeat(20_000)}}`],
    ['fragments that double 20 times', doublingFragments(20)],
    ['fragments that double 400 times', doublingFragments(400)],
    [
      'a cycle of 300 fragments',
      `{...F0} ${times(300, (i) => `fragment F${i} on Query{...F${(i + 1) % 300}}`)}`,
    ],
    ['100 KiB of garbage', garbage],
    ['100 KiB of quotes', '"'.repeat(100 * 1024)],
    ['100 KiB of block strings', '"""'.repeat(34_133)],
    ['100 KiB of backslashes in a string', `"${'\\'.repeat(102_399)}`],
    ['100 KiB of commas', ','.repeat(102_400)],
    ['100 KiB of comment', '#'.repeat(102_400)],
    ['a name of 100 KiB', `{${'a'.repeat(102_398)}}`],
    ['an argument of 100 KiB', `{book(id:"${'a'.repeat(102_300)}"){id}}`],
    ['1,900 unknown fields', `{${times(1900, (i) => `employeees${i}`)}}`],
    ['1,200 unused variables', `query(${times(1200, (i) => `$v${i}:Int`)}){users{id}}`],
    ['1,200 arguments of one name', `{book(${times(1200, () => 'id:1')}){id}}`],
    ['490 fields that conflict', `{${times(490, (i) => `users{id} book(id:${i}){id}`)}}`],
    ['2,000 nested lists', `{book(id:${'['.repeat(2000)}${']'.repeat(2000)}){id}}`],
    ['more values than a response may have', `{photos{${times(490, (i) => `a${i}:title`)}}}`],
    [
      'endless introspection',
      `{__schema${'{types{fields{type'.repeat(4)}{name}${'}}}'.repeat(4)}}`,
    ],
  ];

  test.each(cases)('%s', async (_title, query) => {
    // Processor time, which excludes other programs on the machine; the minimum of some runs is the
    // least disturbed by the compiler and the garbage collector.
    let quickestMs = Number.POSITIVE_INFINITY;
    const mostRuns = isDeep ? 10 : 1;
    for (let run = 0; run < mostRuns && (run < 3 || quickestMs >= 50); run++) {
      // A different text each time, so that nothing is cached.
      const before = process.cpuUsage();
      const { status, text } = await graphql.run(`${query}${' '.repeat(run)}`);
      const { user, system } = process.cpuUsage(before);
      quickestMs = Math.min(quickestMs, (user + system) / 1000);
      expect(status).toBe(400);
      expect(text.length).toBeLessThan(10_000);
    }
    if (isDeep) expect(quickestMs).toBeLessThan(50);
  });

  test.runIf(isDeep)('hostile documents do not delay other callers', async () => {
    let isDone = false;
    const attack = Promise.all(cases.map(([, query]) => graphql.run(query))).finally(() => {
      isDone = true;
    });
    const durations: number[] = [];
    while (!isDone) {
      const start = performance.now();
      await graphql.data('{ user(id: 1) { id } }');
      durations.push(performance.now() - start);
    }
    await attack;
    expect(durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)]).toBeLessThan(1000);
  });
});
