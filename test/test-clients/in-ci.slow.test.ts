/** Runs the recipes of the guide "In CI" whose programs are installed. */

import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { codeExamples, savedFiles } from '../docs/markdown.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { javaClassPath } from './java-class-path.js';
import { clients, isRunning, runSuite, startCommand } from './run-suite.js';

endPrograms();

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/in-ci.md'), 'utf8');
const files = new Map(savedFiles(guide).map(({ name, text }) => [name, text]));
const fileOf = (name: string) => files.get(name) ?? '';

const outer = mkdtempSync(join(tmpdir(), 'practice-api-in-ci-'));
afterAll(() => rmSync(outer, { recursive: true }));

/** A folder of a reader, who has saved all files of the page. */
function newFolder(name: string): string {
  const folder = join(outer, name);
  mkdirSync(folder);
  for (const [file, text] of files) writeFileSync(join(folder, file), `${text}\n`);
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** With `practice-api` on the path. */
let path: string;
beforeAll(() => {
  const bin = join(outer, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec ${startCommand} "$@"\n`;
  writeFileSync(join(bin, 'practice-api'), script, { mode: 0o755 });
  path = `${bin}:${process.env.PATH}`;
});

const bash = (folder: string, script: string) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', script], {
    cwd: folder,
    env: { ...process.env, PATH: path, NO_PROXY: 'localhost' },
  });

describe('in a shell', () => {
  test('a client retries, and the log says so', async () => {
    const folder = newFolder('shell');
    // The second run finds what the first one has left.
    for (let run = 1; run <= 2; run++) {
      const { stdout } = await bash(folder, 'shell.sh');
      expect(stdout).toContain('"title":"The Hobbit"');
      expect(stdout).toContain('"succeeded":true');
    }
  });

  test('Newman runs the collection', async () => {
    const folder = newFolder('newman');
    for (let run = 1; run <= 2; run++) {
      const { stdout } = await bash(folder, 'newman.sh');
      expect(stdout).toContain('newman');
    }
  }, 180_000);

  test('a killed shell leaves no service behind', async () => {
    const folder = newFolder('killed');
    writeFileSync(join(folder, 'hold.sh'), '. ./start.sh\necho ready\nread -r _\n');
    const shell = spawn('bash', ['hold.sh'], { cwd: folder, env: { ...process.env, PATH: path } });
    await new Promise((resolve, reject) => {
      shell.stdout.once('data', resolve);
      shell.once('close', reject);
    });
    const { pid } = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8'));
    expect(isRunning(pid)).toBe(true);
    shell.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('a program that does not start ends the script', async () => {
    const folder = newFolder('failing');
    const env = { ...process.env, PRACTICE_API_COMMAND: 'false' };
    const { status } = spawnSync('bash', ['shell.sh'], { cwd: folder, env });
    expect(status).toBe(1);
  });

  const hasK6 = spawnSync('k6', ['version']).status === 0;
  if (!hasK6) console.log('Skipped: the script of k6, which is not installed. Debian has none.');

  test.runIf(hasK6)('k6 runs its script', async () => {
    const folder = newFolder('k6');
    for (let run = 1; run <= 2; run++) await bash(folder, 'k6.sh');
  });

  test('the script of k6 is a module', () => {
    const folder = newFolder('k6-check');
    writeFileSync(join(folder, 'books.mjs'), fileOf('books.js'));
    execFileSync(process.execPath, ['--check', join(folder, 'books.mjs')]);
  });
});

foreignProgram('pytest').test('pytest runs its recipe', async () => {
  const { command } = foreignProgram('pytest');
  const printed = await runSuite({
    command,
    args: ['-m', 'pytest', '-p', 'pytest_practice_api', 'test_books.py'],
    folder: newFolder('pytest'),
    environment: { PYTHONPATH: join(clients, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(printed).toContain('1 passed');
});

testsWith('junit-console').test('JUnit runs its recipe', async () => {
  const folder = newFolder('junit');
  const sources = join(clients, 'junit/src/main/java/practiceapi/junit');
  await promisify(execFile)(
    'javac',
    [
      ...['-cp', javaClassPath, '-d', 'classes', 'BooksTest.java'],
      ...readdirSync(sources).map((name) => join(sources, name)),
    ],
    { cwd: folder },
  );
  const console = 'org.junit.platform.console.ConsoleLauncher';
  const select = ['--disable-banner', '--select-class', 'BooksTest'];
  const args = ['-cp', `classes:${javaClassPath}`, console, ...select];
  expect(await runSuite({ command: 'java', args, folder })).toMatch(/ 1 tests successful/);
});

testsWith('go').test('go test runs its recipe', async () => {
  const folder = newFolder('go');
  rmSync(join(folder, 'node_modules'));
  const name = 'practiceapi.invalid/practiceapi';
  const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, stdio: 'pipe' });
  go('mod', 'init', 'books');
  go('mod', 'edit', `-require=${name}@v0.0.0`, `-replace=${name}=${join(clients, 'go')}`);
  const environment = { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  const args = ['test', '-count=1', '.'];
  expect(await runSuite({ command: 'go', args, folder, environment })).toMatch(/^ok/);
});

test('the tests of guides run the program in JavaScript', () => {
  expect(codeExamples(guide).map(({ language }) => language)).toEqual(['js']);
});

describe('GitHub Actions', () => {
  const action = parse(readFileSync(join(clients, 'github-action/action.yml'), 'utf8'));
  const workflow = parse(fileOf('github-actions.yml'));

  test('the workflow uses the action with inputs that it has, and the actions of this project', () => {
    const { steps } = workflow.jobs.tests;
    const own = steps.find(({ uses = '' }) => uses.startsWith('./'));
    expect(own.uses).toBe('./practice-api/clients/github-action');
    for (const name of Object.keys(own.with)) expect(Object.keys(action.inputs)).toContain(name);
    const checks = readFileSync(join(root, '.github/workflows/checks.yml'), 'utf8');
    for (const { uses = '' } of steps)
      if (uses.startsWith('actions/')) expect(checks).toContain(uses);
  });

  /** Runs the only step of the action. */
  async function runAction(environment: Readonly<Record<string, string>>) {
    const folder = mkdtempSync(join(outer, 'action-'));
    const [step] = action.runs.steps;
    const env = {
      ...process.env,
      ...environment,
      GITHUB_ACTION_PATH: join(clients, 'github-action'),
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_ENV: join(folder, 'env'),
    };
    const result = await new Promise<{ code: number | null; stdout: string }>((resolve) => {
      const child = spawn('bash', ['-c', step.run], { env });
      let stdout = '';
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      child.once('close', (code) => resolve({ code, stdout }));
    });
    return { ...result, folder };
  }

  test('the action starts the service and sets PRACTICE_API_URL', async () => {
    const { code, stdout, folder } = await runAction({
      COMMAND: startCommand,
      FLAGS: '--introspection off',
    });
    expect(code).toBe(0);
    const [, url = ''] = /^PRACTICE_API_URL=(http.*)$/m.exec(read(folder, 'env')) ?? [];
    expect(stdout).toContain(url);
    expect(read(folder, 'output')).toBe(`url=${url}\n`);
    const [started = ''] = readdirSync(folder).filter((name) => name.startsWith('practice-api-'));
    const { pid } = JSON.parse(read(join(folder, started), 'ready.json'));
    try {
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    } finally {
      process.kill(pid);
    }
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test.each([
    '; touch "$RUNNER_TEMP/evaluated"',
    '$(touch "$RUNNER_TEMP/evaluated")',
    '`touch "$RUNNER_TEMP/evaluated"`',
    '"$(touch $RUNNER_TEMP/evaluated)"',
    '> evaluated',
    '& touch evaluated',
    '$HOME',
    '*',
  ])('the action passes the flags %s to the program unchanged', async (flags) => {
    const { code, stdout, folder } = await runAction({
      COMMAND: `'${process.execPath}' -e 'console.log(JSON.stringify(process.argv.slice(1)))' --`,
      FLAGS: `--title "two words" ${flags}`,
    });
    expect(code).toBe(1);
    expect(readdirSync(folder)).not.toContain('evaluated');
    const [printed = ''] = /\[".*"\]/.exec(stdout) ?? [];
    const [, , , , ...words] = JSON.parse(printed);
    expect(words.slice(0, 2)).toEqual(['--title', 'two words']);
    expect(words.slice(2).join(' ')).toBe(flags.replaceAll('"', ''));
  });

  test('no step of the action has an input in its script', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  });

  test('the action rejects a quote that is not closed', async () => {
    const { code } = await runAction({ COMMAND: startCommand, FLAGS: '"--accounts' });
    expect(code).not.toBe(0);
  });

  test('the action reports what the service says when it does not start', async () => {
    const { code, stdout } = await runAction({ COMMAND: startCommand, FLAGS: '--no-such-flag' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error::.*--no-such-flag is not a flag/m);
  });
});

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('containers', () => {
  const [, port] = /^EXPOSE (\d+)$/m.exec(read(root, 'Dockerfile')) ?? [];
  const url = `http://practice-api:${port}`;
  const compose = foreignProgram('docker');

  test('GitLab: the job calls the port of the image, by the name of the service', () => {
    const { test: job } = parse(read(clients, 'gitlab/gitlab-ci.yml'));
    expect(job.services[0].alias).toBe('practice-api');
    expect(job.variables).toEqual({ PRACTICE_API_URL: url });
  });

  foreignProgram('pytest').test(
    'a suite uses the service that PRACTICE_API_URL names',
    async () => {
      const program = runProgram(['--port', '0']);
      const running = await program.started;
      const { command } = foreignProgram('pytest');
      const folder = newFolder('running');
      writeFileSync(
        join(folder, 'test_url.py'),
        `def test_url(practice_api, practice_sandbox):
    assert practice_api.url == '${running}' and practice_api.pid is None
    assert practice_sandbox.log() == {'attempts': [], 'series': []}`,
      );
      const args = ['-m', 'pytest', '-p', 'pytest_practice_api', 'test_books.py', 'test_url.py'];
      const environment = { PYTHONPATH: join(clients, 'python'), PRACTICE_API_URL: running };
      const printed = await runSuite({ command, args, folder, environment });
      expect(printed).toContain('2 passed');
    },
  );

  test('Docker Compose: the tests wait for the health check of the image', () => {
    const { services } = parse(fileOf('compose.yaml'));
    expect(services.tests.environment).toEqual({ PRACTICE_API_URL: url });
    expect(services.tests.depends_on['practice-api']).toEqual({ condition: 'service_healthy' });
    expect(read(root, 'Dockerfile')).toMatch(/^HEALTHCHECK /m);
  });

  compose.test('Docker Compose accepts its file', async () => {
    const folder = newFolder('compose');
    mkdirSync(join(folder, 'practice-api'));
    const printed = await compose.run('-f', join(folder, 'compose.yaml'), 'config');
    expect(Object.keys(parse(printed).services).sort()).toEqual(['practice-api', 'tests']);
  });

  const recipes = readdirSync(join(clients, 'testcontainers'));

  test.each(recipes)('Testcontainers: %s waits for readiness, on the port of the image', (name) => {
    const recipe = read(join(clients, 'testcontainers'), name);
    expect(recipe).toContain('/health/ready');
    const ports = [...recipe.matchAll(/\b\d{4}\b/g)].map(([each]) => each);
    expect([...new Set(ports)]).toEqual([port]);
    expect(recipe).toMatch(/["']practice-api["']/);
  });

  foreignProgram('pytest').test('Testcontainers: the recipe for Python can be parsed', async () => {
    const file = join(clients, 'testcontainers/conftest.py');
    const script = `import ast, sys; ast.parse(open(sys.argv[1]).read())`;
    await foreignProgram('pytest').run('-c', script, file);
  });

  testsWith('go').test('Testcontainers: the recipe for Go is formatted', () => {
    const folder = join(clients, 'testcontainers');
    expect(execFileSync('gofmt', ['-l', folder], { encoding: 'utf8' })).toBe('');
  });

  test('Testcontainers: /health/ready responds with 200', async () => {
    const program = runProgram(['--port', '0']);
    expect((await fetch(`${await program.started}/health/ready`)).status).toBe(200);
  });
});
