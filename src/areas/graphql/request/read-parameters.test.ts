import { describe, expect, test } from 'vitest';
import { readBodyParameters, readQueryParameters } from './read-parameters.js';

const query = '{ books { id } }';

describe('readBodyParameters', () => {
  test.each([
    [{ query }, {}],
    [{ query, variables: null, operationName: null, extensions: null }, {}],
    [{ query, variables: {}, extensions: {} }, { variables: {} }],
    [{ query, operationName: '' }, {}],
    [{ query, operationName: 'A' }, { operationName: 'A' }],
    [{ query, id: 7, more: [] }, {}],
  ])('accepts %j', (body, expected) => {
    expect(readBodyParameters(body)).toEqual({ query, ...expected });
  });

  test.each([
    [{}, 'The query property is missing'],
    [{ quary: query }, 'The query property is missing'],
    [{ query: '' }, 'The query property is empty'],
    [{ query: null }, 'The query property is null'],
    [{ query: 7 }, 'The query property is a number'],
    [{ query: [query] }, 'The query property is an array'],
    [{ query: { query } }, 'The query property is an object'],
    [[], 'The body is a JSON array'],
    [[{ query }], 'The body is a JSON array'],
    [null, 'The body is null'],
    ['text', 'The body is a string'],
    [7, 'The body is a number'],
    [true, 'The body is a boolean'],
    [{ query, variables: '{}' }, 'The variables property is a string'],
    [{ query, variables: [] }, 'The variables property is an array'],
    [{ query, variables: 0 }, 'The variables property is a number'],
    [{ query, variables: false }, 'The variables property is a boolean'],
    [{ query, extensions: 'x' }, 'The extensions property is a string'],
    [{ query, extensions: [] }, 'The extensions property is an array'],
    [{ query, operationName: 0 }, 'The operationName property is a number'],
    [{ query, operationName: {} }, 'The operationName property is an object'],
  ])('rejects %j', (body, message) => {
    expect(() => readBodyParameters(body)).toThrow(message);
  });
});

describe('readQueryParameters', () => {
  test.each([
    [{ query }, {}],
    [{ query, variables: '', operationName: '' }, {}],
    [{ query, variables: 'null' }, {}],
    [
      { query, variables: '{"a":1}', operationName: 'A' },
      { variables: { a: 1 }, operationName: 'A' },
    ],
    [{ query, extensions: '{}', other: 'x' }, {}],
  ])('accepts %j', (parameters, expected) => {
    expect(readQueryParameters(parameters)).toEqual({ query, ...expected });
  });

  test.each([
    [{}, 'The query parameter query is missing. It must be the GraphQL document, as in ?query='],
    [{ query: '' }, 'The query parameter query is empty'],
    [{ query: [query, query] }, 'query must not be repeated'],
    [{ query, variables: '{' }, 'variables must be JSON. Invalid JSON at line 1'],
    [{ query, variables: '[]' }, 'The query parameter variables is an array'],
    [{ query, variables: ['{}', '{}'] }, 'variables must not be repeated'],
    [{ query, extensions: '1' }, 'The query parameter extensions is a number'],
  ])('rejects %j', (parameters, message) => {
    expect(() => readQueryParameters(parameters)).toThrow(message);
  });
});
