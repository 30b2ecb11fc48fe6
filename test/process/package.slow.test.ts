import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-packed-'));
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, stdio: 'pipe' });

beforeAll(() => {
  // The build exists already; its own step made it.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
  });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  npm('install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, tarball));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('npx practice-api works from the packed tarball', async () => {
  const program = runProgram(['--port', '0'], {}, [
    process.execPath,
    join(folder, 'node_modules/.bin/practice-api'),
  ]);
  const url = await program.started;
  const response = await fetch(`${url}/api/methods/get`);
  expect(await response.json()).toMatchObject({ method: 'GET' });
});

test('npx runs the tarball in an empty folder, without a network', () => {
  const empty = mkdtempSync(join(tmpdir(), 'practice-api-empty-'));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  try {
    // Its dependencies are in the cache of npm: the installation above has put them there.
    const args = ['exec', '--offline', '--yes', `--package=${join(folder, tarball)}`];
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
    join(folder, 'node_modules/.bin/practice-api'),
  ]);
  expect(await program.ended).toMatchObject({ code: 1 });
  const { stderr } = program.output();
  expect(stderr).toContain('Error: no terminal');
  const [, line] = /\/src\/run-program\.ts:(\d+):\d+\)?$/m.exec(stderr) ?? [];
  const source = readFileSync(join(root, 'src/run-program.ts'), 'utf8').split('\n');
  expect(source[Number(line) - 1]).toContain('console.log(banner(');
});

const newestNode = process.env.PRACTICE_NEWEST_NODE;

test.skipIf(!newestNode && !process.env.CI)(
  'works on the newest Node as well (PRACTICE_NEWEST_NODE names its program)',
  async () => {
    const program = runProgram(['--port', '0'], {}, [newestNode ?? '', builtProgram]);
    const url = await program.started;
    const response = await fetch(`${url}/api/methods/post`, { method: 'POST', body: 'hi' });
    expect(await response.json()).toMatchObject({ body: 'hi' });
    program.process.kill();
    expect((await program.ended).code).toBe(0);
  },
);
