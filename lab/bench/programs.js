/** Programs that suites compare: this service, and other servers that run as separate programs. */

import { spawnSync } from 'node:child_process';
import { freePort } from '../../scripts/free-port.js';
import { probeOf, startProgram, startService } from '../harness/start-program.js';
import { hasRedis, startRedis } from '../harness/start-redis.js';

/** Thrown if a program is not installed; the message names it. */
export class Absent extends Error {}

/**
 * @typedef {import('../harness/start-program.js').RunningProgram} RunningProgram
 * @typedef {(url: string) => Promise<string>} Prepare Brings a program into the state that is measured, and returns
 *   the URL that requests are sent below
 *
 * @typedef {object} Program
 * @property {(options: {file?: string, ourUrl?: string}) => Promise<RunningProgram>} start `file` is the program of
 *   another build of this service, `ourUrl` the URL of the first contender; throws `Absent`
 * @property {true} [isOurs] Whether it is this service and nothing else
 */

/**
 * Starts this service as its users do.
 *
 * @param {string[]} [flags]
 * @param {Prepare} [prepare]
 * @returns {Program}
 */
export function ourProgram(flags = [], prepare = async (url) => url) {
  return {
    isOurs: true,
    start: async ({ file }) => prepared(await startService(flags, { program: file }), prepare),
  };
}

/**
 * Starts this service with its state in a Redis server, and adds the server's memory and processor
 * time.
 *
 * @param {Prepare} [prepare]
 * @returns {Program}
 */
export function ourProgramOverRedis(prepare = async (url) => url) {
  return {
    async start() {
      if (!hasRedis) throw new Absent('needs the Debian package redis-server');
      const redis = await startRedis();
      const service = await startService(['--state-url', redis.url]);
      const both = {
        ...service,
        residentMebibytes: () => service.residentMebibytes() + redis.residentMebibytes(),
        processorMs: () => service.processorMs() + redis.processorMs(),
        stop: async () => {
          await service.stop();
          await redis.stop();
        },
      };
      return prepared(both, prepare);
    },
  };
}

/**
 * @param {RunningProgram} program
 * @param {Prepare} prepare
 */
async function prepared(program, prepare) {
  try {
    return { ...program, url: await prepare(program.url) };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

/**
 * Python's httpbin under gunicorn, its usual server, from Debian's packages `python3-httpbin` and
 * `gunicorn`. It has
 * one worker, because the other servers have one process as well.
 *
 * @type {Program}
 */
export const httpbin = {
  start: () => {
    const application = ['--log-level', 'warning', '--workers', '1', 'httpbin:app'];
    if (spawnSync('gunicorn', ['--check-config', ...application]).status !== 0)
      throw new Absent('needs the Debian packages python3-httpbin and gunicorn');
    return startAtPort('gunicorn', (port) => ['--bind', `127.0.0.1:${port}`, ...application]);
  },
};

/**
 * go-httpbin, if the command `go-httpbin` is on the PATH: neither Debian nor npm has a package.
 *
 * @type {Program}
 */
export const goHttpbin = {
  start: () => {
    if (spawnSync('go-httpbin', ['-help']).error !== undefined)
      throw new Absent('needs the command go-httpbin on the PATH');
    return startAtPort('go-httpbin', (port) => ['-host', '127.0.0.1', '-port', port]);
  },
};

/**
 * Starts a program that listens on the port in its arguments.
 *
 * @param {string} command
 * @param {(port: string) => string[]} argsFor
 * @param {string} [path] Of the first request, for programs that complain about others
 */
export async function startAtPort(command, argsFor, path = '/nothing') {
  const port = String(await freePort());
  const options = { url: `http://127.0.0.1:${port}`, probe: probeOf(path) };
  return startProgram(command, argsFor(port), options);
}
