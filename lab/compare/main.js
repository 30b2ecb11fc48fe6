/**
 * `npm run compare -- --with <folder> [suite or part of a case …] [--starts n] [--turns n]
 * [--seconds n]`: loads this build and the build of another checkout in turns, with the benchmark
 * cases that need only this service. Exits with 1 if a request costs more than 3 % more.
 */

import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { checkResponse, loadSuite } from '../bench/run-suite.js';
import { loadProgram, measure } from '../harness/load.js';
import { row, table } from '../harness/report.js';
import { installLab } from '../install-lab.js';
import { judgeBuilds } from './judge-builds.js';

/**
 * @typedef {import('../bench/run-suite.js').Suite} Suite
 * @typedef {import('../bench/run-suite.js').BenchCase} BenchCase
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    with: { type: 'string' },
    starts: { type: 'string', default: '9' },
    turns: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '1' },
  },
});
const otherFile = resolve(values.with ?? '', 'dist/main.js');
if (values.with === undefined || !existsSync(otherFile)) {
  console.error('Name the folder of another checkout that has been built: --with <folder>.');
  process.exit(2);
}
const seconds = Number(values.seconds);

if (loadProgram !== 'wrk') installLab();
await build();
const suites = readdirSync(new URL('../bench/suites', import.meta.url)).sort();
const rates = ['requests/s:', 'ours ÷ theirs:', 'spread'];
console.log(table(['case', ...rates, 'µs each:', 'theirs:', ...rates.slice(1), ''], []));
let slower = 0;
for (const suiteName of suites.map((file) => file.replace('.js', ''))) {
  const suite = await loadSuite(suiteName);
  for (const benchCase of suite.cases) {
    const name = `${suiteName}: ${benchCase.name}`;
    if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
    const turns = await compare(suite, benchCase);
    if (turns === undefined) continue;
    const verdict = judgeBuilds(turns);
    if (!verdict.isAsFast) slower++;
    const spreads = [verdict.rates, verdict.costs].map(({ median, least, most }) => [
      median.toFixed(3),
      `${least.toFixed(2)}–${most.toFixed(2)}`,
    ]);
    const [rateCells = [], costCells = []] = spreads;
    const rate = Math.round(verdict.ourRate).toLocaleString('en');
    const costs = [verdict.ourCost.toFixed(1), verdict.theirCost.toFixed(1)];
    const cells = [rate, ...rateCells, ...costs, ...costCells, verdict.isAsFast ? '' : 'slower'];
    console.log(row([name, ...cells]));
  }
}
console.log(slower === 0 ? 'No case costs more than 3 % more.' : `${slower} cases cost more.`);
if (slower > 0) process.exitCode = 1;

/**
 * Loads both builds in turns, each first every other time, in several fresh processes: the result
 * of the
 * compiler differs by a tenth and more between starts.
 *
 * @param {Suite} suite
 * @param {BenchCase} benchCase
 * @returns {Promise<import('./judge-builds.js').Turn[] | undefined>} undefined for a case that
 * needs another program, or
 * that the other build does not have
 */
async function compare(suite, benchCase) {
  const [[contender = '', request] = []] = Object.entries(benchCase.requests);
  const program = suite.contenders[contender];
  if (request === undefined || typeof program !== 'object' || !program.isOurs) return undefined;
  const turns = [];
  for (let start = 0; start < Number(values.starts); start++) {
    const ours = await program.start({});
    const theirs = await program.start({ file: otherFile }).catch(() => undefined);
    try {
      await checkResponse(benchCase, contender, ours.url, request);
      if (theirs === undefined) return undefined;
      const isKnown = await checkResponse(benchCase, contender, theirs.url, request).catch(
        () => {},
      );
      if (isKnown === undefined) return undefined;
      const load = (/** @type {typeof ours} */ server, /** @type {number} */ duration) =>
        measure(server, request, { seconds: duration, isRejected: benchCase.isRejected });
      for (const server of [ours, theirs]) await load(server, 2 * seconds);
      for (let turn = 0; turn < Number(values.turns); turn++) {
        const isOursFirst = (start + turn) % 2 === 0;
        const [first, second] = isOursFirst ? [ours, theirs] : [theirs, ours];
        const figures = [await load(first, seconds), await load(second, seconds)];
        const [own, others] = isOursFirst ? figures : figures.toReversed();
        if (own && others) turns.push({ ours: own, theirs: others });
      }
    } finally {
      await Promise.all([ours.stop(), theirs?.stop()]);
    }
  }
  return turns;
}
