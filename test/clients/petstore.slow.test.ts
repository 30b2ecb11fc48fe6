/** Clients that generators write from Petstore's descriptions compile, and work with JSON and XML. */

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

const programs = join(packages, '.bin');
const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, types: [] },
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
};

const compile = (at: string) =>
  run(at, process.execPath, join(packages, 'typescript-5/bin/tsc'), '-p', '.');

/** Prepares a folder with the description of a version, and a program that uses its clients. */
async function prepare(base: string, path: string, source: string, options: object) {
  const at = mkdtempSync(join(folder, 'client-'));
  const write = (name: string, value: unknown) =>
    writeFileSync(join(at, name), JSON.stringify(value));
  write('description.json', await (await fetch(`${base}/${path}`)).json());
  write('package.json', { type: 'module' });
  const files = [`${source}.ts`];
  write('tsconfig.json', { compilerOptions: { ...compilerOptions, ...options }, files });
  copyFileSync(new URL(`typed/${source}.ts.txt`, import.meta.url), join(at, `${source}.ts`));
  symlinkSync(packages, join(at, 'node_modules'));
  return at;
}

/** Generates, compiles and runs the clients of a version, and returns what they printed. */
async function useClients(version: string, path: string): Promise<unknown> {
  const base = `${service.url}/s/clients-${version}/petstore/${version}`;
  const options = { module: 'nodenext', outDir: 'built' };
  const at = await prepare(base, path, 'use-petstore', options);
  const output = { target: 'orval/client.ts', client: 'fetch', baseUrl: base };
  const orval = { petstore: { input: 'description.json', output } };
  writeFileSync(join(at, 'orval.config.cjs'), `module.exports = ${JSON.stringify(orval)}`);
  await run(at, join(programs, 'openapi-ts'), '-i', 'description.json', '-o', 'hey-api');
  await run(at, join(programs, 'orval'), '--config', 'orval.config.cjs');
  await compile(at);
  return JSON.parse(await run(at, process.execPath, 'built/use-petstore.js'));
}

test.each([
  ['v2', 'swagger.json', 'Pet'],
  ['v3', 'openapi.json', 'pet'],
])('clients generated from version %s', { timeout: 600_000 }, async (version, path, root) => {
  const results = await useClients(version, path);
  const element = new RegExp(`^<\\?xml .*<${root}><id>4712</id><name>Max</name>.*</${root}>$`);
  const asXml = expect.stringMatching(element);
  expect(results).toEqual([
    [4711, 'Max', 'dogs', 1, 4711, 'placed', 'Ada', 404],
    [asXml, asXml],
    [4713, 'Max', 'dogs', 1, 4713, 'placed', 'Bob'],
  ]);
});

const codegen: readonly [string, ...string[]] = [
  'openapi',
  '--input',
  'description.json',
  '--output',
  'generated',
];
const ofAngular: readonly [string, ...string[]] = [
  'ng-openapi-gen',
  '-i',
  'description.json',
  '-o',
  'generated',
];
const forBundlers = { module: 'es2022', moduleResolution: 'bundler', noEmit: true };
const bundle = [
  '--bundle',
  '--packages=external',
  '--format=esm',
  '--target=node20',
  '--outfile=bundle.js',
];
/** Angular's checks of a page, which is missing here, are off. */
const inProduction = ['--import', 'data:text/javascript,globalThis.ngDevMode=false'];

test.each([
  ['v2', 'swagger.json', 'Pet', 'use-petstore-codegen', codegen],
  ['v3', 'openapi.json', 'pet', 'use-petstore-angular', ofAngular],
] as const)(
  'a second client of version %s sends and reads XML',
  {
    timeout: 600_000,
  },
  async (version, path, root, source, [generator, ...args]) => {
    const base = `${service.url}/s/xml-${version}/petstore/${version}`;
    const at = await prepare(base, path, source, forBundlers);
    await run(at, join(programs, generator), ...args);
    await compile(at);
    await run(at, join(programs, 'esbuild'), ...bundle, '--log-level=error', `${source}.ts`);
    const results = JSON.parse(await run(at, process.execPath, ...inProduction, 'bundle.js'));
    const pet = (name: string, photo: string) =>
      expect.stringMatching(
        new RegExp(
          `^<\\?xml .*<${root}><id>4714</id><name>${name}</name><photoUrls>${photo}</photoUrls>.*</${root}>$`,
        ),
      );
    const max = pet('Max', '<photoUrl>p</photoUrl>');
    expect(results).toEqual([max, max, 'Max', ['p'], pet('Rex', ''), 404]);
  },
);
