/** An empty Redis server, from Debian's package `redis-server`. */

import { spawnSync } from 'node:child_process';
import { freePort } from '../../scripts/free-port.js';
import { startProgram } from './start-program.js';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** Starts the server on any free port of the loopback address. */
export async function startRedis() {
  const port = String(await freePort());
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const url = `redis://127.0.0.1:${port}`;
  return startProgram('redis-server', args, { url, probe: 'PING\r\nQUIT\r\n' });
}
