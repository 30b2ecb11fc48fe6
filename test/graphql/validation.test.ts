/** Invalid documents, rule by rule. */

import fc from 'fast-check';
import { parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../src/areas/graphql/execution/create-schema.js';
import { readSchemaText } from '../../src/areas/graphql/read-schema-text.js';
import { caseCount, patientlyTried } from '../support/case-count.js';
import { useService } from '../support/service.js';
import { arbitraryDocument } from './arbitrary-document.js';
import { useGraphQL } from './graphql.js';

const service = useService();
const graphql = useGraphQL(service);

interface RuleCase {
  readonly title: string;
  readonly query: string;
  /** The part after `sec-` in the URL of the section with the rule. */
  readonly section: string;
  readonly members?: object;
  readonly says?: readonly string[];
}

const cases: readonly RuleCase[] = [
  {
    title: 'a definition that cannot be executed',
    query: '{ users { id } } type T { a: Int }',
    section: 'Executable-Definitions',
  },
  {
    title: 'a subscription of two fields',
    query: 'subscription { countdown(from: 1) again: countdown(from: 2) }',
    section: 'Single-root-field',
    says: ['must select only one'],
  },
  {
    title: 'a subscription to a field that has no events',
    query: 'subscription { __typename }',
    section: 'Single-root-field',
    says: ['must not select __typename'],
  },
  {
    title: 'two operations of one name',
    query: 'query A { users { id } } query A { users { id } }',
    section: 'Operation-Name-Uniqueness',
    members: { operation: 'A' },
    says: ['"A"'],
  },
  {
    title: 'an operation without a name beside another',
    query: '{ users { id } } query A { users { id } }',
    section: 'Lone-Anonymous-Operation',
    says: ['must be the only one'],
  },
  {
    title: 'a variable of an unknown type',
    query: 'query ($a: Imt) { posts(userId: $a) { id } }',
    section: 'Variables-Are-Input-Types',
    members: { type: 'Imt' },
    says: ['"Imt"', '"Int"'],
  },
  {
    title: 'a variable of the type ID, which other schemas have',
    query: 'query ($a: ID!) { user(id: $a) { id } }',
    section: 'Variables-Are-Input-Types',
    members: { type: 'ID' },
    says: ['"ID"', 'are Boolean, ChangeKind, Decimal, Float, Int, Long, String.'],
  },
  {
    title: 'a fragment on an unknown type',
    query: '{ users { ... on Usr { id } } }',
    section: 'Fragment-Spread-Type-Existence',
    members: { type: 'Usr' },
    says: ['"Usr"', '"User"'],
  },
  {
    title: 'a fragment on an unknown type, unlike any other',
    query: '{ users { ... on constructor { id } } }',
    section: 'Fragment-Spread-Type-Existence',
    members: { type: 'constructor' },
    says: ['"constructor"', 'are Address, Album, ', ', UserChange.'],
  },
  {
    title: 'a fragment on a scalar',
    query: '{ users { ... on Int { id } } }',
    section: 'Fragments-On-Composite-Types',
    members: { typeCondition: 'Int' },
  },
  {
    title: 'a variable of an output type',
    query: 'query ($a: [User]) { posts(userId: $a) { id } }',
    section: 'Variables-Are-Input-Types',
    members: { variable: 'a', variableType: '[User]' },
    says: ['"[User]"', 'are Boolean, ChangeKind, Decimal, Float, Int, Long, String.'],
  },
  {
    title: 'an object without a selection',
    query: '{ all: books }',
    section: 'Leaf-Field-Selections',
    members: { declaringType: 'Query', field: 'books', responseName: 'all', type: '[Book!]!' },
    says: ['"books" of type "[Book!]!"', 'books { ... }'],
  },
  {
    title: 'a plain value with a selection',
    query: '{ books { title { x } } }',
    section: 'Leaf-Field-Selections',
    members: { declaringType: 'Book', field: 'title', type: 'String!' },
    says: ['"title"', 'no subfields'],
  },
  {
    title: 'an unknown field, with a similar existing name',
    query: '{ books { t: titel } }',
    section: 'Field-Selections',
    members: { type: 'Book', field: 'titel', responseName: 't' },
    says: ['"titel"', '"Book"', 'Did you mean "title"?'],
  },
  {
    title: 'an unknown field, unlike any other',
    query: '{ companies { headquarters { zzz } } }',
    section: 'Field-Selections',
    members: { type: 'CompanyHeadquarters', field: 'zzz', responseName: 'zzz' },
    says: ['It has the fields city, country.'],
  },
  {
    title: 'a wildcard',
    query: '{ books { all } }',
    section: 'Field-Selections',
    members: { type: 'Book', field: 'all' },
  },
  {
    title: 'a relation that the types lack',
    query: '{ posts { user { name } } }',
    section: 'Field-Selections',
    members: { type: 'Post', field: 'user' },
    says: ['"userId"'],
  },
  {
    title: 'two fragments of one name',
    query: '{ users { ...F } } fragment F on User { id } fragment F on User { id }',
    section: 'Fragment-Name-Uniqueness',
    members: { fragment: 'F' },
  },
  {
    title: 'an undefined fragment',
    query: '{ users { ...Missing } }',
    section: 'Fragment-spread-target-defined',
    members: { fragment: 'Missing' },
    says: ['"Missing"', 'it has no fragments.'],
  },
  {
    title: 'an unused fragment',
    query: '{ users { id } } fragment F on User { id }',
    section: 'Fragments-Must-Be-Used',
    members: { fragment: 'F' },
  },
  {
    title: 'a fragment on an impossible type',
    query: '{ users { ...F } } fragment F on Book { id }',
    section: 'Fragment-spread-is-possible',
    members: { fragment: 'F', typeCondition: 'Book', selectionSetType: 'User' },
  },
  {
    title: 'an inline fragment on an impossible type',
    query: '{ users { ... on Book { id } } }',
    section: 'Fragment-spread-is-possible',
    members: { typeCondition: 'Book', selectionSetType: 'User' },
  },
  {
    title: 'a cycle of fragments',
    query: '{ users { ...F } } fragment F on User { ...G } fragment G on User { ...F }',
    section: 'Fragment-spreads-must-not-form-cycles',
    members: { fragment: expect.stringMatching(/^[FG]$/) },
  },
  {
    title: 'two variables of one name',
    query: 'query ($a: Int, $a: Int) { posts(userId: $a) { id } }',
    section: 'Variable-Uniqueness',
    members: { variable: 'a' },
  },
  {
    title: 'an undeclared variable',
    query: '{ posts(userId: $who) { id } }',
    section: 'All-Variable-Uses-Defined',
    members: { variable: 'who' },
    says: ['"$who" is not defined', 'Declare it'],
  },
  {
    title: 'an unused variable',
    query: 'query ($a: Int) { users { id } }',
    section: 'All-Variables-Used',
    members: { variable: 'a', variableType: 'Int' },
  },
  {
    title: 'an unknown directive',
    query: '{ users @uppercase { id } }',
    section: 'Directives-Are-Defined',
    members: { directive: 'uppercase' },
    says: ['@include(if:) and @skip(if:)'],
  },
  {
    title: 'a directive in a wrong place',
    query: 'query @skip(if: true) { users { id } }',
    section: 'Directives-Are-In-Valid-Locations',
    members: { directive: 'skip' },
    says: ['It can be used on FIELD, FRAGMENT_SPREAD, INLINE_FRAGMENT.'],
  },
  {
    title: 'a repeated directive',
    query: '{ users @skip(if: true) @skip(if: true) { id } }',
    section: 'Directives-Are-Unique-Per-Location',
    members: { directive: 'skip' },
  },
  {
    title: 'an unknown argument, with a similar existing name',
    query: '{ books(gender: "x") { id } }',
    section: 'Argument-Names',
    members: { type: 'Query', field: 'books', argument: 'gender' },
    says: ['Did you mean "genre"?'],
  },
  {
    title: 'an unknown argument, unlike any other',
    query: '{ book(id: 1, somethingElse: 2) { id } }',
    section: 'Argument-Names',
    members: { type: 'Query', field: 'book', argument: 'somethingElse' },
    says: ['It accepts id: Int!.'],
  },
  {
    title: 'an argument where none is allowed',
    query: '{ users(first: 2) { id } }',
    section: 'Argument-Names',
    members: { type: 'Query', field: 'users', argument: 'first' },
    says: ['It accepts no arguments.'],
  },
  {
    title: 'an unknown argument of a directive',
    query: '{ users @skip(when: true, if: false) { id } }',
    section: 'Argument-Names',
    members: { directive: 'skip', argument: 'when' },
  },
  {
    title: 'a repeated argument',
    query: '{ book(id: 1, id: 2) { id } }',
    section: 'Argument-Uniqueness',
    members: { type: 'Query', field: 'book', argument: 'id' },
  },
  {
    title: 'a string for an Int',
    query: '{ book(id: "1") { id } }',
    section: 'Values-of-Correct-Type',
    members: { field: 'book', argument: 'id', argumentValue: '"1"', locationType: 'Int!' },
    says: ['does not match the type Int! of the argument "id"'],
  },
  {
    title: 'a decimal for an Int',
    query: '{ book(id: 1.0) { id } }',
    section: 'Values-of-Correct-Type',
    members: { argument: 'id', argumentValue: '1.0' },
  },
  {
    title: 'an Int of more than 32 bits',
    query: '{ book(id: 2147483648) { id } }',
    section: 'Values-of-Correct-Type',
    members: { argument: 'id', argumentValue: '2147483648' },
    says: ['32-bit'],
  },
  {
    title: 'a number for a String',
    query: '{ books(genre: 7) { id } }',
    section: 'Values-of-Correct-Type',
    members: { argument: 'genre', argumentValue: '7', locationType: 'String' },
  },
  {
    title: 'a name for a String',
    query: '{ books(genre: FANTASY) { id } }',
    section: 'Values-of-Correct-Type',
    members: { argument: 'genre', argumentValue: 'FANTASY' },
  },
  {
    title: 'a string for a Boolean',
    query: '{ todos(completed: "true") { id } }',
    section: 'Values-of-Correct-Type',
    members: { argument: 'completed', argumentValue: '"true"', locationType: 'Boolean' },
  },
  {
    title: 'null where a value is required',
    query: '{ book(id: null) { id } }',
    section: 'Values-of-Correct-Type',
    members: { argument: 'id', argumentValue: 'null' },
  },
  {
    title: 'a default of the wrong type',
    query: 'query ($id: Int = "1") { posts(userId: $id) { id } }',
    section: 'Values-of-Correct-Type',
    members: { argumentValue: '"1"', locationType: 'Int' },
    says: ['default value'],
  },
  {
    title: 'a missing required argument',
    query: '{ one: book { id } }',
    section: 'Required-Arguments',
    members: { type: 'Query', field: 'book', responseName: 'one', argument: 'id' },
    says: ['"id" of type "Int!" is required'],
  },
  {
    title: 'a missing required argument of a directive',
    query: '{ users @skip { id } }',
    section: 'Required-Arguments',
    members: { directive: 'skip', argument: 'if' },
  },
  {
    title: 'a variable whose type does not fit',
    query: 'query ($id: String!) { book(id: $id) { id } }',
    section: 'All-Variable-Usages-are-Allowed',
    members: { variable: 'id', variableType: 'String!' },
    says: ['"$id" of type "String!"', '"Int!"'],
  },
  {
    title: 'a nullable variable where null is not allowed',
    query: 'query ($id: Int) { book(id: $id) { id } }',
    section: 'All-Variable-Usages-are-Allowed',
    members: { variable: 'id', variableType: 'Int' },
  },
  {
    title: 'one field twice with different arguments',
    query: '{ book(id: 1) { id } book(id: 2) { id } }',
    section: 'Field-Selection-Merging',
    members: { type: 'Query', field: 'book', responseName: 'book' },
    says: ['cannot be merged', 'alias'],
  },
  {
    title: 'two fields under one alias',
    query: '{ users { x: id x: name } }',
    section: 'Field-Selection-Merging',
    members: { type: 'User', field: 'name', responseName: 'x' },
  },
  {
    title: 'a repeated field of an input object',
    query: '{ book(id: { a: 1, a: 2 }) { id } }',
    section: 'Input-Object-Field-Uniqueness',
    members: { field: 'a' },
  },
];

describe('a document that breaks a rule → 400, and the error names the rule', () => {
  test.each(cases)('$title', async ({ query, section, members = {}, says = [] }) => {
    const { status, json, errors } = await graphql.run(query);
    expect(status).toBe(400);
    expect(json).not.toHaveProperty('data');
    const specifiedBy = `https://spec.graphql.org/October2021/#sec-${section}`;
    // biome-ignore lint/suspicious/noExplicitAny: an error as sent
    const error = errors.find((each: any) => each.extensions.specifiedBy === specifiedBy);
    expect(error, JSON.stringify(errors)).toMatchObject({
      locations: expect.any(Array),
      extensions: { ...members, specifiedBy },
    });
    expect(error.extensions).not.toHaveProperty('code');
    for (const text of says) expect(error.message).toContain(text);
  });
});

describe('other request errors', () => {
  const byId = 'query ($id: Int!) { book(id: $id) { id } }';

  test.each([
    '{',
    '',
    ' ',
    '# nothing',
    '{ a(b: ) }',
    'query {',
    '}',
    '{ "a" }',
    'fragment',
    '{ users { * } }',
  ])('syntax: %j', async (query) => {
    const { status, errors } = await graphql.run(query === '' ? ' ' : query);
    expect(status).toBe(400);
    expect(errors).toHaveLength(1);
    expect(errors[0].extensions).toEqual({ code: 'SYNTAX_ERROR' });
    expect(errors[0].locations).toHaveLength(1);
  });

  test.each([
    [{}, 'was not provided'],
    [{ id: null }, 'must not be null'],
    [{ id: '1' }, 'Int cannot represent non-integer value: "1"'],
    [{ id: 1.5 }, 'Int cannot represent non-integer value: 1.5'],
    [{ id: true }, 'Int cannot represent non-integer value: true'],
    [{ id: 2147483648 }, '32-bit'],
    [{ id: -2147483649 }, '32-bit'],
    [{ id: [1] }, 'Int cannot represent non-integer value: [1]'],
    [{ id: {} }, 'Int cannot represent non-integer value: {}'],
  ])('variables %j', async (variables, message) => {
    // Twice, because the second run is compiled.
    for (let run = 0; run < 2; run++) {
      const { status, errors } = await graphql.run(byId, variables);
      expect(status).toBe(400);
      expect(errors).toEqual([
        {
          message: expect.stringContaining(message),
          locations: [{ line: 1, column: 8 }],
          extensions: { code: 'VARIABLE_INVALID', variable: 'id', variableType: 'Int!' },
        },
      ]);
    }
  });

  test('a number for a String variable, a string for a Boolean one', async () => {
    const query =
      'query ($g: String, $c: Boolean) { books(genre: $g) { id } todos(completed: $c) { id } }';
    const { status, errors } = await graphql.run(query, { g: 7, c: 'true' });
    expect(status).toBe(400);
    expect(errors).toHaveLength(2);
  });

  test('an integer written with a fraction of zero is an Int in JSON', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = `{"query":"${byId}","variables":{"id":1.0}}`;
    const response = await graphql.send('POST /graphql', { body, headers });
    expect(response.data).toEqual({ book: { id: 1 } });
  });

  test('several operations without a name, or with an unknown name', async () => {
    const query = 'query A { users { id } } query B { users { id } }';
    for (const [operationName, message] of [
      [undefined, 'operationName must select one'],
      ['', 'operationName must select one'],
      ['C', 'no operation named "C". It has A, B.'],
      ['a', 'no operation named "a"'],
    ]) {
      const { status, errors } = await graphql.post({ query, operationName });
      expect(status).toBe(400);
      expect(errors[0].message).toContain(message);
      expect(errors[0].extensions).toEqual({ code: 'OPERATION_NOT_FOUND' });
    }
  });

  test('null for a directive with a default', async () => {
    const query = 'query ($b: Boolean = true) { users @include(if: $b) { id } }';
    const { status, errors } = await graphql.run(query, { b: null });
    expect(status).toBe(400);
    expect(errors[0].extensions.code).toBe('VARIABLE_INVALID');
  });

  test('null for a required argument with a default is a field error', async () => {
    const query = 'query ($id: Int = 1) { book(id: $id) { id } }';
    for (let run = 0; run < 3; run++) {
      const { status, data, errors } = await graphql.run(query, { id: null });
      expect(status).toBe(200);
      expect(data).toEqual({ book: null });
      expect(errors[0]).toMatchObject({ path: ['book'], extensions: { code: 'BAD_USER_INPUT' } });
    }
  });

  test('at most five errors are reported', async () => {
    const { errors } = await graphql.run('{ a b c d e f g h }');
    expect(errors).toHaveLength(5);
  });

  test('quotations are shortened', async () => {
    const long = 'x'.repeat(50_000);
    for (const query of [
      `{ ${long} }`,
      `{ book(id: "${long}") { id } }`,
      `{ users @${long} { id } }`,
    ]) {
      const { text } = await graphql.run(query);
      expect(text.length).toBeLessThan(3000);
    }
    const { text } = await graphql.run('query ($id: Int!) { book(id: $id) { id } }', { id: long });
    expect(text.length).toBeLessThan(3000);
  });
});

