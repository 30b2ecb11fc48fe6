/** Compiles every response and event of the area with the types of the pinned SDKs. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pinned } from '../../src/areas/llm/page/pinned.js';
import { frugal } from '../support/frugal-compiler.js';
import { useService } from '../support/service.js';
import { type Produced, produceValues } from './support/produced-values.js';
import { sdkTypes } from './support/sdk-types.js';

const service = useService();
const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = join(root, 'test/node_modules');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'practice-llm-'));
  symlinkSync(packages, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the errors of the compiler, each with the value that it is about. */
function compile(values: readonly Produced[]): readonly string[] {
  const head = sdkTypes.split('\n').length;
  const lines = values.map(
    ({ type, value }) => `void (${JSON.stringify(value)} satisfies ${type});`,
  );
  writeFileSync(join(folder, 'values.ts'), [sdkTypes, ...lines].join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023'];
  const modules = ['--module', 'nodenext', '--types', ''];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, [...options, ...modules, ...frugal.args, 'values.ts'], {
    cwd: folder,
    env: frugal.env,
    encoding: 'utf8',
  });
  return stdout.split(/\n(?=\S)/).flatMap((error) => {
    const [, line = '0'] = /^values\.ts[(:](\d+)/.exec(error) ?? [];
    return error.trim() === '' ? [] : [`${error}\n${lines[Number(line) - head - 1] ?? ''}`];
  });
}

test.each(Object.entries(pinned))('%s is installed in its pinned version', (name, version) => {
  const { version: installed } = JSON.parse(
    readFileSync(join(packages, name, 'package.json'), 'utf8'),
  );
  expect(installed).toBe(version);
});

test('every response and event has the type of its SDK', async () => {
  const values = await produceValues(service);
  expect(new Set(values.map(({ type }) => type)).size).toBeGreaterThan(15);
  expect(compile(values)).toEqual([]);
});

test('a wrong value does not compile', () => {
  const right = { input_tokens: 1 };
  const type = 'MessageTokensCount';
  const wrong = [{ input_tokens: '1' }, {}, { ...right, other: 1 }];
  const errors = compile([right, ...wrong].map((value) => ({ type, value })));
  expect(errors).toHaveLength(wrong.length);
});
