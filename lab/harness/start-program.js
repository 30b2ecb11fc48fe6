/** Starts programs in separate processes, which end with this one. */

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { peakMebibytes, processorMs, residentMebibytes } from './process-figures.js';
import { exchange, writeRequest } from './raw-http.js';

/**
 * @typedef {object} RunningProgram
 * @property {string} url Without a slash at the end
 * @property {number} startMs From the start of its process to its first response, whatever that is
 * @property {number} pid
 * @property {import('node:child_process').ChildProcess} child
 * @property {() => boolean} isUp
 * @property {() => number} residentMebibytes
 * @property {() => number} peakMebibytes
 * @property {() => number} processorMs
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop
 *
 * @typedef {object} ProgramOptions
 * @property {string} [url] Where it listens; without it, the program prints `Listening on` and its URL
 * @property {string} [probe] The first request, after which the program must end the connection
 * @property {boolean} [hasChannel] Whether `child` can exchange messages with this process
 * @property {(text: string) => void} [onOutput] Receives what it prints
 *
 * @typedef {object} ServiceOptions
 * @property {string | undefined} [program] The file to run, for the build of another checkout
 * @property {readonly string[]} [nodeFlags]
 * @property {URL} [preload] A module that Node loads first, and that can exchange messages with this process
 */

export const ourProgramFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The module to preload so that a service sends its health as messages. */
export const healthReporter = new URL('report-health.js', import.meta.url);

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;
const retryMs = 5;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => process.exit(1));
}

/**
 * Starts this service on any free port of the loopback address.
 *
 * @param {readonly string[]} [flags]
 * @param {ServiceOptions & Omit<ProgramOptions, 'url'>} [options]
 */
export function startService(
  flags = [],
  { program = ourProgramFile, nodeFlags = [], preload, ...options } = {},
) {
  const preloadFlags = preload === undefined ? [] : ['--import', preload.href];
  const args = [...nodeFlags, ...preloadFlags, program, '--port', '0', '--host', '127.0.0.1'];
  const hasChannel = preload !== undefined;
  return startProgram(process.execPath, [...args, ...flags], { hasChannel, ...options });
}

/**
 * Starts a program, and resolves when it has responded to a request.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ProgramOptions} [options]
 * @returns {Promise<RunningProgram>}
 */
export async function startProgram(command, args, options = {}) {
  const { probe = probeOf('/nothing'), hasChannel = false, onOutput } = options;
  const startedAt = performance.now();
  const hasOutput = options.url === undefined || onOutput !== undefined;
  const child = spawn(command, args, {
    stdio: ['ignore', hasOutput ? 'pipe' : 'ignore', 'inherit', hasChannel ? 'ipc' : 'ignore'],
  });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  ended.then(() => running.delete(child));
  const isUp = () =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  /** @type {RunningProgram['stop']} */
  const stop = async (signal) => {
    child.kill(signal);
    const isGone = await Promise.race([
      ended.then(() => true),
      sleep(stopTimeoutMs, false, { ref: false }),
    ]);
    if (!isGone) child.kill('SIGKILL');
  };
  child.stdout?.setEncoding('utf8').on('data', (text) => onOutput?.(text));
  const url = options.url ?? (await Promise.race([bannerUrl(child), ended]));
  while (!isUp() || !(await responds(url, probe))) {
    if (!isUp() || performance.now() - startedAt > startTimeoutMs) {
      await stop();
      throw new Error(`${command} ${args.join(' ')} does not respond.`);
    }
    await sleep(retryMs);
  }
  const pid = Number(child.pid);
  return {
    url,
    startMs: performance.now() - startedAt,
    pid,
    child,
    isUp,
    residentMebibytes: () => residentMebibytes(pid),
    peakMebibytes: () => peakMebibytes(pid),
    processorMs: () => processorMs(pid),
    stop,
  };
}

/**
 * Waits for the URL that a program prints when it listens.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function bannerUrl(child) {
  let output = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', function read(chunk) {
      output += chunk;
      const found = /Listening on\s+(\S+)/.exec(output);
      if (found === null) return;
      child.stdout?.off('data', read);
      resolve(found[1]);
    });
  });
}

/**
 * Follows the health of a service with the preloaded {@link healthReporter}, from now on.
 *
 * @param {RunningProgram} service
 * @param {(health: import('./report-health.js').Health) => void} use
 */
export function followHealth({ child }, use) {
  child.on('message', (message) => use(/** @type {any} */ (message)));
  child.send('begin');
}

/** @param {string} path */
export const probeOf = (path) => writeRequest('GET', path, [['Connection', 'close']]);

/**
 * Returns whether a request gets any response.
 *
 * @param {string} url
 * @param {string} request
 */
async function responds(url, request) {
  try {
    const { responses, rest } = await exchange(url, [request], { patienceMs: 5_000 });
    return responses.length > 0 || rest !== '';
  } catch {
    return false;
  }
}
