import { expect, test } from 'vitest';
import { writeJson, writeJsonInTurns, writeJsonLine } from './write-json.js';

/** Each as Python's `json.dumps` gives it, with `sort_keys=True, indent=2` and without. */
test.each([
  [
    'nothing inside',
    { args: {}, list: [] },
    '{\n  "args": {},\n  "list": []\n}\n',
    '{"args": {}, "list": []}\n',
  ],
  ['members by name', { b: 1, a: 2 }, '{\n  "a": 2,\n  "b": 1\n}\n', '{"b": 1, "a": 2}\n'],
  [
    'values inside values',
    { a: { d: null, c: [true, { e: 1.5 }] } },
    '{\n  "a": {\n    "c": [\n      true,\n      {\n        "e": 1.5\n      }\n    ],\n    "d": null\n  }\n}\n',
    '{"a": {"d": null, "c": [true, {"e": 1.5}]}}\n',
  ],
  [
    'what is not ASCII',
    { ž: '\u007f€😀"\\\n' },
    '{\n  "\\u017e": "\\u007f\\u20ac\\ud83d\\ude00\\"\\\\\\n"\n}\n',
    '{"\\u017e": "\\u007f\\u20ac\\ud83d\\ude00\\"\\\\\\n"}\n',
  ],
  ['a text alone', 'x', '"x"\n', '"x"\n'],
])('writes %s', (_name, value, whole, line) => {
  expect(writeJson(value)).toBe(whole);
  expect(writeJsonLine(value)).toBe(line);
});

test('leaves out what is not there', () => {
  expect(writeJson({ a: undefined, b: 1 })).toBe('{\n  "b": 1\n}\n');
});

test('a member named __proto__ is one like any other', () => {
  expect(writeJson(JSON.parse('{"__proto__": 1}'))).toBe('{\n  "__proto__": 1\n}\n');
});

test('writes what nests as deep as JSON is taken', () => {
  const text = '['.repeat(500) + ']'.repeat(500);
  expect(JSON.stringify(JSON.parse(writeJson(JSON.parse(text))))).toBe(text);
});

test('writes on one line when indentation would make the text too long', async () => {
  const list = JSON.parse(`${'['.repeat(400)}${'0,'.repeat(20_000)}0${']'.repeat(400)}`);
  const text = writeJson(list);
  expect(text).toBe(`${'['.repeat(400)}${'0, '.repeat(20_000)}0${']'.repeat(400)}\n`);
  expect(String(await writeJsonInTurns(list))).toBe(text);
});

test('writes the same in turns', async () => {
  const value = { list: Array.from({ length: 5000 }, (_, index) => ({ [`é${index}`]: [index] })) };
  const whole = writeJson(value);
  expect(JSON.parse(whole)).toEqual(value);
  expect(String(await writeJsonInTurns(value))).toBe(whole);
});
