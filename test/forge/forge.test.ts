/** Files that a forge reads match the project. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { steps } from '../../scripts/deep.js';
import { addressesOf } from '../../scripts/release/addresses.js';
import { closeChangelog } from '../../scripts/release/close-changelog.js';
import { releaseNotes } from '../../scripts/release/release-notes.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const project = JSON.parse(read('package.json'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  /** None, if it runs another workflow. */
  readonly steps?: readonly Step[];
  readonly uses?: string;
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
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const commandsOf = (each: Workflow) => stepsOf(each).flatMap(({ run = '' }) => run.split('\n'));

/** Returns the script of a command such as `npm run lint -- --quiet`: lint. */
function scriptOf(command: string): string | undefined {
  const [, name] = /^npm (?:run (?:--silent )?)?([\w:-]+)/.exec(command) ?? [];
  return command.startsWith('npm run ') || name === 'test' ? name : undefined;
}

/** All tests need at most 45 minutes, after programs are installed; a step of the deep run needs hours. */
const mostMinutes: Readonly<Record<string, number>> = { 'checks.yml': 60, 'deep.yml': 350 };

describe.each(workflows)('%s', (name, each) => {
  test('runs existing scripts only', () => {
    const scripts = commandsOf(each).flatMap((command) => scriptOf(command) ?? []);
    for (const script of scripts) expect(Object.keys(project.scripts)).toContain(script);
    for (const command of commandsOf(each)) {
      const [program = ''] = command.split(' ');
      if (program.startsWith('.')) expect(existsSync(new URL(program, root)), command).toBe(true);
    }
  });

  test('uses only actions of the forge, by their major version, and leaves no token behind', () => {
    const used = stepsOf(each).filter(({ uses }) => uses !== undefined);
    expect(used.length).toBeGreaterThan(0);
    for (const step of used) {
      expect(step.uses).toMatch(/^actions\/[a-z-]+(?:\/[a-z]+)?@v\d+$/);
      if (step.uses?.startsWith('actions/checkout@')) {
        expect(step.with).toMatchObject({ 'persist-credentials': false });
      }
    }
  });

  test('has read-only access to sources, has a timeout, and runs no untrusted input', () => {
    expect(each.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(each.on)).not.toContain('pull_request_target');
    for (const { uses, 'timeout-minutes': minutes } of Object.values(each.jobs))
      if (uses === undefined) expect(minutes).toBeLessThanOrEqual(mostMinutes[name] ?? 30);
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
  // Without sampling.
  expect(read('.ci/run')).toMatch(/^export PRACTICE_WHOLE=1\nnpm cit$/m);
});

test('every change is linted, and its image is built and passes its health check', () => {
  const commands = commandsOf(workflow('checks.yml')).join('\n');
  for (const script of ['lint', 'types', 'dead-code'])
    expect(commands).toContain(`npm run ${script}`);
  expect(commands).toContain('docker build --tag practice-api .');
  expect(commands).toContain('node dist/health-check.js');
  expect(read('Dockerfile')).toContain('"dist/health-check.js"');
});

test('each step of the deep run has a job each week', () => {
  const deep = workflow('deep.yml');
  expect(deep.on).toHaveProperty('schedule');
  expect(deep.jobs.deep?.strategy?.matrix.step).toEqual(steps.map(({ name }) => name));
  expect(commandsOf(deep).join('\n')).toContain('.ci/run npm run deep -- --only "$STEP"');
});

describe('a tag', () => {
  const release = workflow('release.yml');
  const { jobs } = release;
  const scriptsOf = (job: string) => (jobs[job]?.steps ?? []).map(({ run = '' }) => run).join('\n');
  const actionsOf = (job: string) => (jobs[job]?.steps ?? []).map(({ uses = '' }) => uses);

  test('publishes after all has been built and checked', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
    expect(jobs.checks?.uses).toBe('./.github/workflows/checks.yml');
    expect(scriptsOf('package')).toMatch(/npm run build[\s\S]*write-addresses[\s\S]*npm pack/);
    const needs = Object.entries(jobs).map(([name, job]) => [name, job.needs ?? []]);
    expect(Object.fromEntries(needs)).toEqual({
      ready: [],
      checks: ['ready'],
      package: ['ready'],
      files: ['ready'],
      image: ['checks', 'package', 'files'],
      'image-tags': ['image'],
      publish: ['checks', 'package', 'files', 'image-tags'],
      latest: ['publish'],
    });
    const publishing = /npm publish|--push|imagetools create|gh release create/;
    const places = Object.keys(jobs).filter((job) => publishing.test(scriptsOf(job)));
    expect(places).toEqual(['image', 'image-tags', 'publish', 'latest']);
  });

  test('publishes the package, the image and the files, with provenance and checksums', () => {
    expect(scriptsOf('publish')).toMatch(/npm publish .*--provenance\b/);
    expect(scriptsOf('publish')).toContain('sha256sum practice-api* > SHA256SUMS');
    expect(actionsOf('publish')).toContain('actions/attest-build-provenance@v4');
    expect(scriptsOf('publish')).toMatch(/--notes-file notes\.md practice-api\* SHA256SUMS/);
    expect(scriptsOf('image')).toMatch(
      /docker buildx build --push --provenance mode=max --sbom true/,
    );
    expect(scriptsOf('image-tags')).toMatch(/"\$image:\$version-amd64" "\$image:\$version-arm64"/);
    expect(scriptsOf('files')).toContain('npm run build:single');
    for (const script of ['release/check-release.js', 'try-program.js']) {
      expect(Object.keys(jobs).map(scriptsOf).join('\n')).toContain(`scripts/${script}`);
    }
  });

  test('grants each job only the rights that it needs', () => {
    const given = workflows.flatMap(([name, { jobs: all }]) =>
      Object.entries(all).flatMap(([job, { permissions }]) =>
        permissions === undefined ? [] : [[name, job, permissions]],
      ),
    );
    const rights = { contents: 'write', 'id-token': 'write', attestations: 'write' };
    expect(given).toEqual([
      ['release.yml', 'image', { contents: 'read', packages: 'write' }],
      ['release.yml', 'image-tags', { packages: 'write' }],
      ['release.yml', 'publish', rights],
      ['release.yml', 'latest', { packages: 'write' }],
    ]);
  });

  const repository = 'https://forge.invalid/owner/practice-api';
  const older = '## 0.1.0 – 2026-01-01\n\n- old\n';

  test('has the notes of its version, and nothing else', () => {
    const changelog = `# Changelog\n\n## Unreleased\n\n## 1.0.0 – 2027-01-01\n\n- new\n\n${older}`;
    expect(releaseNotes(changelog, '1.0.0', ['0.1.0'])).toBe('- new');
  });

  test.each([
    ['is missing', '## Unreleased\n', /no section for 1\.0\.0\. npm version creates it/],
    ['is empty', `## 1.0.0 – 2027-01-01\n\n${older}`, /is empty/],
    [
      'is older than Unreleased',
      `## Unreleased\n\n- newer\n\n## 1.0.0 – 2027-01-01\n\n- new\n`,
      /is older than Unreleased/,
    ],
    ['is older than another', `${older}## 1.0.0 – 2027-01-01\n\n- new\n`, /newest section/],
    [
      'follows a version that was never published',
      `## 1.0.0 – 2027-01-01\n\n- new\n\n## 0.2.0 – 2026-02-02\n\n- lost\n\n${older}`,
      /a section for 0\.2\.0, which has no tag: it was never published/,
    ],
  ])('is rejected if its section %s', (_what, changelog, reason) => {
    expect(() => releaseNotes(changelog, '1.0.0', ['0.1.0'])).toThrow(reason);
  });

  test('is rejected if another repository publishes', () => {
    const named = { repository: { url: `git+${repository}.git` } };
    expect(addressesOf(named, repository)).toEqual({
      homepage: `${repository}#readme`,
      bugs: { url: `${repository}/issues` },
    });
    expect(() => addressesOf(named, `${repository}-fork`)).toThrow('-fork publishes');
    expect(() => addressesOf({ repository: { url: repository } }, repository)).toThrow('form git+');
  });
});

describe('npm version', () => {
  test('moves what is unreleased into a section of the version', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- new\n';
    const closed = closeChangelog(changelog, '1.0.0', '2027-01-01');
    expect(closed).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.0.0 – 2027-01-01\n\n### Added\n\n- new\n',
    );
    expect(releaseNotes(closed, '1.0.0', [])).toBe('### Added\n\n- new');
    expect(() => closeChangelog(closed, '1.0.1', '2027-01-02')).toThrow('no changes under');
  });
});

test.each(workflows)('the commands of %s are scripts that bash can read', (_name, each) => {
  for (const { run } of stepsOf(each)) {
    if (run === undefined) continue;
    const { status, stderr } = spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }
});

test('only repository of package.json may name a public place; npm derives the others from it', () => {
  expect(Object.keys(project)).not.toContain('homepage');
  expect(Object.keys(project)).not.toContain('bugs');
  expect(project.repository?.url ?? 'git+https://').toMatch(/^git\+https:\/\//);
  expect(parse(read('.github/ISSUE_TEMPLATE/config.yml'))).toEqual({ blank_issues_enabled: true });
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

test('a report of a bug has one line of curl and the version', () => {
  const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml'));
  const asked = JSON.stringify(body);
  expect(asked).toContain('One line of curl');
  expect(asked).toContain('practice-api --version');
});

test('the list of reviewers has no names', () => {
  const lines = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => !/^(#.*)?$/.test(line));
  expect(lines).toEqual([]);
});

test('the changelog begins with what is unreleased; older sections have a version and a day', () => {
  const [first, ...others] = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(
    (match) => match[1],
  );
  expect(first).toBe('Unreleased');
  for (const title of others) expect(title).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/);
});
