/**
 * `npm run clients`: generates clients from `/openapi.json` with popular tools, compiles them under
 * strict rules, and calls the built service with clients that need no generated code. Exits with 1
 * if one fails.
 */

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLab } from '../install-lab.js';
import { callWithoutCode } from './call-without-code.js';
import { callThroughPrism } from './prism-proxy.js';

installLab();
const lab = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-clients-'));
const description = join(folder, 'openapi.json');
/** The description of data that a sandbox has loaded. */
const ownDescription = join(folder, 'own.json');
const requireInLab = createRequire(join(lab, 'package.json'));

/** TypeScript generators, by the file that they write. */
const generators = {
  'openapi-typescript.d.ts': ['openapi-typescript', description, '-o', 'openapi-typescript.d.ts'],
  'own.d.ts': ['openapi-typescript', ownDescription, '-o', 'own.d.ts'],
  'hey-api/index.ts': ['openapi-ts', '-i', description, '-o', 'hey-api'],
  'oazapfts.ts': ['oazapfts', description, 'oazapfts.ts'],
  'orval/client.ts': ['orval', '--config', 'orval.config.cjs'],
};

const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true },
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
  lib: ['es2022', 'dom', 'dom.iterable'],
};

const failures = [];
const { createService } = await import(new URL('../../dist/index.js', import.meta.url).href);
const service = await createService({ metrics: 'on' });
try {
  const text = await (await fetch(`${service.url}/openapi.json`)).text();
  writeFileSync(description, text);
  writeFileSync(ownDescription, await describeOwnData(service.url));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(join(lab, 'node_modules'), join(folder, 'node_modules'));
  generate();
  compile();
  failures.push(...(await callWithoutCode(requireInLab, JSON.parse(text))));
  failures.push(...(await callThroughPrism(lab, description, service.url)));
} finally {
  await service.close();
  rmSync(folder, { recursive: true });
}
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

/** @param {string} url */
async function describeOwnData(url) {
  const headers = { 'Content-Type': 'application/json', 'X-Sandbox': 'clients' };
  const posts = [{ id: 1, title: 'Hello', author: { name: 'Ada', city: 'London' } }];
  const body = JSON.stringify({ posts });
  await fetch(`${url}/api/sandbox/data`, { method: 'PUT', headers, body });
  return (await fetch(`${url}/my/openapi.json`, { headers })).text();
}

function generate() {
  const config = {
    practice: { input: description, output: { target: 'orval/client.ts', client: 'fetch' } },
  };
  writeFileSync(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(config)}`);
  for (const [file, [name = '', ...args]] of Object.entries(generators)) {
    const start = Date.now();
    if (run(join(lab, 'node_modules/.bin', name), args)) {
      console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s for ${file}`);
    }
  }
}

function compile() {
  copyFileSync(new URL('use-types.ts.txt', import.meta.url), join(folder, 'use-types.ts'));
  const sources = Object.keys(generators).filter((file) => !file.endsWith('.d.ts'));
  const config = { compilerOptions, files: ['use-types.ts', ...sources] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  run(process.execPath, [requireInLab.resolve('typescript-5/bin/tsc'), '-p', '.']);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return true;
  failures.push(`${program} ${args.join(' ')}: ${(stdout + stderr).slice(0, 3000)}`);
  return false;
}
