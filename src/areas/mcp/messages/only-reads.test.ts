import { expect, test } from 'vitest';
import { onlyReads } from './only-reads.js';

test.each<[string, unknown, boolean | undefined]>([
  ['a list of tools', { method: 'tools/list' }, true],
  ['a call', { method: 'tools/call' }, undefined],
  ['a batch with a call', [{ method: 'ping' }, { method: 'tools/call' }], undefined],
  ['a response', { id: 1, result: {} }, true],
  ['a text', 'x', undefined],
])('%s', (_name, body, expected) => {
  expect(onlyReads(Buffer.from(JSON.stringify(body)))).toBe(expected);
});

test('what is not JSON', () => expect(onlyReads(Buffer.from('{'))).toBeUndefined());
