/** The built program as a person starts it, to measure what the process costs. */

import { spawn } from 'node:child_process';
import { ourProgramFile } from './our-program.js';
import { processorMs, residentMebibytes } from './process-figures.js';

/**
 * @typedef {object} RunningProgram
 * @property {string} url Without a slash at the end
 * @property {() => number} residentMebibytes Linux only: elsewhere the figure is not a number
 * @property {() => number} processorMs What it has used in all threads; Linux only
 * @property {() => void} stop
 */

/**
 * Starts it on any free port, and resolves once it listens.
 *
 * @param {string[]} [flags]
 * @returns {Promise<RunningProgram>}
 */
export async function startProgram(flags = []) {
  const args = [ourProgramFile, '--port', '0', '--host', '127.0.0.1', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`The program ended with ${code}.`)));
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const found = /Listening on\s+(\S+)/.exec(output);
      if (found?.[1]) resolve(found[1]);
    });
  });
  return {
    url,
    residentMebibytes: () => residentMebibytes(Number(child.pid)),
    processorMs: () => processorMs(Number(child.pid)),
    stop: () => void child.kill(),
  };
}
