/** Compiles lines of TypeScript with the packages of the tests. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { frugal } from './frugal-compiler.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const packages = join(root, 'test/node_modules');

let folder: string;

/** Prepares a folder, which is removed after the tests of the file. */
export function useCompiler(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'practice-types-'));
    symlinkSync(packages, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
}

/** Returns the errors of the compiler, each with the beginning of its line. */
export function compileLines(head: string, lines: readonly string[]): readonly string[] {
  writeFileSync(join(folder, 'values.ts'), [head, ...lines].join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023'];
  const modules = ['--module', 'nodenext', '--types', ''];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, [...options, ...modules, ...frugal.args, 'values.ts'], {
    cwd: folder,
    env: frugal.env,
    encoding: 'utf8',
  });
  const before = head.split('\n').length + 1;
  return stdout.split(/\n(?=\S)/).flatMap((error) => {
    const [, line = '0'] = /^values\.ts[(:](\d+)/.exec(error) ?? [];
    if (error.trim() === '') return [];
    return [`${error}\n${lines[Number(line) - before]?.slice(0, 2000) ?? ''}`];
  });
}
