/**
 * Measures the process itself: the time to its first response, also with a data file, the time to
 * import the package and start a service in a test, and its idle memory. On a busy machine,
 * processor time is more accurate than elapsed time.
 */

import { execFile as execFileWithCallback } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { probeOf, startService } from '../../harness/start-program.js';
import { median } from '../../harness/statistics.js';
import { writeRecordsFile } from '../ten-thousand-records.js';

const execFile = promisify(execFileWithCallback);
/** A folder in which the package can be imported by its name. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const starts = 9;
const settleMs = 2000;

export const about = `medians of ${starts} fresh processes`;

/** @typedef {{ms: number, processorMs: number}} Times */

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const file = writeRecordsFile();
  /** @type {Map<string, Times[]>} */
  const all = new Map();
  /** @type {number[]} */
  const idle = [];
  const note = (/** @type {string} */ what, /** @type {Times} */ times) =>
    all.set(what, [...(all.get(what) ?? []), times]);
  for (let start = 0; start < starts; start++) {
    const plain = await measureStart([], '/api/methods/get', idle);
    const withFile = await measureStart(['--data', file], '/my/records?limit=1');
    const { imported, created } = await measureEmbedding();
    note('`node dist/main.js` until its first response', plain);
    note('the same with 10,000 records by `--data`', withFile);
    note("`import 'practice-api'`", imported);
    note('`createService()` after that', created);
  }
  const memory = `${median(idle).toFixed(1)} MiB`;
  return [
    ...[...all].map(([what, times]) => /** @type {[string, string]} */ ([what, describe(times)])),
    ['memory when idle (RSS)', memory],
  ];
}

/** @param {readonly Times[]} times */
function describe(times) {
  const ms = median(times.map((each) => each.ms));
  const processorMs = median(times.map((each) => each.processorMs));
  return `${ms.toFixed(0)} ms (${processorMs.toFixed(0)} ms of processor)`;
}

/**
 * @param {string[]} flags
 * @param {string} path Of the first request
 * @param {number[]} [idle] Gains the memory when idle, in MiB
 * @returns {Promise<Times>}
 */
async function measureStart(flags, path, idle) {
  const service = await startService(flags, { probe: probeOf(path) });
  const times = { ms: service.startMs, processorMs: service.processorMs() };
  if (idle !== undefined) {
    await sleep(settleMs);
    idle.push(service.residentMebibytes());
  }
  await service.stop();
  return times;
}

const embedding = `
  const times = [[performance.now(), process.cpuUsage()]];
  const { createService } = await import('practice-api');
  times.push([performance.now(), process.cpuUsage()]);
  const service = await createService();
  times.push([performance.now(), process.cpuUsage()]);
  await service.close();
  console.log(JSON.stringify(times));
`;

/** @typedef {[atMs: number, processor: NodeJS.CpuUsage]} Time */

async function measureEmbedding() {
  const args = ['--input-type=module', '--eval', embedding];
  const { stdout } = await execFile(process.execPath, args, { cwd: root });
  /** @type {[Time, Time, Time]} */
  const [before, imported, created] = JSON.parse(stdout);
  return { imported: between(before, imported), created: between(imported, created) };
}

/**
 * @param {Time} from
 * @param {Time} to
 */
function between([fromMs, from], [toMs, to]) {
  const processorMs = (to.user + to.system - from.user - from.system) / 1000;
  return { ms: toMs - fromMs, processorMs };
}