test(
  'random broken documents are rejected exactly when graphql-js rejects them',
  async () => {
    const schema = createSchema(readSchemaText(true));
    const edits = fc.array(
      fc.record({
        at: fc.nat(),
        length: fc.nat(3),
        text: fc.constantFrom(
          '',
          ' ',
          '{',
          '}',
          '(',
          ')',
          ':',
          '...',
          '$',
          '@',
          '"',
          'id',
          'x',
          '!',
          '[',
          '1',
          'on',
          '\u0000',
          '🦉',
        ),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let rejected = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryDocument(schema), edits, async ({ query, variables }, changes) => {
        let broken = query;
        for (const { at, length, text } of changes) {
          const start = at % (broken.length + 1);
          broken = broken.slice(0, start) + text + broken.slice(start + length);
        }
        const { status, errors } = await graphql.post({ query: broken || ' ', variables });
        const isValid = isValidFor(broken);
        if (!isValid) rejected += 1;
        // Renamed variables may lack a value.
        if (isValid && status === 400) expect(errors[0].extensions.code).toBe('VARIABLE_INVALID');
        else expect(status, broken).toBe(isValid ? 200 : 400);
      }),
      { numRuns: caseCount(200, 20_000) },
    );
    expect(rejected).toBeGreaterThan(100);

    function isValidFor(text: string): boolean {
      try {
        return validate(schema, parse(text), specifiedRules).length === 0;
      } catch {
        return false;
      }
    }
  },
  patientlyTried.timeout,
);
