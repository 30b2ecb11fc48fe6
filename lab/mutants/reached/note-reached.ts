/** Writes which functions a test file has executed, from the first import on. */

import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { marks } from './functions.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const reached = new Set<string>();
Object.assign(globalThis, { [marks]: reached });

/** The numbers of functions by the file that has them. */
function byFile(): Readonly<Record<string, readonly number[]>> {
  const numbers: Record<string, number[]> = {};
  for (const name of reached) {
    const [file = '', number] = name.split('#');
    numbers[file] ??= [];
    numbers[file].push(Number(number));
  }
  return numbers;
}

afterAll(() => {
  const file = relative(root, expect.getState().testPath ?? '');
  const line = JSON.stringify({ file, reached: byFile() });
  appendFileSync(process.env.PRACTICE_REACHED ?? '', `${line}\n`);
});
