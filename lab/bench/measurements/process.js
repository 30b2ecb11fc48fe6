/**
 * What the process itself costs: the time to its first response, also with a data file, what importing the package and
 * starting a service in a test take, and its memory when idle. Processor time tells more than elapsed time on a machine
 * with other work.
 */

import { execFile as execFileWithCallback } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { probeOf, startService } from '../../harness/start-program.js';
import { median } from '../../harness/statistics.js';
import { writeRecordsFile } from '../ten-thousand-records.js';

const execFile = promisify(execFileWithCallback);
/** Where the package can be imported by its name. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const starts = 9;
const settleMs = 2000;

export const about = `medians of ${starts} fresh processes`;

/** @typedef {{ms: number, processorMs: number}} Times */

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const file = writeRecordsFile();
  const [plain, withFile, imported, created, idle] = [
    /** @type {Times[]} */ ([]),
    /** @type {Times[]} */ ([]),
    /** @type {Times[]} */ ([]),
    /** @type {Times[]} */ ([]),
    /** @type {number[]} */ ([]),
  ];
  for (let start = 0; start < starts; start++) {
    plain.push(await measureStart([], '/api/methods/get', idle));
    withFile.push(await measureStart(['--data', file], '/my/records?limit=1'));
    const embedded = await measureEmbedding();
    imported.push(embedded.imported);
    created.push(embedded.created);
  }
  return [
    ['`node dist/main.js` until its first response', describe(plain)],
    ['the same with 10,000 records by `--data`', describe(withFile)],
    ['memory when idle (RSS)', `${median(idle).toFixed(1)} MiB`],
    ["`import 'practice-api'`", describe(imported)],
    ['`createService()` after that', describe(created)],
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
