import { expect, test } from 'vitest';
import { configFrom } from '../config/config.js';
import { createMemoryState } from '../state/memory-state.js';
import { readSigningKeys } from './signing-keys.js';

const newState = () => createMemoryState({ clock: Date.now });

test('keys that are set are taken as they stand', async () => {
  const text = 'ž'.repeat(20);
  const config = configFrom({ jwtKey: text, nonceKey: text, cursorKey: text });
  const key = Buffer.from(text);
  expect(await readSigningKeys(config, newState())).toEqual({ jwt: key, nonce: key, cursor: key });
});

test('others are random, each its own, the same for all over one state', async () => {
  const state = newState();
  const config = configFrom({});
  const [keys, again] = await Promise.all([
    readSigningKeys(config, state),
    readSigningKeys(config, state),
  ]);
  expect(again).toEqual(keys);
  const hex = Object.values(keys).map((key: Buffer) => key.toString('hex'));
  expect(new Set(hex).size).toBe(3);
  expect(hex.every((text) => text.length === 64)).toBe(true);
  expect(await readSigningKeys(config, newState())).not.toEqual(keys);
});
