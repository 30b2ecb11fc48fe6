/**
 * Runs the steps of the release workflow here, in the order of its jobs, in a clone of this repository:
 * `node scripts/release/try-release.js [--repository https://HOST/OWNER/NAME] [--version 1.2.3] [--failing 'npm publish']`,
 * with the address and the version that the owner will choose; an empty address removes the one in package.json. The first
 * command that begins with the text of `--failing` fails. `npm publish` gets `--dry-run`. The commands that need the forge,
 * a registry or a container engine, and those that build, are only printed. Prints each command that is reached; the first
 * that fails ends the run with its status.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

/**
 * @typedef {{ uses?: string, run?: string, env?: Record<string, string>, 'working-directory'?: string,
 *   with?: { name?: string, path?: string } }} Step
 * @typedef {{ needs?: string[], uses?: string, steps?: Step[], env?: Record<string, string>,
 *   strategy?: { matrix: { include: Record<string, string>[] } } }} Job
 */

/** Builds on four platforms; `test/process/single-file.slow.test.ts` builds and starts the files. */
const leftOut = new Set(['files']);

/** Bodies of the stubs, which run instead of the programs. */
const stubs = {
  docker: 'case "$1" in login) cat >/dev/null ;; esac',
  gh: '',
  npm: `case "$1" in
  view) exit 1 ;;
  ci | run) ;;
  publish) exec "$NPM" "$@" --dry-run ;;
  *) exec "$NPM" "$@" ;;
esac`,
};

const { values } = parseArgs({
  options: {
    failing: { type: 'string' },
    repository: { type: 'string' },
    version: { type: 'string' },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-release-'));
try {
  process.exitCode = tryRelease();
} finally {
  rmSync(folder, { recursive: true });
}

function tryRelease() {
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--shared', root, clone]);
  for (const path of changedFiles()) cpSync(join(root, path), join(clone, path));
  const { repository, version } = values;
  const npm = (/** @type {string[]} */ ...args) =>
    execFileSync('npm', args, { cwd: clone, encoding: 'utf8' });
  if (repository === '') npm('pkg', 'delete', 'repository');
  else if (repository !== undefined) npm('pkg', 'set', `repository.url=git+${repository}.git`);
  if (version !== undefined)
    npm('version', version, '--allow-same-version', '--no-git-tag-version');
  const tag = `v${JSON.parse(npm('pkg', 'get', 'version'))}`;
  const address = new URL(repository || 'https://forge.invalid/owner/practice-api');
  const env = {
    ...process.env,
    ...stubbed(),
    GITHUB_REF_NAME: tag,
    GITHUB_SERVER_URL: address.origin,
    GITHUB_REPOSITORY: address.pathname.slice(1),
    GITHUB_ACTOR: 'someone',
    npm_config_loglevel: 'error',
  };
  /** @type {{ jobs: Record<string, Job> }} */
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
  for (const [name, job] of inOrder(jobs)) {
    console.log(`${name}:`);
    if (job.uses !== undefined) console.log(`  ${job.uses} (run by itself)`);
    if (leftOut.has(name)) console.log('  left out');
    const steps = leftOut.has(name) ? [] : (job.steps ?? []);
    const [matrix] = job.strategy?.matrix.include ?? [];
    const home = join(folder, name);
    for (const step of steps) {
      const status = take(step, home, clone, { ...env, ...filled(job.env, matrix) }, matrix);
      if (status !== 0) return status;
    }
  }
  return 0;
}

/** Returns what is not committed yet. */
function changedFiles() {
  const args = ['ls-files', '--modified', '--others', '--exclude-standard', '-z'];
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return paths.filter((path) => path !== '' && existsSync(join(root, path)));
}

/**
 * Orders jobs so that each follows those that it needs.
 *
 * @param {Record<string, Job>} jobs
 */
function inOrder(jobs) {
  /** @type {Map<string, Job>} */
  const ordered = new Map();
  while (ordered.size < Object.keys(jobs).length) {
    const next = Object.entries(jobs).find(
      ([name, { needs = [] }]) => !ordered.has(name) && needs.every((each) => ordered.has(each)),
    );
    if (next === undefined) throw new Error('The jobs of the workflow need each other.');
    ordered.set(...next);
  }
  return ordered;
}

/**
 * @param {Step} step
 * @param {string} home The folder of the job.
 * @param {string} clone
 * @param {Record<string, string | undefined>} env
 * @param {Record<string, string> | undefined} matrix
 */
function take(step, home, clone, env, matrix) {
  const { uses = '', run, with: { path = '' } = {} } = step;
  const kept = join(folder, 'kept');
  if (uses.startsWith('actions/checkout@')) cpSync(clone, home, { recursive: true });
  mkdirSync(home, { recursive: true });
  mkdirSync(kept, { recursive: true });
  if (uses.startsWith('actions/upload-artifact@')) {
    return shell(`cp -r ${path.split('\n').join(' ')} "${kept}"`, home, env);
  }
  if (uses.startsWith('actions/download-artifact@')) {
    cpSync(kept, join(home, path), { recursive: true });
  }
  if (run === undefined) return 0;
  return shell(run, join(home, step['working-directory'] ?? '.'), {
    ...env,
    ...filled(step.env, matrix),
  });
}

/**
 * @param {string} script
 * @param {string} cwd
 * @param {Record<string, string | undefined>} env
 */
function shell(script, cwd, env) {
  // The options of the forge.
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  return spawnSync('bash', args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

/**
 * @param {Record<string, string> | undefined} env
 * @param {Record<string, string> | undefined} matrix
 */
function filled(env = {}, matrix = {}) {
  const value = (/** @type {string} */ text) =>
    text.replace(/\$\{\{ (?:matrix\.(\w+)|[^}]*) \}\}/g, (_, name) => matrix[name] ?? 'a token');
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)]));
}

/** Returns the variables with which the stubs are found before the programs. */
function stubbed() {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const [name, script] of Object.entries(stubs)) {
    const file = join(programs, name);
    const fails = `case "${name} $*" in "$FAILING"*) exit 1 ;; esac`;
    writeFileSync(file, `#!/bin/sh\necho "  ${name} $*" >&2\n${fails}\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const { failing = 'none' } = values;
  return { PATH: `${programs}:${process.env.PATH}`, NPM: npm, FAILING: failing };
}
