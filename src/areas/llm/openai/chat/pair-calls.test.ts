import { expect, test } from 'vitest';
import type { Turn } from '../../messages/conversation.js';
import { pairCalls } from './pair-calls.js';

const user: Turn = { role: 'user', text: 'Hello' };
const calls = (...ids: readonly string[]): Turn => ({
  role: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, name: 'weather', arguments: '{}' })),
});
const result = (id: string): Turn => ({ role: 'tool', text: '', results: [{ id, text: 'Rain' }] });

test.each([
  ['no calls', [user]],
  ['results in another order', [user, calls('a', 'b'), result('b'), result('a'), user]],
  ['an id that is used again later', [calls('a'), result('a'), calls('a'), result('a')]],
])('accepts %s', (_what, turns) => {
  expect(() => pairCalls(turns)).not.toThrow();
});

test.each([
  ['a result without a call', [user, result('a')]],
  ['a result twice', [calls('a'), result('a'), result('a')]],
  ['a call without a result', [user, calls('a')]],
  ['a late result', [calls('a'), user, result('a')]],
])('rejects %s', (_what, turns) => {
  expect(() => pairCalls(turns)).toThrow(/'a'/);
});
