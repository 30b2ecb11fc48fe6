/**
 * WireMock and MockServer with one recorded response, if WIREMOCK_JAR and MOCKSERVER_JAR name their programs. The npm
 * packages `wiremock` and `mockserver-node` contain them; the lab does not install these, because they are large.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchOurs } from './floors.js';
import { Absent, startAtPort } from './programs.js';

/**
 * Without the journal of requests, which would grow during the load.
 *
 * @param {string} path
 * @returns {import('./programs.js').Program}
 */
export function wireMock(path) {
  return javaProgram('WIREMOCK_JAR', path, async (folder, ourUrl) => {
    mkdirSync(join(folder, 'mappings'));
    const { text: body } = await fetchOurs(ourUrl, { path });
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    const response = { status: 200, headers, body };
    const mapping = { request: { method: 'GET', urlPath: path }, response };
    writeFileSync(join(folder, 'mappings/one.json'), JSON.stringify(mapping));
    const flags = ['--bind-address', '127.0.0.1', '--disable-banner', '--no-request-journal'];
    return { flags: ['--root-dir', folder, ...flags], portFlag: '--port' };
  });
}

/**
 * @param {string} path
 * @returns {import('./programs.js').Program}
 */
export function mockServer(path) {
  return javaProgram('MOCKSERVER_JAR', path, async (folder, ourUrl) => {
    const { text: body } = await fetchOurs(ourUrl, { path });
    const headers = { 'Content-Type': ['application/json; charset=utf-8'] };
    const httpResponse = { statusCode: 200, headers, body };
    const file = join(folder, 'expectations.json');
    writeFileSync(file, JSON.stringify([{ httpRequest: { method: 'GET', path }, httpResponse }]));
    const settings = {
      initializationJsonPath: file,
      localBoundIP: '127.0.0.1',
      logLevel: 'ERROR',
      directoryToSaveDynamicSSLCertificate: folder,
    };
    const options = Object.entries(settings).map(
      ([name, value]) => `-Dmockserver.${name}=${value}`,
    );
    return { options, flags: [], portFlag: '-serverPort' };
  });
}

/**
 * @param {string} variable Names the program
 * @param {string} path Of the recorded response
 * @param {(folder: string, ourUrl: string) => Promise<{options?: string[], flags: string[], portFlag: string}>} configure
 * @returns {import('./programs.js').Program}
 */
function javaProgram(variable, path, configure) {
  return {
    async start({ ourUrl = '' }) {
      const jar = process.env[variable];
      if (jar === undefined) throw new Absent(`needs ${variable}`);
      if (spawnSync('java', ['-version']).error !== undefined) throw new Absent('needs Java');
      const folder = mkdtempSync(join(tmpdir(), 'practice-api-bench-java-'));
      process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      const { options = [], flags, portFlag } = await configure(folder, ourUrl);
      const args = [...options, '-jar', jar, ...flags, portFlag];
      return startAtPort('java', (port) => [...args, port], path);
    },
  };
}
