/** Files that a forge reads match the project. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const project = JSON.parse(read('package.json'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = '.github/workflows';
const workflows = readdirSync(new URL(folder, root)).map((name): [string, Workflow] => [
  name,
  parse(read(`${folder}/${name}`)),
]);
const workflow = (name: string) => new Map(workflows).get(name) as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const commandsOf = (each: Workflow) => stepsOf(each).flatMap(({ run = '' }) => run.split('\n'));

/** Returns the script of a command such as `npm run lint -- --quiet`: lint. */
function scriptOf(command: string): string | undefined {
  const [, name] = /^npm (?:run (?:--silent )?)?([\w-]+)/.exec(command) ?? [];
  return command.startsWith('npm run ') || name === 'test' ? name : undefined;
}

describe.each(workflows)('%s', (_name, each) => {
  test('runs existing scripts only', () => {
    const scripts = commandsOf(each).flatMap((command) => scriptOf(command) ?? []);
    for (const script of scripts) expect(Object.keys(project.scripts)).toContain(script);
    for (const command of commandsOf(each)) {
      if (command.startsWith('.')) expect(existsSync(new URL(command, root)), command).toBe(true);
    }
  });

  test('uses only actions of the forge, by their major version, and leaves no token behind', () => {
    const used = stepsOf(each).filter(({ uses }) => uses !== undefined);
    expect(used.length).toBeGreaterThan(0);
    for (const step of used) {
      expect(step.uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
      if (step.uses?.startsWith('actions/checkout@')) {
        expect(step.with).toMatchObject({ 'persist-credentials': false });
      }
    }
  });

  test('has read-only access to sources, has a timeout, and runs no untrusted input', () => {
    expect(each.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(each.on)).not.toContain('pull_request_target');
    for (const job of Object.values(each.jobs)) expect(job['timeout-minutes']).toBeLessThan(31);
    // The shell would run texts of an event in a command.
    for (const command of commandsOf(each)) expect(command).not.toContain('${{');
  });
});

test('every change is tested on each major version of Node that the package supports', () => {
  const { matrix } = workflow('checks.yml').jobs.tests?.strategy ?? { matrix: {} };
  expect(matrix.node).toEqual([20, 22, 24]);
  const [, oldest] = /^>=(\d+)/.exec(project.engines.node) ?? [];
  expect(matrix.node?.[0]).toBe(Number(oldest));
  expect(read('.nvmrc').trim()).toBe(oldest);
  expect(commandsOf(workflow('checks.yml'))).toContain('.ci/run');
  expect(read('.ci/run')).toMatch(/^npm cit$/m);
});

test('every change is linted, and its image is built and passes its health check', () => {
  const commands = commandsOf(workflow('checks.yml')).join('\n');
  for (const script of ['lint', 'types', 'dead-code'])
    expect(commands).toContain(`npm run ${script}`);
  expect(commands).toContain('docker build --tag practice-api .');
  expect(commands).toContain('node dist/health-check.js');
  expect(read('Dockerfile')).toContain('"dist/health-check.js"');
});

test('a tag publishes only after the tests passed, with provenance, and only that job may sign', () => {
  const release = workflow('release.yml');
  expect(release.on).toEqual({ push: { tags: ['v*'] } });
  const commands = commandsOf(release).filter((command) => command.startsWith('npm'));
  expect(commands.at(-1)).toMatch(/^npm publish .*--provenance\b/);
  expect(commands.findIndex((command) => scriptOf(command) === 'check')).toBeGreaterThan(0);
  const signing = workflows.flatMap(([name, { jobs }]) =>
    Object.entries(jobs).flatMap(([job, { permissions }]) =>
      permissions === undefined ? [] : [[name, job, permissions]],
    ),
  );
  expect(signing).toEqual([['release.yml', 'publish', { contents: 'read', 'id-token': 'write' }]]);
});

test('package.json has the URL of the project, and templates link there', () => {
  const home = /^git\+(.*)\.git$/.exec(project.repository.url)?.[1];
  expect(project.bugs).toBe(`${home}/issues`);
  expect(project.homepage).toBe(`${home}#readme`);
  for (const { url } of parse(read('.github/ISSUE_TEMPLATE/config.yml')).contact_links) {
    expect(url.startsWith(`${home}/`)).toBe(true);
  }
});

test.each(['bug', 'feature'])('the %s template asks questions with different names', (name) => {
  const { name: title, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
  expect(title).toBeTruthy();
  expect(description).toBeTruthy();
  const ids = body.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(
    body.some(({ validations }: { validations?: { required?: boolean } }) => validations?.required),
  ).toBe(true);
});

test('the changelog has a section for the version of package.json, below the unreleased one', () => {
  const titles = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(titles[0]).toBe('Unreleased');
  expect(titles[1]).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/);
  expect(titles[1]?.startsWith(`${project.version} – `)).toBe(true);
});
