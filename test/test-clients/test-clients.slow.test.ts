/** The clients in `clients/`: their own suites pass, and a killed runner leaves no service behind. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { javaClassPath } from './java-class-path.js';
import { clients, killSuite, runSuite, type Suite } from './run-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-api-test-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the pytest plugin', () => {
  const { command, test } = foreignProgram('pytest');
  const suite = (...args: string[]): Suite => ({
    command,
    // Once installed, its entry point does the same.
    args: ['-m', 'pytest', '-p', 'pytest_practice_api', '-p', 'no:cacheprovider', ...args, 'tests'],
    folder: join(clients, 'python'),
    environment: { PYTHONPATH: join(clients, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
  });

  test('passes its tests', async () => {
    expect(await runSuite(suite())).toMatch(/\d+ passed, 1 skipped/);
  });

  test('leaves no service behind when pytest is killed', async () => {
    await killSuite(suite('-k', 'test_hold'), folder);
  });

  test('has the entry point by which pytest finds it', async () => {
    const script = `import importlib, tomllib
project = tomllib.load(open('pyproject.toml', 'rb'))
[name] = project['project']['entry-points']['pytest11'].values()
assert project['tool']['setuptools']['packages'] == [name]
assert importlib.import_module(name).practice_sandbox`;
    await runSuite({ ...suite(), args: ['-c', script] });
  });
});

describe('the JUnit extension', () => {
  const { isInstalled, test } = testsWith('junit-console');
  const classes = join(folder, 'classes');
  const suite = (...args: string[]): Suite => ({
    command: 'java',
    args: [
      ...['-cp', `${classes}:${javaClassPath}`, 'org.junit.platform.console.ConsoleLauncher'],
      ...['--disable-banner', '--disable-ansi-colors', ...args],
    ],
    folder,
  });

  beforeAll(async () => {
    if (!isInstalled) return;
    const names = readdirSync(join(clients, 'junit/src'), { recursive: true, encoding: 'utf8' });
    const sources = names
      .filter((name) => name.endsWith('.java'))
      .map((name) => join(clients, 'junit/src', name));
    const options = [
      '--release',
      '17',
      '-Xlint:all,-path,-deprecation',
      '-Werror',
      '-encoding',
      'UTF-8',
    ];
    await promisify(execFile)('javac', [
      ...options,
      '-cp',
      javaClassPath,
      '-d',
      classes,
      ...sources,
    ]);
  });

  test('passes its tests', async () => {
    const printed = await runSuite(suite('--scan-classpath', classes));
    expect(printed).toMatch(/ 0 tests failed/);
    expect(printed).toMatch(/ 1\d tests successful/);
  });

  test('leaves no service behind when the run is killed', async () => {
    const hold =
      'practiceapi.junit.PracticeApiExtensionTest#hold(practiceapi.junit.PracticeService)';
    await killSuite(suite('--select-method', hold), folder);
  });

  test('is a project of Maven for the Java that it names', () => {
    const pom = readFileSync(join(clients, 'junit/pom.xml'), 'utf8');
    expect(pom).toContain('<maven.compiler.release>17</maven.compiler.release>');
  });
});

describe('the Go package', () => {
  const { isInstalled, test } = testsWith('go');
  const binary = join(folder, 'practiceapi.test');
  const goEnvironment = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  const suite = (...args: string[]): Suite => ({
    command: binary,
    args: ['-test.v', ...args],
    folder: join(clients, 'go'),
  });

  beforeAll(async () => {
    if (!isInstalled) return;
    const options = { cwd: join(clients, 'go'), env: goEnvironment };
    await promisify(execFile)('go', ['test', '-c', '-o', binary, '.'], options);
  });

  test('passes its tests', async () => {
    const printed = await runSuite(suite());
    expect(printed).toMatch(/^PASS$/m);
    expect(printed).toContain('--- PASS: TestAPlanAndAVerdict');
  });

  test('leaves no service behind when the run is killed', async () => {
    await killSuite(suite('-test.run', 'TestHold'), folder);
  });

  test('is formatted, and vet finds nothing', async () => {
    const options = { cwd: join(clients, 'go'), env: goEnvironment };
    expect((await promisify(execFile)('gofmt', ['-l', '.'], options)).stdout).toBe('');
    await promisify(execFile)('go', ['vet', '.'], options);
  });
});
