import { Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits, uncountable } from '../outcome/limits.js';
import { measureDocument } from './measure-document.js';

describe('measureDocument', () => {
  const cases: readonly [title: string, text: string, size: object][] = [
    ['fields', '{ a b { c } }', { fields: 3, aliases: 0, depth: 2 }],
    ['aliases', '{ x: a y: b { z: c } }', { fields: 3, aliases: 3, depth: 2 }],
    ['all operations together', 'query A { a } query B { b { c } }', { fields: 3, depth: 2 }],
    [
      'inline fragments, which add no depth',
      '{ ... { ... on T { a } } b }',
      { fields: 2, depth: 1 },
    ],
    [
      'a fragment wherever it is spread',
      '{ a { ...F } b { ...F } } fragment F on T { x: c d { e } }',
      { fields: 8, aliases: 2, depth: 3 },
    ],
    [
      'a fragment that no operation spreads as nothing',
      '{ a } fragment F on T { b c }',
      { fields: 1 },
    ],
    ['a fragment that is not defined as nothing', '{ a ...F }', { fields: 1 }],
    [
      'introspection like any other field',
      '{ __schema { types { fields { type { ofType { name } } } } } a { b } }',
      { fields: 8, depth: 6 },
    ],
    [
      'a fragment that spreads itself once',
      '{ ...F } fragment F on T { a ...F }',
      { fields: 1, hasCycle: true },
    ],
    [
      'a cycle that no operation reaches',
      '{ a } fragment F on T { ...G } fragment G on T { ...F }',
      { fields: 1, hasCycle: true },
    ],
  ];

  test.each(cases)('counts %s', (_title, text, size) => {
    expect(measureDocument(parse(text))).toMatchObject({ hasCycle: false, ...size });
  });

  test('counts nested fragments that double at each level without expanding them', () => {
    const levels = Array.from(
      { length: 300 },
      (_, level) => `fragment F${level} on T { ...F${level + 1} ...F${level + 1} }`,
    );
    const document = parse(`{ ...F0 } ${levels.join(' ')} fragment F300 on T { a }`);
    expect(measureDocument(document).fields).toBe(uncountable);
  });

  test('collects introspection fields once per spread, up to one above the limit', () => {
    const countOf = (text: string) => measureDocument(parse(text)).introspections.length;
    expect(countOf('{ a __typename }')).toBe(0);
    expect(countOf('{ __schema { a } ...F ...F } fragment F on Query { __type { a } }')).toBe(3);
    expect(countOf('query A { __schema { a } } query B { __schema { a } }')).toBe(2);
    expect(
      countOf(
        '{ ...F ...F } fragment F on Q { ...G ...G } fragment G on Q { ...H ...H } fragment H on Q { __schema { a } }',
      ),
    ).toBe(limits.introspections + 1);
  });

  test('counts the fields of each row', () => {
    const document = parse('{ a { b c { d } } a { ...F } } fragment F on T { e }');
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    const nodes = operation.selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
    expect(measureDocument(document).fieldsBelow(nodes)).toBe(4);
  });
});
