/** Clients with types of the descriptions can send whatever the service accepts: compiled, and run. */

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
const folder = mkdtempSync(join(tmpdir(), 'practice-api-typed-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Description {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const sandbox = '/s/typed';
const called = ['/api/Todos', '/api/Todos/{id}', '/api/methods/any', '/api/http/respond'];

/** Omits other paths and the schemas that only they refer to, whose types take minutes. */
function cut(description: Description): object {
  const paths = Object.fromEntries(
    Object.entries(description.paths).filter(([path]) => called.includes(path)),
  );
  const components: Record<string, Record<string, unknown>> = {};
  const pending: unknown[] = [paths];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(refs)) {
      if (components[kind]?.[name] !== undefined) continue;
      const component = description.components[kind]?.[name];
      components[kind] = { ...components[kind], [name]: component };
      pending.push(component);
    }
  }
  return { ...description, paths, components };
}

const refs = /"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g;

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const command = [join(packages, program), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder });
  return stdout;
}

async function writeTypes(name: string, description: object): Promise<void> {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(description));
  await run('openapi-typescript/bin/cli.js', `${name}.json`, '-o', `${name}.d.ts`);
}

const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ target: 'es2022', module: 'nodenext', skipLibCheck: true, types: [], outDir: '.' },
  lib: ['es2022', 'dom', 'dom.iterable'],
};

const [created, ok, invalid] = [201, 200, 400];
const ofService = [created, ok, ok, ok, ok, invalid, invalid];
const statuses = [...ofService, created, ok, ok, ok, ok, created];

test('openapi-fetch compiles, and its requests are accepted', { timeout: 300_000 }, async () => {
  const data = { posts: [{ id: 1, title: 'Hello', views: 1 }], profile: { name: 'Grace' } };
  await service.send(`PUT ${sandbox}/api/sandbox/data`, { json: data });
  const { json: own } = await service.send(`GET ${sandbox}/my/openapi.json`);
  const { json: whole } = await service.send('GET /openapi.json');
  await writeTypes('own', own);
  await writeTypes('service', cut(whole));
  symlinkSync(packages, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const source = new URL('typed/use-types.ts.txt', import.meta.url);
  copyFileSync(source, join(folder, 'use-types.ts'));
  const config = { compilerOptions, files: ['use-types.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run('typescript-5/bin/tsc', '-p', '.').catch(({ stdout }) => expect(stdout).toBe(''));

  const output = await promisify(execFile)(process.execPath, [
    join(folder, 'use-types.js'),
    service.url + sandbox,
  ]);
  expect(JSON.parse(output.stdout)).toEqual(statuses);
});
