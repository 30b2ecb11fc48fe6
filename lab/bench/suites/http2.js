/**
 * Reads a record over HTTP/2 without TLS and over HTTP/1.1, with the same number of concurrent
 * requests.
 */

import { spawnSync } from 'node:child_process';
import { isJson } from '../cases.js';
import { recordsOf } from '../floors.js';
import { Absent, ourProgram } from '../programs.js';

const http2 = 'practice-api over HTTP/2';
const http1 = 'practice-api over HTTP/1.1';
const path = '/api/Events/1';

/** @type {import('../programs.js').Program} */
const bothProtocols = {
  isOurs: true,
  start(options) {
    if (spawnSync('h2load', ['--version']).error !== undefined)
      throw new Absent('needs the Debian package nghttp2-client');
    return ourProgram(['--h2c']).start(options);
  },
};

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: { [http2]: bothProtocols, [http1]: bothProtocols },
  cases: [
    {
      name: `GET ${path}`,
      requests: { [http2]: { path, protocol: 'h2' }, [http1]: { path, protocol: 'h1' } },
      check: isJson(recordsOf('events')[0]),
    },
  ],
};
