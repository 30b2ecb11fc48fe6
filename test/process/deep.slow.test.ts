/** Each step of `npm run deep` begins its work; a name of a file or of a section that is gone fails it. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { steps } from '../../scripts/deep.js';

const script = fileURLToPath(new URL('../../scripts/deep.js', import.meta.url));
const hasLab = existsSync(
  join(fileURLToPath(new URL('../../lab', import.meta.url)), 'node_modules'),
);
const running = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of running) child.kill('SIGTERM');
});

/** Runs a step with a budget of a few seconds on the existing build. */
async function runStep(name: string) {
  const child = spawn(process.execPath, [script, '--only', name, '--seconds', '3'], {
    stdio: 'pipe',
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const status = await new Promise((resolve) => child.once('close', resolve));
  running.delete(child);
  return { status, output };
}

test('the deep run has all steps', () => {
  expect(steps.map(({ name }) => name)).toEqual([
    'properties',
    'replicas',
    'chaos',
    'fuzz',
    'soak',
    'hostile',
    'clients',
    'conformance',
    'mcp-clients',
    'mutants',
  ]);
});

for (const { name, needsLab } of steps) {
  // The packages of the lab are large; CI installs them.
  const isPossible = !needsLab || hasLab || Boolean(process.env.CI);
  test.skipIf(!isPossible)(`the step ${name} begins its work`, { timeout: 600_000 }, async () => {
    const { status, output } = await runStep(name);
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringContaining(`Step ${name} passed.\n1 of 1 steps passed.`),
    });
  });
}

test('a step that fails before it begins fails the run', async () => {
  const { runStep: run } = await import('../../scripts/deep.js');
  const failing = { name: 'x', command: [process.execPath, 'lab/none.js'], begun: /never/ };
  expect(await run(failing, 1)).toBe(false);
});
