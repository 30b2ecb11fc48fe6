/** Breaks a copy of the build on purpose, to see whether the tools of the lab notice. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Files that the build reads beside itself. */
const beside = [
  'package.json',
  'data',
  'schema.graphql',
  'node_modules',
  'CHANGELOG.md',
  'SECURITY.md',
];

/**
 * Copies the build, with one passage of its compiled code replaced.
 *
 * @param {string} passage Occurs once in the build
 * @param {string} replacement
 * @returns {{program: string, remove: () => void}} the file to run
 */
export function breakBuild(passage, replacement) {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-broken-'));
  for (const name of beside) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'dist'));
  let found = 0;
  for (const name of readdirSync(join(root, 'dist'))) {
    const [from, to] = [join(root, 'dist', name), join(folder, 'dist', name)];
    if (!/\.c?js$/.test(name)) {
      symlinkSync(from, to);
      continue;
    }
    const parts = readFileSync(from, 'utf8').split(passage);
    found += parts.length - 1;
    writeFileSync(to, parts.join(replacement));
  }
  const remove = () => rmSync(folder, { recursive: true });
  if (found === 1) return { program: join(folder, 'dist/main.js'), remove };
  remove();
  throw new Error(`The build has this passage ${found} times: ${passage}`);
}
