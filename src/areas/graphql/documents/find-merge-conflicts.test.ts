import fc from 'fast-check';
import { buildSchema, OverlappingFieldsCanBeMergedRule, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../../test/support/case-count.js';
import { findMergeConflicts } from './find-merge-conflicts.js';

const schema = buildSchema(`
  type Query { a(x: Int, y: Int): T b(x: Int): T n: Int m: Int }
  type T { p: Int q: Int t(x: Int): T }
`);

function conflictsOf(text: string) {
  return findMergeConflicts(schema, parse(text), 5);
}

describe('findMergeConflicts', () => {
  test.each([
    ['the same field twice', '{ n n }'],
    ['the same arguments in another order', '{ a(x: 1, y: 2) { p } a(y: 2, x: 1) { q } }'],
    ['two fields under two aliases', '{ x: n y: m }'],
    ['the same alias for the same field', '{ x: n x: n }'],
    ['the same name at two places', '{ a { p } b { p: q } }'],
    ['the same fragment twice', '{ ...F ...F } fragment F on Query { n }'],
    ['the same variable', 'query ($v: Int) { a(x: $v) { p } a(x: $v) { q } }'],
    ['the type name twice', '{ __typename __typename }'],
    ['introspection', '{ __schema { types { name } } __schema { types { kind } } }'],
  ])('accepts %s', (_title, text) => {
    expect(conflictsOf(text)).toEqual([]);
  });

  test.each([
    ['two fields under one name', '{ x: n x: m }', '"n" and "m" are different fields'],
    ['two values of an argument', '{ a(x: 1) { p } a(x: 2) { p } }', 'different arguments'],
    ['an argument and none', '{ a(x: 1) { p } a { p } }', 'different arguments'],
    ['a variable and a value', 'query ($v: Int) { a(x: $v) { p } a(x: 1) { p } }', 'arguments'],
    ['fields of merged objects', '{ a { x: p } a { x: q } }', '"p" and "q"'],
    ['a field and one of a fragment', '{ x: n ...F } fragment F on Query { x: m }', '"n" and "m"'],
    [
      'fields of two fragments',
      '{ ...F ...G } fragment F on Query { x: n } fragment G on Query { x: m }',
      '"n"',
    ],
    ['fields of an inline fragment', '{ x: n ... on Query { x: m } }', '"n" and "m"'],
    [
      'fields deep below fragments',
      '{ a { ...F } ...G } fragment F on T { t { x: p } } fragment G on Query { a { t { x: q } } }',
      '"p" and "q"',
    ],
    ['introspection', '{ __schema { types { x: name x: kind } } }', '"name" and "kind"'],
    ['a field and the type name', '{ x: n x: __typename }', '"n" and "__typename"'],
  ])('finds %s', (_title, text, reason) => {
    const [conflict, ...others] = conflictsOf(text);
    expect(conflict?.message).toContain(reason);
    expect(conflict?.message).toContain('alias');
    expect(conflict?.locations).toHaveLength(2);
    expect(others).toEqual([]);
  });

  test('reports a conflict inside a fragment once, however often it is spread', () => {
    const text = 'query A { ...F } query B { ...F } fragment F on Query { x: n x: m }';
    expect(conflictsOf(text)).toHaveLength(1);
  });

  test('stops at the given number', () => {
    const text = `{ ${Array.from({ length: 50 }, (_, x) => `a(x: ${x}) { p }`).join(' ')} }`;
    expect(findMergeConflicts(schema, parse(text), 3)).toHaveLength(3);
  });

  test('agrees with graphql-js on whether a document has conflicts', () => {
    const { selection } = fc.letrec<{ selection: string; field: string; inner: string }>((tie) => ({
      field: fc.oneof(
        fc.constantFrom('p', 'q', 'x: p', 'x: q', 'p: q', '__typename', 'x: __typename'),
        tie('inner').map((inner) => `t ${inner}`),
        fc.tuple(fc.nat(1), tie('inner')).map(([x, inner]) => `t(x: ${x}) ${inner}`),
        tie('inner').map((inner) => `... ${inner}`),
        fc.constantFrom('...F', '...G'),
      ),
      inner: fc
        .array(tie('field'), { minLength: 1, maxLength: 3, depthIdentifier: 'inner' })
        .map((fields) => `{ ${fields.join(' ')} }`),
      selection: fc.array(tie('field'), { minLength: 1, maxLength: 4 }).map((f) => f.join(' ')),
    }));
    const flat = fc.array(
      fc.constantFrom('p', 'x: q', 'q', 't { p }', 't { x: p }', 't(x: 1) { q }'),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    let withConflict = 0;
    fc.assert(
      fc.property(selection, flat, flat, (main, f, g) => {
        const text = `{ a { ${main} } } fragment F on T { ${f.join(' ')} ...G } fragment G on T { ${g.join(' ')} }`;
        const expected = validate(schema, parse(text), [OverlappingFieldsCanBeMergedRule]);
        // graphql-js also checks unused fragments, which another rule rejects.
        fc.pre(main.includes('...F') && main.includes('...G'));
        if (expected.length > 0) withConflict += 1;
        expect(conflictsOf(text).length > 0, text).toBe(expected.length > 0);
      }),
      { numRuns: caseCount(300, 20_000) },
    );
    expect(withConflict).toBeGreaterThan(15);
  });
});
