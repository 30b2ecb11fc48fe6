import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import {
  type JsonLayout,
  jsonLengths,
  jsonPieces,
  TextOfBytes,
  WrittenJson,
} from './json-pieces.js';

/** Also checks that the counted length is the written length. */
function join(value: unknown, layout?: JsonLayout): string {
  const text = [...jsonPieces(value, layout)].map(String).join('');
  const bytes = [...jsonLengths(value, layout)].reduce((sum, length) => sum + length, 0);
  expect(bytes).toBe(Buffer.byteLength(text));
  return text;
}

test('writes the same JSON as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(join(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: caseCount(500) },
  );
});

const long = 20_000;

test.each([
  ['control characters', '\u0001'.repeat(long)],
  ['surrogate pairs', '🐎'.repeat(long)],
  ['surrogate pairs at odd places', `a${'🐎'.repeat(long)}`],
  ['lone surrogates', '\ud83d'.repeat(long)],
  ['quotes', '"\\'.repeat(long)],
])('writes a long text of %s like JSON.stringify', (_name, text) => {
  for (const value of [text, [text], { [text]: text }]) {
    expect(join(value)).toBe(JSON.stringify(value));
  }
});

test.each([
  ['a long text', '\u0001'.repeat(1_000_000)],
  ['many numbers', Array(200_000).fill(1)],
  ['many objects', Array(50_000).fill({ a: 'b', c: [] })],
  ['many members', Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`n${n}`, n]))],
])('yields %s in pieces of limited size', (_name, value) => {
  const pieces = [...jsonPieces(value)];
  expect(pieces.map(String).join('')).toBe(JSON.stringify(value));
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(80_000);
});

test('omits undefined members', () => {
  expect(join({ a: undefined, b: 1, c: [undefined] })).toBe('{"b":1,"c":[null]}');
});

describe('a text of bytes', () => {
  test.each([undefined, { isAscii: true, comma: ', ', colon: ': ' }])(
    'is the text, by layout %j',
    (layout) => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => {
          const bytes = Buffer.from(text);
          expect(join(new TextOfBytes(bytes, 'utf-8'), layout)).toBe(join(String(bytes), layout));
        }),
        { numRuns: caseCount(500) },
      );
    },
  );

  test('is decoded across pieces', () => {
    const text = 'žluťoučký 🐎'.repeat(5000);
    const body = new TextOfBytes(Buffer.from(text), 'utf-8');
    expect(JSON.parse(join({ body }))).toEqual({ body: text });
    expect(JSON.stringify({ body })).toBe(join({ body }));
  });

  test('is written as base64 after its prefix', () => {
    const bytes = Buffer.alloc(50_001, 0xff);
    const body = new TextOfBytes(bytes, 'base64', 'data:a/b;base64,');
    expect(JSON.parse(join([body]))).toEqual([`data:a/b;base64,${bytes.toString('base64')}`]);
  });
});

test('inserts JSON that was written before', () => {
  const written = WrittenJson.of({ a: 'ž' }, 10);
  expect(written?.byteLength).toBe(10);
  expect(join({ x: written, y: [written] })).toBe('{"x":{"a":"ž"},"y":[{"a":"ž"}]}');
  expect(WrittenJson.of({ a: 'ž' }, 9)).toBeUndefined();
});

test('writes lines with indentation and sorted members if the layout requires it', () => {
  const layout = { quote: JSON.stringify, comma: ',', colon: ': ', indent: 2, isSorted: true };
  const value = { b: [1, {}], a: [] };
  expect(join(value, layout)).toBe('{\n  "a": [],\n  "b": [\n    1,\n    {}\n  ]\n}');
});
