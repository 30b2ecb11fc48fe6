/**
 * `npm run bench [-- name …] [--turns n] [--seconds n] [--write]`: measures every suite (this
 * service beside others) and every measurement (this service only), or the named ones, and prints a
 * table for each. `--write` keeps the results in results.json, and writes docs/benchmarks.md and
 * its chart.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { progressOf } from '../../scripts/progress.js';
import { loadProgramFor } from '../harness/load.js';
import { figureTable, writeFigures } from '../harness/report.js';
import { installLab } from '../install-lab.js';
import { drawChart } from './draw-chart.js';
import { loadSuite, runSuite } from './run-suite.js';
import { suiteTable } from './suite-table.js';

const chartFile = new URL('../../docs/images/benchmarks.svg', import.meta.url);
const resultsFile = new URL('results.json', import.meta.url);
const allSuites = modulesIn('suites');
const allMeasurements = modulesIn('measurements');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
  },
});
const turns = Number(values.turns);
const seconds = Number(values.seconds);
const unknown = positionals.filter((name) => ![...allSuites, ...allMeasurements].includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}.`);
  console.error(`Suites: ${allSuites.join(', ')}. Measurements: ${allMeasurements.join(', ')}.`);
  process.exit(2);
}

installLab();
await build();
const names = positionals.length > 0 ? positionals : [...allSuites, ...allMeasurements];
const progress = progressOf('suites and measurements', names.length);
for (const name of names) {
  console.error(progress.begin(name));
  const result = allSuites.includes(name) ? await measureSuite(name) : await measureFigures(name);
  const table = 'cases' in result ? suiteTable(result.cases) : figureTable(result.figures);
  const text = `${result.how}.\n\n${table}`;
  console.log(`\n## ${name}\n\n${text}`);
  // Written after each, so that a run that ends early loses nothing.
  if (values.write) keep(name, result, text);
}

/** @param {string} folder */
function modulesIn(folder) {
  const files = readdirSync(new URL(folder, import.meta.url));
  return files.map((file) => file.replace('.js', '')).sort();
}

/** @param {string} name */
async function measureSuite(name) {
  const suite = await loadSuite(name);
  const program = loadProgramFor(Object.values(suite.cases[0]?.requests ?? {})[0]);
  const cases = await runSuite(name, suite, { turns, seconds });
  return { how: `Load by ${program}; ${turns} turns of ${seconds} s each`, cases };
}

/** @param {string} name */
async function measureFigures(name) {
  /** @type {{about: string, measure: () => Promise<[what: string, figure: string][]>}} */
  const { about, measure } = await import(`./measurements/${name}.js`);
  return { how: `${about[0]?.toUpperCase()}${about.slice(1)}`, figures: await measure() };
}

/**
 * @param {string} name
 * @param {object} result
 * @param {string} text
 */
function keep(name, result, text) {
  /** @type {Record<string, {cases?: import('./run-suite.js').CaseResult[]}>} */
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  results[name] = result;
  writeFileSync(resultsFile, linesOf(results));
  writeFigures('docs/benchmarks.md', `bench ${name}`, 'npm run bench', text);
  const suites = allSuites.map((suite) => ({ suite, cases: results[suite]?.cases ?? [] }));
  writeFileSync(chartFile, drawChart(suites.filter(({ cases }) => cases.length > 0)));
}

/**
 * Writes JSON with a line for each case.
 *
 * @param {Record<string, {cases?: object[]}>} results
 */
function linesOf(results) {
  const suites = Object.entries(results).map(([name, { cases, ...others }]) => {
    const rest = JSON.stringify({ ...others, ...(cases && { cases: [] }) });
    const lines = (cases ?? []).map((each) => JSON.stringify(each)).join(',\n');
    return `${JSON.stringify(name)}: ${cases ? rest.replace(/\]\}$/, () => `\n${lines}\n]}`) : rest}`;
  });
  return `{\n${suites.join(',\n')}\n}\n`;
}
