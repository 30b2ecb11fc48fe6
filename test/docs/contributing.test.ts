/** Follows CONTRIBUTING.md's instructions for adding an area, literally, in a copy of the project. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'practice-api-contributing-'));
afterAll(() => rmSync(copy, { recursive: true }));

const files = [
  'src/areas/dice/count-roll.ts',
  'src/areas/dice/count-roll.test.ts',
  'src/areas/dice/routes.ts',
  'test/dice/dice.test.ts',
];

test('the area of CONTRIBUTING.md compiles and passes its tests', { timeout: 120_000 }, () => {
  for (const name of [
    'src',
    'test/support',
    'data',
    'schema.graphql',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(files.length);
  for (const [index, file] of files.entries()) {
    expect(text).toContain(file.split('/').at(-1));
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), blocks[index] ?? '');
  }
  const service = join(copy, 'src/service.ts');
  const list = readFileSync(service, 'utf8')
    .replace('\nimport ', "\nimport { diceArea } from './areas/dice/routes.js';\nimport ")
    .replace('areas = [', 'areas = [diceArea, ');
  writeFileSync(service, list);

  const bin = join(root, 'node_modules/.bin');
  run(join(bin, 'tsc'), '--noEmit', '-p', 'tsconfig.json');
  // Its exit status says whether all tests passed.
  run(join(bin, 'vitest'), 'run', '--root', copy, 'dice');
});

function run(command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { cwd: copy, stdio: 'pipe', env: { ...process.env, VITEST: '' } });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}
