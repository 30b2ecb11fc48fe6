/**
 * What the process itself costs: the time to its first answer, what importing the package and starting
 * a service in a test take, and its memory when idle. Processor time tells more than waiting time on a
 * machine that has other things to do.
 */

import { execFile as execFileWithCallback } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../harness.js';
import { startProgram } from '../start-program.js';

const execFile = promisify(execFileWithCallback);
/** Where the package can be imported by its name. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const starts = 9;
const settleMs = 2000;

export const about = `medians of ${starts} fresh processes`;

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const programs = [];
  const embeddings = [];
  for (let start = 0; start < starts; start++) {
    programs.push(await measureProgram());
    embeddings.push(await measureEmbedding());
  }
  /** @type {<Key extends string>(of: Record<Key, number>[], key: Key) => number} */
  const medianOf = (of, key) => median(of.map((each) => each[key]));
  /** @type {(of: Record<'ms' | 'processorMs', number>[]) => string} */
  const times = (of) =>
    `${medianOf(of, 'ms').toFixed(0)} ms (${medianOf(of, 'processorMs').toFixed(0)} ms of processor)`;
  return [
    ['`node dist/main.js` until its first answer', times(programs)],
    ['memory when idle (RSS)', `${medianOf(programs, 'idleMebibytes').toFixed(1)} MiB`],
    ["`import 'practice-api'`", times(embeddings.map(({ imported }) => imported))],
    ['`createService()` after that', times(embeddings.map(({ created }) => created))],
  ];
}

async function measureProgram() {
  const startedAt = performance.now();
  const program = await startProgram();
  try {
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        get(`${program.url}/api/methods/get`, (response) => {
          response.resume().once('end', resolve);
        }).once('error', reject);
      })
    );
    const ms = performance.now() - startedAt;
    const processorMs = program.processorMs();
    await sleep(settleMs);
    return { ms, processorMs, idleMebibytes: program.residentMebibytes() };
  } finally {
    program.stop();
  }
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
