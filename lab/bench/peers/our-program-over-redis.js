/** This service with its state in a Redis server of its own, from Debian's package `redis-server`. */

import { spawnSync } from 'node:child_process';
import { freePort } from '../../../scripts/free-port.js';
import { Absent } from '../absent.js';
import { ourProgramFile } from '../our-program.js';

/**
 * @param {(url: string) => Promise<string>} [prepare] Brings it into the state that is measured
 * @returns {import('../harness.js').Program}
 */
export function ourProgramOverRedis(prepare = async (url) => url) {
  return {
    async launch(port) {
      const { status } = spawnSync('redis-server', ['--version'], { stdio: 'ignore' });
      if (status !== 0) throw new Absent('needs the Debian package redis-server');
      const statePort = await freePort();
      const redis = `redis-server --port ${statePort} --bind 127.0.0.1 --save '' --appendonly no`;
      // Both in one process group, which ends together; the program takes the place of the shell.
      const script = `${redis} >/dev/null & exec "$0" "$@" --state-url redis://127.0.0.1:${statePort}`;
      const program = [process.execPath, ourProgramFile, '--port', String(port)];
      return { command: 'sh', args: ['-c', script, ...program, '--host', '127.0.0.1'] };
    },
    prepare,
  };
}
