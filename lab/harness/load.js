/** Sends the same request as often as possible, with wrk, autocannon or h2load. */

import { execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { importPeer } from './peers.js';

const execFile = promisify(execFileWithCallback);

/**
 * @typedef {object} LoadRequest
 * @property {string} [method] GET by default
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {number} [perSandbox] How many are sent to a sandbox before the next one; without it, all go to the shared one
 * @property {'h1' | 'h2'} [protocol] HTTP/1.1 or HTTP/2, both without TLS and by h2load
 *
 * @typedef {object} LoadOptions
 * @property {number} seconds
 * @property {true | undefined} [isRejected] Whether the responses are errors, such as 429
 *
 * @typedef {{requests: number, requestsPerSecond: number}} LoadResult
 */

const connections = 50;

/** wrk is preferred if it is installed, because it needs the fewest resources. */
export const loadProgram = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/** @param {LoadRequest | undefined} request */
export const loadProgramFor = (request) => (request?.protocol ? 'h2load' : loadProgram);

/**
 * Loads a server, and returns the processor time of a request as well.
 *
 * @param {Pick<import('./start-program.js').RunningProgram, 'url' | 'processorMs'>} server
 * @param {LoadRequest} request
 * @param {LoadOptions} options
 */
export async function measure(server, request, options) {
  const before = server.processorMs();
  const result = await loaders[loadProgramFor(request)](server.url, request, options);
  return { ...result, microseconds: ((server.processorMs() - before) * 1000) / result.requests };
}

/**
 * @param {string} url
 * @param {LoadRequest} request
 * @param {LoadOptions} options
 * @returns {Promise<LoadResult>}
 */
async function byWrk(url, request, { seconds, isRejected }) {
  const { method = 'GET', path, headers = {}, body, perSandbox } = request;
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-bench-'));
  try {
    const script = join(folder, 'request.lua');
    const lines = [
      `wrk.method = ${luaString(method)}`,
      ...Object.entries(headers).map(
        ([name, value]) => `wrk.headers[${luaString(name)}] = ${luaString(value)}`,
      ),
      ...(body === undefined ? [] : [`wrk.body = ${luaString(body)}`]),
      ...(perSandbox === undefined ? [] : [changingSandbox(perSandbox)]),
    ];
    writeFileSync(script, lines.join('\n'));
    // A timeout on a busy machine is not a failure.
    const args = ['-t1', '--timeout', '20s', `-c${connections}`, `-d${wholeSeconds(seconds)}s`];
    const { stdout } = await execFile('wrk', [...args, '-s', script, url + path]);
    const errors = isRejected ? null : /Non-2xx or 3xx responses: \d+/.exec(stdout);
    const failures = errors ?? /Socket errors: .*/.exec(stdout);
    if (failures) throw new Error(`The load on ${url}${path} failed: ${failures[0]}`);
    return {
      requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
      requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Makes new sandbox names for each load, because a sandbox has a limited size.
 *
 * @param {number} perSandbox
 */
function changingSandbox(perSandbox) {
  return `
    local sent = 0
    request = function()
      wrk.headers["x-sandbox"] = "${newSandboxName()}-" .. math.floor(sent / ${perSandbox})
      sent = sent + 1
      return wrk.format()
    end`;
}

const newSandboxName = () => randomUUID().slice(0, 8);

/** @param {string} text */
function luaString(text) {
  const escaped = [...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`);
  return `"${escaped.join('')}"`;
}

/** @type {typeof byWrk} */
async function byAutocannon(url, request, { seconds, isRejected }) {
  const { method = 'GET', path, headers, body, perSandbox } = request;
  const name = newSandboxName();
  let sent = 0;
  /** @type {(request: {headers: object}) => object} */
  const intoNextSandbox = (next) => {
    const sandbox = `${name}-${Math.floor(sent++ / Number(perSandbox))}`;
    return { ...next, headers: { ...next.headers, 'x-sandbox': sandbox } };
  };
  const { default: autocannon } = await importPeer('autocannon');
  const result = await autocannon({
    url: url + path,
    method,
    connections,
    duration: wholeSeconds(seconds),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(perSandbox !== undefined && { requests: [{ setupRequest: intoNextSandbox }] }),
  });
  const failures = result.errors + (isRejected ? 0 : result.non2xx);
  if (failures > 0) throw new Error(`The load on ${url}${path} failed ${failures} times`);
  return { requests: result.requests.total, requestsPerSecond: result.requests.average };
}

/** @type {typeof byWrk} */
async function byH2load(url, { path, headers = {}, protocol }, { seconds }) {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const streams = 5;
  const clients =
    protocol === 'h2' ? ['-c', connections / streams, '-m', streams] : ['--h1', '-c', connections];
  const args = [...clients, '-D', wholeSeconds(seconds), ...fields, url + path];
  const { stdout } = await execFile('h2load', args.map(String));
  const [, requests, errors] = /status codes: (\d+) 2xx, 0 3xx, (.*)/.exec(stdout) ?? [];
  if (errors !== '0 4xx, 0 5xx') throw new Error(`The load on ${url}${path} failed:\n${stdout}`);
  return { requests: Number(requests), requestsPerSecond: Number(requests) / seconds };
}

const loaders = { wrk: byWrk, autocannon: byAutocannon, h2load: byH2load };

/** @param {number} seconds */
const wholeSeconds = (seconds) => Math.max(1, Math.round(seconds));
