/**
 * Runs everything that is too slow for every change: each property with tens of thousands of random
 * cases, all tests of areas with replicas, minutes of server failures under load, and mutants. `npm
 * run deep` puts the figures into docs/robustness.md.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSection } from './write-section.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = join(tmpdir(), `practice-api-deep-${process.pid}.json`);

/**
 * Test files with a configurable number of cases, slow files, and the contracts by the files that
 * run them.
 */
const propertyFiles = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith('.test.ts'))
  .filter(
    (file) =>
      file.includes('.slow.') ||
      /\bcaseCount\(|\bevery(?:Third|Nth)\(|\bisDeep\b|state\/contracts\//.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  );

const properties = [
  ...['vitest', 'run', '--project', 'memory', '--project', 'package'],
  ...['--testTimeout', '3600000', '--reporter', 'default'],
  ...['--reporter', 'json', '--outputFile.json', report],
];
run('npm', ['run', '--silent', 'build']);
run('npx', [...properties, ...propertyFiles], { PRACTICE_DEEP: '1' });
writeSection('docs/robustness.md', 'properties', propertyTable());

run('npx', ['vitest', 'run', '--project', 'replicas', '--project', 'redis'], {
  PRACTICE_DEEP: '1',
});
run('npx', ['vitest', 'run', '--project', 'package', 'test/shared-state/chaos.slow.test.ts'], {
  PRACTICE_CHAOS_SECONDS: '60',
});
run('npm', ['run', '--silent', 'clients']);
run('node', ['lab/mcp/conformance.js']);
run('node', ['lab/mcp/clients.js']);
run('npm', ['run', '--silent', 'mutants']);

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 */
function run(command, args, environment = {}) {
  const env = { ...process.env, ...environment };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

/** Writes a table of the files with the time of their cases. */
function propertyTable() {
  /** @type {{testResults: {name: string, assertionResults: {duration?: number}[]}[]}} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const rows = testResults.map(({ name, assertionResults }) => {
    const milliseconds = assertionResults.reduce((sum, { duration = 0 }) => sum + duration, 0);
    return `| \`${name.slice(root.length)}\` | ${Math.round(milliseconds / 1000)} s |`;
  });
  return ['| tried with many cases | time |', '| --- | ---: |', ...rows.sort()].join('\n');
}
