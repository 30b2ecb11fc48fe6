/**
 * `npm run compare -- --with <folder> [suite or part of a case …] [--starts n] [--turns n] [--seconds n]`: the
 * cases of the benchmark that ask this service alone, answered in turn by this build and by that of another
 * checkout, which must be built. Ends with 1 when a request costs more than 3 % more than there.
 */

import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.js';
import { checkResponse, loadProgram, measure } from '../bench/harness.js';
import { ourProgramFile } from '../bench/our-program.js';
import { startProgramServer } from '../bench/run-server.js';
import { installLab } from '../install-lab.js';
import { judgeBuilds } from './judge-builds.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    with: { type: 'string' },
    starts: { type: 'string', default: '9' },
    turns: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '1' },
  },
});
const otherProgramFile = resolve(values.with ?? '', 'dist/main.js');
if (values.with === undefined || !existsSync(otherProgramFile)) {
  console.error('Say --with <folder>, where another checkout is that has been built.');
  process.exit(2);
}
const seconds = Number(values.seconds);
const warmUpSeconds = 2 * seconds;

if (loadProgram !== 'wrk') installLab();
await build();
const suitesFolder = new URL('../bench/suites/', import.meta.url);
console.log(
  '| case | requests/s | ours ÷ theirs | spread | µs each | theirs | ours ÷ theirs | spread | |',
);
console.log('| --- | ---: | ---: | --- | ---: | ---: | ---: | --- | --- |');
let slower = 0;
for (const file of readdirSync(suitesFolder).sort()) {
  /** @type {{suite: import('../bench/harness.js').Suite}} */
  const { suite } = await import(new URL(file, suitesFolder).href);
  for (const benchCase of suite.cases) {
    const name = `${suite.name}: ${benchCase.name}`;
    if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
    const turns = await compare(suite, benchCase);
    if (turns === undefined) continue;
    const { ourRate, ourCost, theirCost, rates, costs, isAsFast } = judgeBuilds(turns);
    if (!isAsFast) slower++;
    const cells = [
      name,
      Math.round(ourRate).toLocaleString('en'),
      rates.median.toFixed(3),
      `${rates.least.toFixed(2)}–${rates.most.toFixed(2)}`,
      ourCost.toFixed(1),
      theirCost.toFixed(1),
      costs.median.toFixed(3),
      `${costs.least.toFixed(2)}–${costs.most.toFixed(2)}`,
      isAsFast ? '' : 'slower',
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
console.log(slower === 0 ? 'No case costs more than 3 % more.' : `${slower} cases cost more.`);
if (slower > 0) process.exitCode = 1;

/**
 * Both builds under the same load in turn, each first every other time, in several fresh processes: what the
 * compiler makes of a program differs by a tenth and more from start to start.
 *
 * @param {import('../bench/harness.js').Suite} suite
 * @param {import('../bench/harness.js').BenchCase} benchCase
 * @returns {Promise<import('./judge-builds.js').Turn[] | undefined>} nothing for a case that needs another program,
 *   or that the other build does not know
 */
async function compare(suite, benchCase) {
  const [[contender, request] = []] = Object.entries(benchCase.requests);
  const how = suite.contenders[contender ?? ''];
  if (contender === undefined || request === undefined || typeof how !== 'object') return undefined;
  if ((await how.launch(0)).command !== process.execPath) return undefined;
  /** @type {import('../bench/harness.js').Program} */
  const theirs = {
    ...how,
    async launch(port) {
      const { command, args } = await how.launch(port);
      return {
        command,
        args: args.map((each) => (each === ourProgramFile ? otherProgramFile : each)),
      };
    },
  };
  const turns = [];
  for (let start = 0; start < Number(values.starts); start++) {
    const ours = await startProgramServer(how);
    const others = await startProgramServer(theirs).catch(() => undefined);
    if (others === undefined) {
      await ours.stop();
      return undefined;
    }
    const servers = [ours, others];
    try {
      await checkResponse(benchCase, contender, ours.url, request);
      try {
        await checkResponse(benchCase, contender, others.url, request);
      } catch {
        return undefined;
      }
      for (const server of servers) await measure(server, request, benchCase, warmUpSeconds);
      for (let turn = 0; turn < Number(values.turns); turn++) {
        const order = (start + turn) % 2 === 0 ? servers : servers.toReversed();
        const figures = new Map();
        for (const server of order) {
          figures.set(server, await measure(server, request, benchCase, seconds));
        }
        const ourFigures = figures.get(ours);
        const theirFigures = figures.get(others);
        turns.push({
          ourRate: ourFigures.requestsPerSecond,
          theirRate: theirFigures.requestsPerSecond,
          ourCost: ourFigures.microseconds,
          theirCost: theirFigures.microseconds,
        });
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
  return turns;
}
