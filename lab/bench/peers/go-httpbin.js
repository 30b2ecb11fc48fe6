/** go-httpbin, where its command `go-httpbin` is on the PATH: no package of Debian or npm has it. */

import { spawnSync } from 'node:child_process';
import { Absent } from '../absent.js';

/** @type {import('../harness.js').Program} */
export const goHttpbin = {
  async launch(port) {
    const { error } = spawnSync('go-httpbin', ['-help'], { stdio: 'ignore' });
    if (error !== undefined) throw new Absent('needs the command go-httpbin on the PATH');
    return { command: 'go-httpbin', args: ['-host', '127.0.0.1', '-port', String(port)] };
  },
};
