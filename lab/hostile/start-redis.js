/** A Redis server for one attack, from Debian's package `redis-server`. */

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.js';

/** Starts it on any free port of 127.0.0.1, and resolves once it accepts connections. */
export async function startRedis() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  while (!(await accepts(port))) await sleep(10);
  return { url: `redis://127.0.0.1:${port}`, stop };
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
