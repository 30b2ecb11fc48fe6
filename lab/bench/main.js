/**
 * `npm run bench [-- name …] [--turns n] [--seconds n] [--write]`: measures every suite (this service beside others) and
 * every measurement (this service only), or the named ones, and prints a table each. `--write` keeps the results in
 * results.json, and writes docs/benchmarks.md and its chart.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { writeSection } from '../../scripts/write-section.js';
import { loadProgram } from '../harness/load.js';
import { figureTable, machine } from '../harness/report.js';
import { installLab } from '../install-lab.js';
import { drawChart } from './draw-chart.js';
import { runSuite } from './run-suite.js';
import { suiteTable } from './suite-table.js';

const chartFile = new URL('../../docs/images/benchmarks.svg', import.meta.url);
const resultsFile = new URL('results.json', import.meta.url);
const suitesFolder = new URL('suites/', import.meta.url);
const measurementsFolder = new URL('measurements/', import.meta.url);
const allSuites = modulesIn(suitesFolder);
const allMeasurements = modulesIn(measurementsFolder);

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
/**
 * Figures of suites, or of measurements, with how they were measured.
 *
 * @typedef {{how: string, cases: import('./run-suite.js').CaseResult[]}} SuiteResult
 * @typedef {{how: string, figures: [what: string, figure: string][]}} FigureResult
 */
const names = positionals.length > 0 ? positionals : [...allSuites, ...allMeasurements];
for (const name of names) {
  const result = allSuites.includes(name) ? await measureSuite(name) : await measureFigures(name);
  const table = 'cases' in result ? suiteTable(result.cases) : figureTable(result.figures);
  const text = `${result.how}.\n\n${table}`;
  console.log(`\n## ${name}\n\n${text}`);
  // Written after each, so that a run that ends early loses nothing.
  if (values.write) keep(name, result, text);
}

/** @param {URL} folder */
function modulesIn(folder) {
  return readdirSync(folder)
    .map((file) => file.replace('.js', ''))
    .sort();
}

/**
 * @param {string} name
 * @returns {Promise<SuiteResult>}
 */
async function measureSuite(name) {
  /** @type {{suite: import('./run-suite.js').Suite}} */
  const { suite } = await import(new URL(`${name}.js`, suitesFolder).href);
  const cases = await runSuite(suite, { turns, seconds });
  return { how: `${machine}, load by ${loadProgram}; ${turns} turns of ${seconds} s each`, cases };
}

/**
 * @param {string} name
 * @returns {Promise<FigureResult>}
 */
async function measureFigures(name) {
  /** @type {{about: string, measure: () => Promise<[what: string, figure: string][]>}} */
  const { about, measure } = await import(new URL(`${name}.js`, measurementsFolder).href);
  return { how: `${machine}; ${about}`, figures: await measure() };
}

/**
 * @param {string} name
 * @param {SuiteResult | FigureResult} result
 * @param {string} text
 */
function keep(name, result, text) {
  /** @type {Record<string, typeof result>} */
  const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
  results[name] = result;
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  writeSection('docs/benchmarks.md', `bench ${name}`, text);
  const suites = allSuites.flatMap((suite) => {
    const kept = results[suite];
    return kept !== undefined && 'cases' in kept ? [{ suite, cases: kept.cases }] : [];
  });
  writeFileSync(chartFile, drawChart(suites));
}
