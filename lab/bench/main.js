/**
 * `npm run bench [-- suite …] [--turns n] [--seconds n] [--write]`: measures every suite (us beside
 * peers) and every measurement (of our process alone), or those named, and prints a table each. With
 * --write they replace what bench/results.json has of them, and docs/benchmarks.md and its chart are
 * written from all that is in there.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { installLab } from '../install-lab.js';
import { drawChart } from './draw-chart.js';
import { loadProgram, runSuite } from './harness.js';
import { replaceSection, writeFigureTable, writeSuiteTable } from './write-tables.js';

const reportFile = new URL('../../docs/benchmarks.md', import.meta.url);
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
const unknown = positionals.filter((name) => ![...allSuites, ...allMeasurements].includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}.`);
  console.error(`Suites: ${allSuites.join(', ')}. Measurements: ${allMeasurements.join(', ')}.`);
  process.exit(2);
}

installLab();
await build();
const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;
const names = positionals.length > 0 ? positionals : [...allSuites, ...allMeasurements];
for (const name of names) {
  const isSuite = allSuites.includes(name);
  const result = isSuite ? await measureSuite(name) : await measureFigures(name);
  const table = 'cases' in result ? writeSuiteTable(result) : writeFigureTable(result);
  console.log(`\n## ${name}\n\n${table}`);
  if (values.write) keep(name, result, table);
}

/** @param {URL} folder */
function modulesIn(folder) {
  return readdirSync(fileURLToPath(folder))
    .map((file) => file.replace('.js', ''))
    .sort();
}

/**
 * @param {string} name
 * @returns {Promise<import('./write-tables.js').SuiteResult>}
 */
async function measureSuite(name) {
  /** @type {{suite: import('./harness.js').Suite}} */
  const { suite } = await import(new URL(`${name}.js`, suitesFolder).href);
  const turns = Number(values.turns);
  const seconds = Number(values.seconds);
  const cases = await runSuite(suite, { turns, seconds });
  return { how: `${machine}, load by ${loadProgram}; ${turns} turns of ${seconds} s each`, cases };
}

/**
 * @param {string} name
 * @returns {Promise<import('./write-tables.js').FigureResult>}
 */
async function measureFigures(name) {
  /** @type {{about: string, measure: () => Promise<[what: string, figure: string][]>}} */
  const { about, measure } = await import(new URL(`${name}.js`, measurementsFolder).href);
  return { how: `${machine}; ${about}`, figures: await measure() };
}

/**
 * Written after each, so that a run that ends early loses nothing.
 *
 * @param {string} name
 * @param {import('./write-tables.js').SuiteResult | import('./write-tables.js').FigureResult} result
 * @param {string} table
 */
function keep(name, result, table) {
  /** @type {Record<string, typeof result>} */
  const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
  results[name] = result;
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(reportFile, replaceSection(readFileSync(reportFile, 'utf8'), name, table));
  writeFileSync(
    chartFile,
    drawChart(
      allSuites.flatMap((suite) => {
        const kept = results[suite];
        return kept !== undefined && 'cases' in kept ? [{ suite, cases: kept.cases }] : [];
      }),
    ),
  );
}
