import { expect, test } from 'vitest';
import { createMemoryState } from '#state/memory/memory-state.js';
import { signingKeyReader } from './signing-key.js';

const newState = () => createMemoryState({ clock: Date.now });

test('a configured key is used unchanged', async () => {
  const text = 'ž'.repeat(20);
  expect(await signingKeyReader(newState())('jwt', text)).toEqual(Buffer.from(text));
});

test('other keys are random and different, and equal for all processes of one state', async () => {
  const names = ['jwt', 'nonce', 'cursor'];
  const keysOver = async (state: ReturnType<typeof newState>) => {
    const keys = await Promise.all(names.map((name) => signingKeyReader(state)(name, undefined)));
    return keys.map((key) => key.toString('hex'));
  };
  const state = newState();
  const [keys, again] = await Promise.all([keysOver(state), keysOver(state)]);
  expect(again).toEqual(keys);
  expect(new Set(keys).size).toBe(names.length);
  expect(keys.every((text) => text.length === 64)).toBe(true);
  expect(await keysOver(newState())).not.toEqual(keys);
});
