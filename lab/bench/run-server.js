/** Servers in processes of their own, which end with the benchmark whatever happens. */

import { fork, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.js';
import { processorMs, residentMebibytes } from './process-figures.js';

/**
 * @typedef {object} Server
 * @property {string} url What is asked, without a slash at the end
 * @property {number} startMs From the start of its process to its first answer, whatever that is
 * @property {() => number} residentMebibytes
 * @property {() => number} processorMs
 * @property {() => Promise<void>} stop
 */

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;
const retryMs = 5;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) kill(child, 'SIGKILL');
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => process.exit(1));
}

/**
 * Starts a function of a suite in a process of its own.
 *
 * @param {string} suiteName
 * @param {string} contender
 * @param {string} ourUrl
 * @returns {Promise<Server>}
 */
export async function startInProcess(suiteName, contender, ourUrl) {
  const startedAt = performance.now();
  const script = new URL('contender.js', import.meta.url);
  const child = fork(script, [suiteName, contender, ourUrl], { detached: true });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${contender} ended with ${code}`)));
    child.once('message', resolve);
  });
  return serverOf(child, String(url), startedAt);
}

/**
 * Starts a program that listens on a port that it is told.
 *
 * @param {import('./harness.js').Program} program
 * @returns {Promise<Server>}
 */
export async function startProgramServer({ launch, prepare }) {
  const port = await freePort();
  const { command, args, env } = await launch(port);
  const startedAt = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    env: { ...process.env, ...env },
  });
  child.once('error', () => {});
  const server = await serverOf(child, `http://127.0.0.1:${port}`, startedAt);
  try {
    return { ...server, url: prepare === undefined ? server.url : await prepare(server.url) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child The leader of a process group
 * @param {string} url
 * @param {number} startedAt
 * @returns {Promise<Server>}
 */
async function serverOf(child, url, startedAt) {
  running.add(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  exited.then(() => running.delete(child));
  const stop = async () => {
    kill(child, 'SIGTERM');
    const isGone = await Promise.race([exited.then(() => true), sleep(stopTimeoutMs, false)]);
    if (!isGone) kill(child, 'SIGKILL');
  };
  while (!(await responses(url))) {
    const isLate = performance.now() - startedAt > startTimeoutMs;
    if (child.exitCode !== null || child.pid === undefined || isLate) {
      await stop();
      throw new Error(`${child.spawnfile} ${child.spawnargs.slice(1).join(' ')} gave no answer`);
    }
    await sleep(retryMs);
  }
  const startMs = performance.now() - startedAt;
  return {
    url,
    startMs,
    residentMebibytes: () => residentMebibytes(Number(child.pid)),
    processorMs: () => processorMs(Number(child.pid)),
    stop,
  };
}

/**
 * Ends a process and all that it started.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function kill({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It is gone.
  }
}

/**
 * Whether anything is answered to a request, by the least that is an HTTP client, so that the time
 * is that of the server.
 *
 * @param {string} url
 * @returns {Promise<boolean>}
 */
function responses(url) {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`GET /nothing HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
