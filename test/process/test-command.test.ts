/** The commands that `npm test` and `npm cit` would run. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/test.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-commands-'));
for (const name of ['npm', 'npx']) {
  writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@" slow=$PRACTICE_SLOW\n`, {
    mode: 0o755,
  });
}
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['npm test', { npm_command: 'test' }, 'npx vitest run --project memory test/auth slow=none'],
  ['CI', { CI: '1', PRACTICE_WHOLE: '1' }, 'npm run --silent check -- test/auth slow='],
  ['npm cit', { npm_command: 'install-ci-test' }, 'npm run --silent check -- test/auth slow='],
  ['CI', { npm_command: 'test', CI: 'true' }, 'npm run --silent check -- test/auth slow='],
])('%s prints in its first line what it runs, and runs it', (_name, environment, command) => {
  const output = execFileSync(process.execPath, [script, 'test/auth'], {
    env: { PATH: `${folder}:/bin:/usr/bin`, ...environment },
    encoding: 'utf8',
  });
  const [first, ...rest] = output.trimEnd().split('\n');
  expect(first).toMatch(/^Running (?:every check and the tests|the quick tests of rules)/);
  expect(rest).toEqual([command]);
});

test('a build says what it does, where the result is, and its size', () => {
  const build = fileURLToPath(new URL('../../scripts/build.js', import.meta.url));
  const { stderr } = spawnSync(process.execPath, [build], {
    env: { ...process.env, PRACTICE_BUILT: '1' },
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^Building dist\/: .+\.\nBuilt in [\d.]+ s: dist\/ \([\d.]+ MB\)\.\n$/);
});
