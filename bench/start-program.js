/** The built program as a person starts it, to measure what the process costs. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/**
 * @typedef {object} RunningProgram
 * @property {string} url Without a slash at the end
 * @property {() => number} residentMebibytes Linux only: elsewhere the figure is not a number
 * @property {() => number} processorMs What it has used in user and system mode; Linux only
 * @property {() => void} stop
 */

/**
 * Starts it on any free port, and resolves once it listens.
 *
 * @param {string[]} [flags]
 * @returns {Promise<RunningProgram>}
 */
export async function startProgram(flags = []) {
  const child = spawn(process.execPath, [program, '--port', '0', '--host', '127.0.0.1', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

/** @param {number} pid */
function residentMebibytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** @param {number} pid */
function processorMs(pid) {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = afterName.split(' ');
  // In ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
