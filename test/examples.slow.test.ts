/** Runs the example suites as a reader would, against the built package. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { foreignProgram } from './support/foreign-program.js';
import { useService } from './support/service.js';

const root = fileURLToPath(new URL('..', import.meta.url));

test.each([
  ['vitest', 'node_modules/.bin/vitest', ['run', '--root', 'examples/vitest'], /Tests {2}5 passed/],
  ['node:test', process.execPath, ['--test', 'examples/node-test/'], /# pass 3\n# fail 0/],
  [
    'Playwright',
    'node_modules/.bin/playwright',
    ['test', '--config', 'examples/playwright'],
    /5 passed/,
  ],
])('the example for %s passes', { timeout: 120_000 }, async (_name, command, args, summary) => {
  // Runners detect from their environment that they run inside another.
  const environment = Object.entries(process.env).filter(
    ([name]) => !/VITEST|NODE_TEST/.test(name),
  );
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(environment), NO_COLOR: '1' },
  });
  expect(stdout).toMatch(summary);
});

const python = foreignProgram('requests');
const service = useService();

python.test('the example for Python passes', { timeout: 120_000 }, async () => {
  const { stderr } = await promisify(execFile)(
    python.command,
    ['examples/python/test_retries.py'],
    {
      cwd: root,
      env: { ...process.env, PRACTICE_API: service.url },
    },
  );
  expect(stderr).toMatch(/Ran 4 tests[\s\S]*OK\s*$/);
});
