import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getIntrospectionQuery,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits } from '../outcome/limits.js';
import { readSchemaText } from '../read-schema-text.js';
import { countIntrospection } from './count-introspection.js';
import { measureDocument } from './measure-document.js';

const schema = buildSchema(readSchemaText(true));

function count(query: string, of: GraphQLSchema = schema): number {
  const document = parse(query);
  return countIntrospection(of, document, measureDocument(document).introspections);
}

/** Counts the members of all objects inside the data. */
function members(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  const inner = Object.values(data).reduce((sum: number, each) => sum + members(each), 0);
  return Array.isArray(data) ? inner : inner + Object.keys(data).length;
}

describe('counts as many values as the response of graphql-js has', () => {
  test.each([
    '{ __schema { queryType { name } } }',
    '{ __schema { types { name fields { name args { name type { ofType { ofType { name } } } } } } } }',
    '{ a: __type(name: "Book") { ...T } b: __type(name: "None") { name } } fragment T on __Type { name ... on __Type { fields { ...F } } } fragment F on __Field { name __typename }',
    '{ users { id } ...Q } fragment Q on Query { __schema { directives { locations args { defaultValue } } } }',
    '{ users { id } }',
    getIntrospectionQuery(),
    getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true, oneOf: true }),
  ])('%s', (query) => {
    const rootValue = { users: [] };
    const { data } = execute({ schema, document: parse(query), rootValue }) as ExecutionResult;
    const { users, ...introspection } = { ...data };
    expect(count(query)).toBe(members(introspection));
  });
});

test('a type named by a variable counts as all types', () => {
  const one = count('{ __type(name: "Query") { fields { name } } }');
  const all = count('{ __schema { types { fields { name } } } }');
  const any = count('query ($name: String!) { __type(name: $name) { fields { name } } }');
  expect(any).toBeGreaterThan(one);
  expect(any).toBe(all - 1);
});

test('disabled fields count, and so do deprecated ones', () => {
  const old = buildSchema('type Query { now: Int old: Int @deprecated }');
  expect(count('{ __type(name: "Query") { fields { name @skip(if: true) } } }', old)).toBe(4);
});

test('counting stops above the limit', () => {
  const names = Array.from({ length: 490 }, (_, index) => `a${index}: name`).join(' ');
  const query = `{ __schema { types { fields { type { fields { ${names} } } } } } }`;
  expect(count(query)).toBe(limits.values + 1);
});
