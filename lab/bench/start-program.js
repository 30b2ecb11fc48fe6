/** The built program as a person starts it, to measure what the process costs. */

import { spawn } from 'node:child_process';
import { ourProgramFile } from './our-program.js';
import { processorMs, residentMebibytes } from './process-figures.js';

/**
 * @typedef {object} RunningProgram
 * @property {string} url Without a slash at the end
 * @property {() => number} residentMebibytes Linux only: elsewhere the figure is not a number
 * @property {() => number} processorMs What it has used in all threads; Linux only
 * @property {number} pid
 * @property {() => boolean} isUp
 * @property {(signal?: NodeJS.Signals) => void} stop
 */

/**
 * Starts it on any free port, and resolves once it listens.
 *
 * @param {readonly string[]} [flags]
 * @param {object} [how]
 * @param {string} [how.program] The file to run, where it is another checkout's
 * @param {readonly string[]} [how.nodeFlags]
 * @param {Record<string, string>} [how.env] Added to the environment
 * @param {(text: string) => void} [how.onOutput] Gets what it prints
 * @returns {Promise<RunningProgram>}
 */
export async function startProgram(
  flags = [],
  { program = ourProgramFile, nodeFlags = [], env = {}, onOutput } = {},
) {
  const args = [...nodeFlags, program, '--port', '0', '--host', '127.0.0.1', ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  child.stdout?.setEncoding('utf8').on('data', (text) => onOutput?.(text));
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`The program ended with ${code}.`)));
    child.stdout?.on('data', (chunk) => {
      if (output.length < 10_000) output += chunk;
      const found = /Listening on\s+(\S+)/.exec(output);
      if (found?.[1]) resolve(found[1]);
    });
  });
  return {
    url,
    pid: Number(child.pid),
    isUp: () => child.exitCode === null && child.signalCode === null,
    residentMebibytes: () => residentMebibytes(Number(child.pid)),
    processorMs: () => processorMs(Number(child.pid)),
    stop: (signal) => void child.kill(signal),
  };
}
