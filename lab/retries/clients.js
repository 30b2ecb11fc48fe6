/**
 * Lets libraries that retry carry out the plans of the guide about retries, and writes into
 * docs/retry-like-a-professional.md what the judge says about each. Needs Debian's packages of
 * `.ci/debian-packages`; a library that is missing is left out.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../../scripts/install-packages.js';
import { table, writeFigures } from '../harness/report.js';

const tests = new URL('../../test/', import.meta.url);
installPackages(tests, 'the tests');
const { carryOutPlans } = await import(new URL('clients/carry-out-plans.mjs', tests).href);
const { buildGoProgram, retryingProgram } = await import(
  new URL('clients/run-retrying.mjs', tests).href
);

const python = '/usr/bin/python3';
const folder = mkdtempSync(join(tmpdir(), 'practice-retries-'));

const ofPackage = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, tests), 'utf8')).version;
const ofPython = (/** @type {string} */ name) =>
  run(python, '-c', `from importlib.metadata import version; print(version('${name}'))`);
const ofDebian = (/** @type {string} */ name) =>
  run('dpkg-query', '-W', '-f', `\${Version}`, name).replace(/-[^-]*$/, '');

/** The library, its client in the program, the name in the table, and how to find the version. */
const clients = /** @type {const} */ ([
  ['axios-retry', 'axios-retry', 'axios-retry', ofPackage],
  ['axios-retry', 'axios-retry exponentialDelay', 'axios-retry, `exponentialDelay`', ofPackage],
  ['got', 'got', 'got', ofPackage],
  ['ky', 'ky', 'ky', ofPackage],
  ['ky', 'ky jitter', 'ky, `jitter: true`', ofPackage],
  ['undici', 'undici RetryAgent maxRetries', 'undici `RetryAgent`', ofPackage],
  ['p-retry', 'p-retry', 'p-retry', ofPackage],
  ['p-retry', 'p-retry for what is safe', 'p-retry, `randomize`, only what is safe', ofPackage],
  [
    'curl',
    'curl --retry 3',
    'curl `--retry 3`',
    () => run('curl', '--version').split(' ')[1] ?? '',
  ],
  ['urllib3', 'urllib3 Retry', 'urllib3 `Retry`', ofPython],
  [
    'urllib3',
    'urllib3 Retry(status_forcelist)',
    'urllib3 `Retry`, `status_forcelist`, `backoff_factor`',
    ofPython,
  ],
  ['tenacity', 'tenacity wait_exponential(max=2)', 'tenacity `wait_exponential`', ofPython],
  ['tenacity', 'tenacity wait_fixed', 'tenacity `wait_fixed`', ofPython],
  [
    'tenacity',
    'tenacity for what is safe',
    'tenacity `wait_random_exponential`, only what is safe',
    ofPython,
  ],
  ['backoff', 'backoff expo', 'backoff `expo`', ofPython],
  ['backoff', 'backoff runtime(jitter=None)', 'backoff `runtime`, `jitter=None`', ofPython],
  [
    'go-retryablehttp',
    'go-retryablehttp',
    'go-retryablehttp',
    () => ofDebian('golang-github-hashicorp-go-retryablehttp-dev'),
  ],
  [
    'go-retryablehttp',
    'go-retryablehttp for what is safe',
    'go-retryablehttp, own `CheckRetry`',
    () => ofDebian('golang-github-hashicorp-go-retryablehttp-dev'),
  ],
  [
    'Apache HttpClient',
    'Apache HttpClient',
    'Apache HttpClient 5',
    () => ofDebian('libhttpclient5-java'),
  ],
]);

/** Weakest first. A plan that decides counts more than a plan that leaves it open. */
const outcomes = ['not-reached', 'unclear', 'kept', 'against-advice', 'broken'];
const words = ['–', 'unclear', 'kept', 'against advice', '**broken**'];
/** Without `jitter`: a busy machine varies the waits of every client. */
const rules = [
  'retry-after',
  'back-off',
  'safe-repetition',
  'same-body',
  'client-errors-not-repeated',
];

const { createService } = await import(new URL('../../dist/index.js', import.meta.url).href);
const service = await createService();
const rows = [];
try {
  await buildGoProgram(folder);
  for (const [command, own] of byProgram()) {
    try {
      const program = /** @type {[string, ...string[]]} */ (command.split('\n'));
      const names = own.map(([, client]) => client);
      const judged = await judge(program, names);
      for (const [index, [library, , name, versionOf]] of own.entries()) {
        rows.push([name, versionOf(library), ...cellsOf(judged[index] ?? [])]);
        console.log(rows.at(-1)?.join(' | '));
      }
    } catch (error) {
      process.exitCode = 1;
      console.error(`${command}: ${error}`);
    }
  }
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
const head = ['Library', 'Version', ...rules.map((rule) => `\`${rule}\``)];
writeFigures(
  'docs/retry-like-a-professional.md',
  'libraries',
  'node lab/retries/clients.js',
  table(head, rows),
);

/**
 * Carries out the plans again while something is unclear: other load lengthens waits, but not in every run.
 *
 * @param {[string, ...string[]]} program
 * @param {readonly string[]} names
 */
async function judge(program, names) {
  /** @type {import('../../test/clients/carry-out-plans.mjs').JudgedPlan[][]} */
  let all = names.map(() => []);
  for (let round = 0; round < 3; round++) {
    const judged = await carryOutPlans(service.url, program, names);
    all = all.map((before, index) => [...before, ...(judged[index] ?? [])]);
    if (!all.some((each) => cellsOf(each).includes('unclear'))) break;
  }
  return all;
}

/** Returns the clients of each program, which carries out the plans of all at once. */
function byProgram() {
  /** @type {Map<string, (typeof clients)[number][]>} */
  const programs = new Map();
  for (const client of clients) {
    const command = retryingProgram(client[0], { folder, python }).join('\n');
    programs.set(command, [...(programs.get(command) ?? []), client]);
  }
  return programs;
}

/** @param {readonly import('../../test/clients/carry-out-plans.mjs').JudgedPlan[]} judged */
function cellsOf(judged) {
  return rules.map((rule) => {
    const all = judged.flatMap(({ verdicts }) => verdicts.filter((each) => each.rule === rule));
    const worst = Math.max(...all.map(({ outcome }) => outcomes.indexOf(outcome)));
    return words[worst] ?? '–';
  });
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8' }).trim();
}
