/** Clients that two generators write from Petstore's descriptions compile, and work with JSON and XML. */

import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const { test } = testsWith('openapi-fetch');
const service = useService();
const packages = fileURLToPath(new URL('../../lab/node_modules', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-petstore-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(at: string, program: string, ...args: readonly string[]): Promise<string> {
  const command = promisify(execFile)(program, args, { cwd: at });
  const { stdout } = await command.catch(({ stdout: said, stderr }) => {
    throw new Error(`${program} ${args.join(' ')}: ${said}${stderr}`);
  });
  return stdout;
}

const config = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, types: [] },
    ...{ target: 'es2022', module: 'nodenext', outDir: 'built' },
    lib: ['es2022', 'dom', 'dom.iterable'],
  },
  files: ['use-petstore.ts'],
};

/** Generates, compiles and runs the clients of a version, and returns what they printed. */
async function useClients(version: string, path: string): Promise<unknown> {
  const base = `${service.url}/s/clients-${version}/petstore/${version}`;
  const at = mkdtempSync(join(folder, version));
  const write = (name: string, value: unknown) =>
    writeFileSync(join(at, name), JSON.stringify(value));
  write('description.json', await (await fetch(`${base}/${path}`)).json());
  write('package.json', { type: 'module' });
  write('tsconfig.json', config);
  const output = { target: 'orval/client.ts', client: 'fetch', baseUrl: base };
  const orval = { petstore: { input: 'description.json', output } };
  writeFileSync(join(at, 'orval.config.cjs'), `module.exports = ${JSON.stringify(orval)}`);
  symlinkSync(packages, join(at, 'node_modules'));
  const source = new URL('typed/use-petstore.ts.txt', import.meta.url);
  copyFileSync(source, join(at, 'use-petstore.ts'));
  const programs = join(packages, '.bin');
  await run(at, join(programs, 'openapi-ts'), '-i', 'description.json', '-o', 'hey-api');
  await run(at, join(programs, 'orval'), '--config', 'orval.config.cjs');
  await run(at, process.execPath, join(packages, 'typescript-5/bin/tsc'), '-p', '.');
  return JSON.parse(await run(at, process.execPath, 'built/use-petstore.js'));
}

test.each([
  ['v2', 'swagger.json', 'Pet'],
  ['v3', 'openapi.json', 'pet'],
])('clients generated from version %s', { timeout: 300_000 }, async (version, path, root) => {
  const results = await useClients(version, path);
  const element = new RegExp(`^<\\?xml .*<${root}><id>4712</id><name>Max</name>.*</${root}>$`);
  const asXml = expect.stringMatching(element);
  expect(results).toEqual([
    [4711, 'Max', 'dogs', 1, 4711, 'placed', 'Ada', 404],
    [asXml, asXml],
    [4713, 'Max', 'dogs', 1, 4713, 'placed', 'Bob'],
  ]);
});
