/**
 * Python's httpbin under gunicorn, its usual server, from Debian's packages `python3-httpbin` and
 * `gunicorn`. One worker, since each of the other servers has one process as well.
 */

import { spawnSync } from 'node:child_process';
import { Absent } from '../absent.js';

const application = 'httpbin:app';

/** @type {import('../harness.js').Program} */
export const httpbin = {
  async launch(port) {
    const { status } = spawnSync('gunicorn', ['--check-config', application], { stdio: 'ignore' });
    if (status !== 0) throw new Absent('needs the Debian packages python3-httpbin and gunicorn');
    return {
      command: 'gunicorn',
      args: [
        '--bind',
        `127.0.0.1:${port}`,
        '--workers',
        '1',
        '--log-level',
        'warning',
        application,
      ],
    };
  },
};
