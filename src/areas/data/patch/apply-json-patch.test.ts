import { describe, expect, test } from 'vitest';
import { HttpError } from '#http/http-error.js';
import { patches, rejectedPatches } from '../../../../test/support/json-patch-cases.js';
import { applyJsonPatch } from './apply-json-patch.js';
import { parseJsonPatch } from './parse-json-patch.js';

const patched = (document: unknown, patch: unknown) =>
  applyJsonPatch(document, parseJsonPatch(patch));

function rejection(document: unknown, patch: unknown): HttpError {
  try {
    patched(document, patch);
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
  throw new Error('The patch was applied.');
}

describe('the test suite of json-patch/json-patch-tests', () => {
  test.each(patches)('%j by %j is %j', (document, patch, expected) => {
    const before = JSON.stringify([document, patch]);
    expect(patched(document, patch)).toEqual(expected);
    expect(JSON.stringify([document, patch])).toBe(before);
  });

  test.each(rejectedPatches)('%j rejects %j', (document, patch) => {
    expect([400, 409]).toContain(rejection(document, patch).status);
  });
});

const book = { title: 'Emma', tags: ['novel', 'love'], author: { name: 'Jane' } };
const operation = (op: string, path: string, more: object = {}) => ({ op, path, ...more });

test.each([
  ['a test with another value', [operation('test', '/title', { value: 'Ema' })], 0, '/title'],
  [
    'a test after operations that succeed',
    [operation('test', '/title', { value: 'Emma' }), operation('test', '/tags/1', { value: 'x' })],
    1,
    '/tags/1',
  ],
  ['a test of a missing member', [operation('test', '/isbn', { value: null })], 0, '/isbn'],
  ['a missing parent', [operation('add', '/publisher/name', { value: 'x' })], 0, '/publisher/name'],
  ['an item beyond the end', [operation('add', '/tags/3', { value: 'x' })], 0, '/tags/3'],
  ['the index after the last item', [operation('remove', '/tags/-')], 0, '/tags/-'],
  ['a missing source', [operation('copy', '/a', { from: '/b' })], 0, '/b'],
  [
    'a value into itself',
    [operation('move', '/author/name/x', { from: '/author' })],
    0,
    '/author/name/x',
  ],
  ['a value below itself', [operation('move', '/author/x', { from: '/author' })], 0, '/author/x'],
  ['a character of a text', [operation('test', '/title/0', { value: 'E' })], 0, '/title/0'],
  [
    'the length of an array',
    [operation('replace', '/tags/length', { value: 9 })],
    0,
    '/tags/length',
  ],
  ['an index in hexadecimal', [operation('replace', '/tags/0x0', { value: 9 })], 0, '/tags/0x0'],
  [
    'an inherited member',
    [operation('add', '/toString/polluted', { value: 1 })],
    0,
    '/toString/polluted',
  ],
  [
    'the prototype',
    [operation('add', '/__proto__/polluted', { value: 1 })],
    0,
    '/__proto__/polluted',
  ],
  ['the constructor', [operation('remove', '/constructor')], 0, '/constructor'],
])('%s is a conflict, and the error names operation and path', (_name, patch, index, path) => {
  const { status, extra } = rejection(book, patch);
  expect({ status, ...extra }).toEqual({ status: 409, index, path });
  expect(Object.hasOwn(Object.prototype.toString, 'polluted')).toBe(false);
});

test.each([
  ['no array', { op: 'remove', path: '/title' }, undefined],
  ['an unknown operation', ['remove'], ['0']],
  ['an operator in another letter case', [operation('Remove', '/title')], ['0.op']],
  ['a pointer without its slash', [operation('remove', 'title')], ['0.path']],
  ['a bare tilde', [operation('remove', '/a~b')], ['0.path']],
  ['no value', [operation('add', '/a'), operation('test', '/a')], ['0.value', '1.value']],
  ['no source', [operation('move', '/a')], ['0.from']],
])('%s is malformed', (_name, patch, fields) => {
  const { status, extra } = rejection(book, patch);
  expect(status).toBe(400);
  const errors = extra.errors as readonly { readonly field: string }[] | undefined;
  expect(errors?.map(({ field }) => field)).toEqual(fields);
});

test('a member named __proto__ is a member', () => {
  const made = patched({}, [operation('add', '/__proto__', { value: { a: 1 } })]) as object;
  expect(JSON.stringify(made)).toBe('{"__proto__":{"a":1}}');
  expect((made as { a?: number }).a).toBeUndefined();
});

test('copies of copies have limited size', () => {
  const doubling = Array.from({ length: 40 }, () =>
    operation('copy', '/tags/-', { from: '/tags' }),
  );
  expect(rejection(book, doubling).status).toBe(400);
  const deepening = Array.from({ length: 600 }, () =>
    operation('copy', '/author/name', { from: '/author' }),
  );
  expect(rejection({ author: { name: 1 } }, deepening).status).toBe(400);
});
