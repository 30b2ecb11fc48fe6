import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installed, installPacked, packPackage } from '../support/packed-package.js';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-packed-'));
let tarball = '';
let installed: Installed;

beforeAll(() => {
  tarball = packPackage(folder);
  installed = installPacked(tarball, folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('an empty project gets at most 100 packages, and npm warns of nothing', () => {
  expect(installed.packages.length).toBeLessThanOrEqual(100);
  expect(installed.output).not.toMatch(/warn|deprecated/i);
});

test('npx practice-api works from the packed tarball', async () => {
  const program = runProgram(['--port', '0'], {}, [process.execPath, installed.program]);
  const url = await program.started;
  const response = await fetch(`${url}/api/methods/get`);
  expect(await response.json()).toMatchObject({ method: 'GET' });
});

test('npx runs the tarball in an empty folder, without a network', () => {
  const empty = mkdtempSync(join(tmpdir(), 'practice-api-empty-'));
  try {
    // Its dependencies are in the cache of npm: the installation above has put them there.
    const args = ['exec', '--offline', '--yes', `--package=${tarball}`];
    const printed = execFileSync('npm', [...args, '--', 'practice-api', '--version'], {
      cwd: empty,
      stdio: 'pipe',
    });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(String(printed).trim()).toBe(version);
  } finally {
    rmSync(empty, { recursive: true });
  }
}, 120_000);

test('the commands and the module of the README work in an empty folder', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, command = '', file = ''] =
    /^(npm install \.\/(\S+\.tgz) && npx practice-api) /m.exec(readme) ?? [];
  expect(file).toBe(basename(tarball));
  const [, request = '', response = ''] = /^\$ (curl .+)\n(.+)$/m.exec(readme) ?? [];
  const [, module = ''] = /^```js\n(.+?)^```/ms.exec(readme) ?? [];
  const empty = mkdtempSync(join(tmpdir(), 'practice-api-readme-'));
  try {
    copyFileSync(tarball, join(empty, file));
    const settings = { PORT: '0', EXIT_WITH_STDIN: 'true', npm_config_prefer_offline: 'true' };
    const shell = ['bash', '-c', `cd "$0" && ${command}`, empty] as const;
    const program = runProgram([], settings, [...shell]);
    const url = new URL(await program.started);
    const sent = request.replace('localhost:3000', url.host);
    expect(execFileSync('bash', ['-c', sent], { encoding: 'utf8' }).trim()).toBe(response);
    writeFileSync(join(empty, 'api.test.mjs'), module);
    execFileSync(process.execPath, ['api.test.mjs'], { cwd: empty, timeout: 30_000 });
    program.process.stdin?.end();
    expect(await program.ended).toMatchObject({ code: 0 });
  } finally {
    rmSync(empty, { recursive: true });
  }
}, 120_000);

test('a program that imports the package ends by itself once its services are closed', async () => {
  writeFileSync(
    join(folder, 'two.js'),
    `import { createService } from 'practice-api';
     const [one, two] = await Promise.all([createService(), createService()]);
     for (const { url } of [one, two]) console.log((await fetch(url + '/health')).status, url);
     await Promise.all([one.close(), two.close(), two.close()]);
     const refused = await fetch(one.url).then(() => 'answers', () => 'refused');
     console.log(refused, process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap'));`,
  );
  const program = runProgram([], {}, [process.execPath, join(folder, 'two.js')]);
  expect((await program.ended).code).toBe(0);
  const { stdout } = program.output();
  const ports = [...stdout.matchAll(/200 http:\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
  expect(new Set(ports).size).toBe(2);
  expect(stdout).toContain('refused');
});

test('the stack trace of a failure names the source and its line', async () => {
  const failing = "data:text/javascript,console.log = () => { throw new Error('no terminal'); }";
  const program = runProgram(['--port', '0'], {}, [
    process.execPath,
    '--import',
    failing,
    installed.program,
  ]);
  // EX_SOFTWARE of sysexits.h, and one line of JSON.
  expect(await program.ended).toMatchObject({ code: 70 });
  const { stack } = JSON.parse(program.output().stderr);
  expect(stack).toContain('Error: no terminal');
  const [, line] = /\/src\/program\/run-program\.ts:(\d+)\)?$/m.exec(stack) ?? [];
  const source = readFileSync(join(root, 'src/program/run-program.ts'), 'utf8').split('\n');
  expect(source[Number(line) - 1]).toContain('console.log(');
});
