/** Starts the programs whose clients retry: in Node, Python, Go and Java. */

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const jars = ['httpclient5', 'httpcore5', 'httpcore5-h2', 'slf4j-api', 'slf4j-nop'];
const classPath = jars.map((name) => `/usr/share/java/${name}.jar`).join(':');

/** Libraries for Node. `test/node_modules` has them, except curl. */
const inNode = ['axios-retry', 'got', 'ky', 'undici', 'p-retry', 'curl'];
const inPython = ['urllib3', 'tenacity', 'backoff'];

/**
 * Returns the command of the program that has the clients of a library.
 *
 * @param {string} library
 * @param {{folder: string, python: string}} places `folder` has the program in Go.
 * @returns {readonly [string, ...string[]]}
 */
export function retryingProgram(library, { folder, python }) {
  if (inNode.includes(library)) return [process.execPath, script('retrying.mjs')];
  if (inPython.includes(library)) return [python, script('retrying.py'), library];
  if (library === 'go-retryablehttp') return [join(folder, 'retrying')];
  return ['java', '-cp', classPath, script('Retrying.java')];
}

/** @param {string} folder */
export async function buildGoProgram(folder) {
  mkdirSync(folder, { recursive: true });
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') };
  const args = ['build', '-o', join(folder, 'retrying'), script('retrying.go')];
  await promisify(execFile)('go', args, { env: { ...process.env, ...go } });
}

/** @typedef {{client: string, method: string, url: string, sandbox: string, key: string, body: string}} RetryingCall */

/**
 * Makes calls concurrently, and returns the lines that the program prints: the status of each call,
 * and perhaps a remark.
 *
 * @param {readonly [string, ...string[]]} program
 * @param {readonly RetryingCall[]} calls
 * @param {AbortSignal} [signal] Ends the program
 * @returns {Promise<string[]>}
 */
export function runRetrying([command, ...args], calls, signal) {
  const lines = calls.map(({ client, method, url, sandbox, key, body }) =>
    [client, method, url, sandbox, key, body].join('\t'),
  );
  return new Promise((resolve, reject) => {
    const options = { timeout: 50_000, ...(signal && { signal }) };
    const child = execFile(command, args, options, (error, output) => {
      if (error) reject(error);
      else resolve(output.trim().split('\n'));
    });
    child.stdin?.end(lines.join('\n'));
  });
}
