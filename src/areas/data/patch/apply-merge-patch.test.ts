import { expect, test } from 'vitest';
import { applyMergePatch } from './apply-merge-patch.js';

test.each([
  ['replaces a member', { a: 'b' }, { a: 'c' }, { a: 'c' }],
  ['adds a member', { a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  ['removes a member with null', { a: 'b' }, { a: null }, {}],
  ['removes one member and keeps another', { a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  ['ignores the removal of a missing member', { a: 'b' }, { z: null }, { a: 'b' }],
  ['replaces a complete list', { a: ['b'] }, { a: 'c' }, { a: 'c' }],
  ['replaces a value by a list', { a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  ['keeps null inside a list', { a: [1] }, { a: [null] }, { a: [null] }],
  [
    'merges nested objects',
    { a: { b: 'c', d: 'e' } },
    { a: { b: 'd', c: null } },
    { a: { b: 'd', d: 'e' } },
  ],
  ['drops null in a new object', {}, { a: { b: { c: null } } }, { a: { b: {} } }],
  ['turns a value into an object', { a: [1, 2] }, { a: { b: 'c' } }, { a: { b: 'c' } }],
  ['keeps a member that is null', { e: null }, { a: 1 }, { e: null, a: 1 }],
  ['is the result if it is a list', { a: 'b' }, ['c'], ['c']],
  ['is the result if it is null', { a: 'b' }, null, null],
  ['is the result if it is text', { a: 'b' }, 'c', 'c'],
  [
    'starts with an empty object if the target is not an object',
    [1, 2],
    { a: 'b', c: null },
    { a: 'b' },
  ],
])('%s', (_case, target, patch, expected) => {
  expect(applyMergePatch(target, patch)).toEqual(expected);
});

test('changes neither target nor patch', () => {
  const target = Object.freeze({ a: Object.freeze({ b: 1 }) });
  const patch = Object.freeze({ a: Object.freeze({ c: 2 }) });
  expect(applyMergePatch(target, patch)).toEqual({ a: { b: 1, c: 2 } });
});

test('a member named __proto__ is a member', () => {
  const merged = applyMergePatch({}, JSON.parse('{"__proto__": {"admin": true}}'));
  expect(Object.keys(merged as object)).toEqual(['__proto__']);
  expect((merged as { admin?: boolean }).admin).toBeUndefined();
});

test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('RFC 7396, Appendix A: %s by %s is %s', (target, patch, expected) => {
  expect(JSON.stringify(applyMergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(expected);
});
