/** Compiles each object that the tests of payments produce: faults and races cause other values than a journey does. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compile } from '../payments/support/compile-values.js';
import { useCompiler } from '../support/compile-types.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
useCompiler();

test('each object of payments has its type, whichever test produces it', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'practice-payments-'));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const keeper = new URL('../payments/support/keep-values.js', import.meta.url).href;
  const files = readdirSync(join(root, 'test/payments'))
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('types.'))
    .map((name) => `test/payments/${name}`);
  const run = spawn(process.execPath, [vitest, 'run', '--project', 'memory', ...files], {
    cwd: root,
    env: { ...process.env, PRACTICE_KEPT_PAYMENTS: kept, NODE_OPTIONS: `--import ${keeper}` },
    stdio: 'ignore',
  });
  expect((await once(run, 'exit'))[0]).toBe(0);
  const lines = readdirSync(kept).flatMap((name) =>
    readFileSync(join(kept, name), 'utf8').trim().split('\n'),
  );
  rmSync(kept, { recursive: true });
  const values = [...new Set(lines)].map((line) => JSON.parse(line));
  expect(values.length).toBeGreaterThan(500);
  expect(compile(values)).toEqual([]);
});
