/** The built program in a process of its own, which reports on itself every second. */

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** @typedef {import('./report-health.js').Health} Health */

/**
 * @param {readonly string[]} flags
 * @param {(health: Health) => void} onHealth
 * @returns {Promise<{url: string, stop: () => void, hasEnded: () => boolean}>}
 */
export async function startWatched(flags, onHealth) {
  const child = fork(program, ['--port', '0', '--host', '127.0.0.1', ...flags], {
    execArgv: ['--import', new URL('report-health.js', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.on('message', (message) => onHealth(/** @type {Health} */ (message)));
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
    stop: () => void child.kill(),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}
