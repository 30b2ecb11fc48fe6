import { expect, test } from 'vitest';
import { createMemoryState } from '#state/memory/memory-state.js';
import { countUse, type NonceUse, nonceLifetimeMs, nonceScope, nonceSpace } from './nonce.js';

const nonceUses = nonceSpace('auth');
const issuedAtMs = 1_000_000;
const expiresAtMs = issuedAtMs + nonceLifetimeMs;

test.each<[string, NonceUse | undefined, number, string, NonceUse | undefined]>([
  ['the first use', { count: 0 }, 1, 'counted', { count: 1, cnonce: 'new' }],
  ['the next use', { count: 1, cnonce: 'old' }, 2, 'counted', { count: 2, cnonce: 'old' }],
  ['a use that leaves out some', { count: 1 }, 9, 'counted', { count: 9, cnonce: 'new' }],
  ['the same count again', { count: 2 }, 2, 'replayed', { count: 2 }],
  ['a lower count', { count: 2 }, 1, 'replayed', { count: 2 }],
  ['a count of zero', { count: 0 }, 0, 'replayed', { count: 0 }],
  ['a nonce that made room', undefined, 1, 'forgotten', undefined],
])('%s', (_name, use, count, result, value) => {
  const change = countUse(use, count, 'new', issuedAtMs);
  expect(change).toEqual(value === undefined ? { value, result } : { value, result, expiresAtMs });
});

test('without a cnonce, none is stored', () => {
  expect(countUse({ count: 0 }, 1, undefined, issuedAtMs).value).toStrictEqual({ count: 1 });
});

test('a nonce is valid only in its sandbox, and no other token is a nonce', () => {
  expect(nonceScope('mine', 'MD5')).toEqual({ purpose: 'digest-nonce MD5', sandbox: 'mine' });
});

test('a used nonce cannot be replayed after it was dropped', async () => {
  const sandbox = createMemoryState({ clock: () => issuedAtMs }).sandbox('');
  const issue = (nonce: string) =>
    sandbox.update(nonceUses, nonce, () => ({
      value: { count: 0 },
      expiresAtMs,
      result: undefined,
    }));
  const use = (nonce: string) =>
    sandbox.update(nonceUses, nonce, (current) => countUse(current, 1, 'c', issuedAtMs));
  await issue('used');
  expect(await use('used')).toBe('counted');
  for (let count = 0; count < nonceUses.maxKeys; count++) await issue(`other ${count}`);
  expect(await use('used')).toBe('forgotten');
  expect(await use('other 0')).toBe('counted');
  expect(await sandbox.entries(nonceUses)).toHaveLength(nonceUses.maxKeys);
});
