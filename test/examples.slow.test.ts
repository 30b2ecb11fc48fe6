/** Runs the example suites as a reader would, against the built package. */

import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { foreignProgram } from './support/foreign-program.js';
import { inReaderFolder } from './support/reader-folder.js';
import { useService } from './support/service.js';

const root = fileURLToPath(new URL('..', import.meta.url));

test.each([
  ['vitest', 'node_modules/.bin/vitest', ['run', '--root', 'examples/vitest'], /Tests {2}5 passed/],
  ['node:test', process.execPath, ['--test', 'examples/node-test/'], /# pass 3\n# fail 0/],
])('the example for %s passes', { timeout: 120_000 }, async (_name, command, args, summary) => {
  const { stdout } = await promisify(execFile)(command, args, { cwd: root, env: ownEnvironment() });
  expect(stdout).toMatch(summary);
});

test('the example for Playwright passes', { timeout: 120_000 }, async () => {
  await inReaderFolder(async (folder) => {
    cpSync(join(root, 'examples/playwright'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const playwright = join(folder, 'node_modules/.bin/playwright');
    const options = { cwd: folder, env: ownEnvironment() };
    const { stdout } = await promisify(execFile)(playwright, ['test'], options);
    expect(stdout).toMatch(/5 passed/);
  });
});

/** Runners find in their environment that they run inside another. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/VITEST|NODE_TEST/.test(name));
  return { ...Object.fromEntries(others), NO_COLOR: '1' };
}

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
