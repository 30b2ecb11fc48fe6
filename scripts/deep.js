/**
 * `npm run deep [-- --only name] [--seconds n]`: runs everything that is too slow for every change, one step after the other:
 * each property with tens of thousands of random cases, minutes of server failures under load, attacks and mixed traffic that
 * are measured, generated clients, and mutants. Exits with 1 if a step failed. `--only` runs the steps of that name, on a
 * build that exists; `--seconds` stops each step after that time of work, and writes no figures.
 */

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} command
 * @property {Readonly<Record<string, string>>} [environment]
 * @property {RegExp} begun Matches its output once it works on the first case
 * @property {boolean} [needsLab] Whether it uses packages of the lab
 */

const vitest = ['npx', 'vitest', 'run', '--testTimeout', '3600000'];
const lab = (/** @type {string[]} */ ...args) => [process.execPath, ...args];

/** @type {readonly Step[]} */
export const steps = [
  {
    name: 'properties',
    command: [...vitest, '--project', 'memory', '--project', 'package', ...propertyFiles()],
    environment: { PRACTICE_DEEP: '1' },
    begun: /PRACTICE_SEED/,
  },
  {
    name: 'replicas',
    command: [...vitest, '--project', 'replicas', '--project', 'redis'],
    environment: { PRACTICE_DEEP: '1' },
    begun: /PRACTICE_SEED/,
  },
  {
    name: 'chaos',
    command: [...vitest, '--project', 'package', 'test/shared-state/chaos.slow.test.ts'],
    environment: { PRACTICE_CHAOS_SECONDS: '60' },
    begun: /PRACTICE_SEED/,
  },
  { name: 'fuzz', command: lab('lab/fuzz/main.js'), begun: /requests to http/ },
  { name: 'soak', command: lab('lab/soak/main.js'), begun: /kinds of callers for/ },
  { name: 'hostile', command: lab('lab/hostile/main.js'), begun: /^borne /m },
  {
    name: 'clients',
    command: lab('lab/clients/main.js'),
    begun: /openapi-typescript: /,
    needsLab: true,
  },
  {
    name: 'conformance',
    command: lab('lab/mcp/conformance.js'),
    begun: /scenarios passed/,
    needsLab: true,
  },
  { name: 'mcp-clients', command: lab('lab/mcp/clients.js'), begun: /completes/, needsLab: true },
  { name: 'mutants', command: lab('lab/mutants/main.js'), begun: /Judging \d+ of \d+ changes/ },
];

/**
 * Runs a step, and returns whether it passed: with a budget, whether it began its work and did not fail until it was stopped.
 *
 * @param {Step} step
 * @param {number} [seconds]
 * @returns {Promise<boolean>}
 */
export async function runStep({ command: [file = '', ...args], environment, begun }, seconds) {
  const budget = seconds === undefined ? {} : { PRACTICE_BUDGET: String(seconds), NO_COLOR: '1' };
  // The process leads a group, so that what it starts is stopped with it.
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, PRACTICE_BUILT: '1', ...environment, ...budget },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  // A signal to this process does not reach that group.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      stopGroup(child.pid);
      process.exit(1);
    });
  }
  const ended = new Promise((resolve) => child.once('close', (status) => resolve(status)));
  /** @type {Promise<void>} */
  const started = new Promise((resolve) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text);
      if (seconds === undefined) return;
      output += text;
      if (begun.test(output)) resolve();
    });
  });
  if (seconds === undefined) return (await ended) === 0;
  const early = await Promise.race([ended, started.then(() => sleep(seconds * 1000, 'budget'))]);
  if (early !== 'budget') return early === 0;
  stopGroup(child.pid);
  await ended;
  return true;
}

/** @param {number} [pid] */
function stopGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch (error) {
    // It ended by itself in this moment.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * Returns the test files with a configurable number of cases, slow files, and the contracts by the files that run them.
 *
 * @returns {string[]}
 */
function propertyFiles() {
  return ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
        .map((file) => `${folder}/${file}`),
    )
    .filter(
      (file) =>
        file.includes('.slow.') ||
        /\bcaseCount\(|\bevery(?:Third|Nth)\(|\bisDeep\b|state\/contracts\//.test(
          readFileSync(join(root, file), 'utf8'),
        ),
    );
}

async function main() {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, seconds: { type: 'string' } },
  });
  const { only } = values;
  const chosen = steps.filter(({ name }) => only?.includes(name) ?? true);
  if (chosen.length === 0) throw new Error(`The steps are ${steps.map(({ name }) => name)}.`);
  if (only === undefined) await build();
  const failed = [];
  for (const [index, step] of chosen.entries()) {
    console.log(`Step ${step.name} begins (${index + 1} of ${chosen.length}).`);
    const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
    const isPassed = await runStep(step, seconds);
    console.log(`Step ${step.name} ${isPassed ? 'passed' : 'FAILED'}.`);
    if (!isPassed) failed.push(step.name);
  }
  console.log(`${chosen.length - failed.length} of ${chosen.length} steps passed.`);
  if (failed.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
