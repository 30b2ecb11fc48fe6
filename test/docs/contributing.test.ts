/** Follows CONTRIBUTING.md's instructions for adding things, literally, in a copy of the project. */

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
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'practice-api-contributing-'));
afterAll(() => rmSync(copy, { recursive: true }));

interface Recipe {
  readonly heading: string;
  /** What its blocks are, in their order. */
  readonly files: readonly string[];
  /** The one file that is changed, and its lines before and after. */
  readonly list: string;
  readonly lines: readonly (readonly [before: string, after: string])[];
}

const recipes: readonly Recipe[] = [
  {
    heading: 'Add an area in 30 minutes',
    files: [
      'src/areas/dice/count-roll.ts',
      'src/areas/dice/count-roll.test.ts',
      'src/areas/dice/routes.ts',
      'test/dice/dice.test.ts',
    ],
    list: 'src/service.ts',
    lines: [
      ['\nimport ', "\nimport { diceArea } from './areas/dice/routes.js';\nimport "],
      ['areas = [', 'areas = [diceArea, '],
    ],
  },
  {
    heading: 'Add an authentication scheme',
    files: ['src/areas/auth/ticket/scheme.ts', 'test/auth/ticket.test.ts'],
    list: 'src/areas/auth/routes.ts',
    lines: [
      ['\nimport ', "\nimport { ticketScheme } from './ticket/scheme.js';\nimport "],
      ['list = [', 'list = [ticketScheme, '],
    ],
  },
];

beforeAll(() => {
  for (const name of [
    'src',
    'test/support',
    'data',
    'schema.graphql',
    'package.json',
    'tsconfig.json',
    'scripts/start-proxy.js',
    'scripts/free-port.js',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

test.each(recipes)('$heading: as CONTRIBUTING.md says, and no other file', (recipe) => {
  const { heading, files, list, lines } = recipe;
  const sections = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/^## /m);
  const text = sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(files.length);
  for (const [index, file] of files.entries()) {
    expect(text).toContain(file.split('/').at(-1));
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), blocks[index] ?? '');
  }
  expect(text).toContain(list);
  let changed = readFileSync(join(copy, list), 'utf8');
  for (const [before, after] of lines) {
    expect(changed).toContain(before);
    changed = changed.replace(before, after);
  }
  writeFileSync(join(copy, list), changed);
});

test('what they made compiles and passes its tests', { timeout: 180_000 }, () => {
  const bin = join(root, 'node_modules/.bin');
  run(join(bin, 'tsc'), '--noEmit', '-p', 'tsconfig.json');
  // Its exit status says whether all tests passed.
  run(join(bin, 'vitest'), 'run', '--root', copy, 'dice', 'ticket');
});

function run(command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { cwd: copy, stdio: 'pipe', env: { ...process.env, VITEST: '' } });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}
