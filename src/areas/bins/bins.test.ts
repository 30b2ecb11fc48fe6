import { expect, test } from 'vitest';
import { type Bin, type BinResponse, binBytes } from './bins.js';

const made = (response: BinResponse | null, name = 'Hooks'): Bin => ({
  id: 'A'.repeat(22),
  name,
  createdAtMs: Date.now(),
  response,
});
const names = Array.from({ length: 20 }, (_, index) => `X-${'a'.repeat(90)}-${index}`);
const headers = Object.fromEntries(names.map((name) => [name, 'v'.repeat(1000)]));

test.each<[string, Partial<BinResponse>, number]>([
  ['control characters', { body: '\u0001'.repeat(65_536) }, 65_536],
  ['Latin letters', { body: 'x'.repeat(65_536) }, 65_536],
  ['letters of two bytes', { body: 'ž'.repeat(32_768) }, 65_536],
  ['headers by name', { headers }, 20 * 1093],
  ['headers as pairs', { headers: Object.entries(headers) }, 20 * 1093],
])('a response of %s counts with its size in memory', (_name, reply, bytes) => {
  const empty = binBytes(made({ status: 200, headers: {}, body: '' }));
  const counted = binBytes(made({ status: 200, headers: {}, body: '', ...reply })) - empty;
  expect(counted).toBeGreaterThanOrEqual(bytes);
  expect(counted).toBeLessThan(bytes * 1.2);
});
