import { buildSchema, getVariableValues, Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createCoercion } from './coerce-variables.js';

const schema = buildSchema('type Query { a(b: Float): Int }');

function operationOf(declarations: string) {
  const [operation] = parse(`query (${declarations}) { a }`).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  return operation;
}

const declarations = [
  '$x: Int',
  '$x: Int!',
  '$x: Int = 5',
  '$x: Int! = 5',
  '$x: String',
  '$x: String!',
  '$x: Boolean = true',
  '$x: Boolean!',
  '$x: Float!',
  '$x: [Int!]',
  '$x: [[Int]]! = [[1]]',
];

const values = [
  0,
  -0,
  1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  Number.POSITIVE_INFINITY,
  '1',
  '',
  true,
  false,
  null,
  [1],
  [],
  {},
];

const given: readonly (Record<string, unknown> | undefined)[] = [
  undefined,
  {},
  { y: 1 },
  Object.create({ x: 1 }),
  ...values.map((x) => ({ x })),
];

describe('createCoercion decides as graphql-js does', () => {
  test.each(declarations)('%s', (declaration) => {
    const operation = operationOf(declaration);
    const coerce = createCoercion(schema, operation);
    for (const each of given) {
      const expected = getVariableValues(schema, operation.variableDefinitions ?? [], each ?? {});
      const coerced = coerce(each);
      if ('errors' in coerced) {
        expect(coerced.errors.map(({ message }) => message)).toEqual(
          expected.errors?.map(({ message }) => message),
        );
        for (const { extensions } of coerced.errors) {
          expect(extensions).toEqual({
            code: 'VARIABLE_INVALID',
            variable: 'x',
            variableType: declaration.replace(/^\$x: (.*?)( =.*)?$/, '$1'),
          });
        }
      } else {
        expect(expected.errors).toBeUndefined();
        expect(coerced.variables).toEqual(expected.coerced);
      }
    }
  });
});

test('createCoercion reports at most five faulty variables', () => {
  const names = Array.from({ length: 20 }, (_, index) => `$v${index}: Int!`).join(' ');
  const coerced = createCoercion(schema, operationOf(names))({});
  expect('errors' in coerced && coerced.errors).toHaveLength(5);
});
