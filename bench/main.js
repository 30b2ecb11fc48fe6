/**
 * `npm run bench [-- suite …] [--turns n] [--seconds n] [--write]`: measures every suite
 * (us beside peers) and every measurement (of our process alone), or those named, prints a table each, and with --write puts them into docs/benchmarks.md.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.js';
import { loadProgram, runSuite } from './harness.js';

const report = new URL('../docs/benchmarks.md', import.meta.url);
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

await build();
const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load by ${loadProgram}`;
const names = positionals.length > 0 ? positionals : [...allSuites, ...allMeasurements];
for (const name of names) {
  const table = await (allMeasurements.includes(name) ? figureTable(name) : suiteTable(name));
  console.log(`\n## ${name}\n\n${table}`);
  if (values.write) writeSection(name, table);
}

/** @param {URL} folder */
function modulesIn(folder) {
  return readdirSync(fileURLToPath(folder)).map((file) => file.replace('.js', ''));
}

/** @param {string} name */
async function suiteTable(name) {
  /** @type {{suite: import('./harness.js').Suite}} */
  const { suite } = await import(new URL(`${name}.js`, suitesFolder).href);
  const turns = Number(values.turns);
  const seconds = Number(values.seconds);
  const results = await runSuite(suite, { turns, seconds });
  const rows = results.flatMap(({ name: caseName, scores }) =>
    scores.map(({ contender, requestsPerSecond, ratio, spread }) => {
      const range = `${spread[0].toFixed(2)}–${spread[1].toFixed(2)}`;
      const rate = Math.round(requestsPerSecond).toLocaleString('en');
      return `| ${caseName} | ${contender} | ${rate} | ${ratio.toFixed(2)} | ${range} |`;
    }),
  );
  return [
    `${machine}; ${turns} turns of ${seconds} s each.`,
    '',
    '| request | server | requests/s | ours ÷ theirs | spread |',
    '| --- | --- | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}

/** @param {string} name */
async function figureTable(name) {
  /** @type {{about: string, measure: () => Promise<[what: string, figure: string][]>}} */
  const { about, measure } = await import(new URL(`${name}.js`, measurementsFolder).href);
  const rows = await measure();
  return [
    `${machine}; ${about}.`,
    '',
    '| what | figure |',
    '| --- | ---: |',
    ...rows.map(([what, figure]) => `| ${what} | ${figure} |`),
  ].join('\n');
}

/**
 * @param {string} name
 * @param {string} table
 */
function writeSection(name, table) {
  const begin = `<!-- bench ${name} -->`;
  const end = `<!-- end of bench ${name} -->`;
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '# Benchmarks\n';
  const section = `${begin}\n${table}\n${end}`;
  const start = text.indexOf(begin);
  const changed =
    start < 0
      ? `${text.trimEnd()}\n\n## ${name}\n\n${section}\n`
      : text.slice(0, start) + section + text.slice(text.indexOf(end) + end.length);
  writeFileSync(report, changed);
}
