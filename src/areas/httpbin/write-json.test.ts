import { expect, test } from 'vitest';
import { writeJson, writeJsonLine } from './write-json.js';

/** The output of Python's `json.dumps`, with and without `sort_keys=True, indent=2`. */
test.each([
  [
    'an empty object or array',
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
    'non-ASCII text',
    { ž: '\u007f€😀"\\\n' },
    '{\n  "\\u017e": "\\u007f\\u20ac\\ud83d\\ude00\\"\\\\\\n"\n}\n',
    '{"\\u017e": "\\u007f\\u20ac\\ud83d\\ude00\\"\\\\\\n"}\n',
  ],
  ['only a string', 'x', '"x"\n', '"x"\n'],
])('writes %s', (_name, value, whole, line) => {
  expect(writeJson(value)).toBe(whole);
  expect(writeJsonLine(value)).toBe(line);
});

test('leaves out undefined members', () => {
  expect(writeJson({ a: undefined, b: 1 })).toBe('{\n  "b": 1\n}\n');
});

test('a member named __proto__ is an ordinary member', () => {
  expect(writeJson(JSON.parse('{"__proto__": 1}'))).toBe('{\n  "__proto__": 1\n}\n');
});

test('writes values nested as deep as the parser allows', () => {
  const text = '['.repeat(500) + ']'.repeat(500);
  expect(JSON.stringify(JSON.parse(writeJson(JSON.parse(text))))).toBe(text);
});
