/**
 * Compares servers that do the same work, in one run: each in a process of its own, loaded turn by
 * turn so that whatever else the machine does hits all of them, judged by the ratio within a turn.
 */

import { execFileSync, execFile as execFileWithCallback, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

const execFile = promisify(execFileWithCallback);

/**
 * @typedef {object} BenchRequest
 * @property {string} [method] GET when left out
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 */

/**
 * @typedef {object} BenchCase
 * @property {string} name What is asked, such as `GET /api/methods/get`
 * @property {Record<string, BenchRequest>} requests By contender; the first is the one to be judged
 * @property {number} [connections] How many at a time; 50 when left out
 * @property {(status: number, body: string) => void} check Throws when an answer is not the right one
 */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {Record<string, () => Promise<string>>} contenders Each starts a server in the process it
 *   is called in, and gives its address without a slash at the end
 * @property {BenchCase[]} cases
 */

/**
 * @typedef {object} Score
 * @property {string} contender
 * @property {number} requestsPerSecond The median over the turns
 * @property {number} ratio The first contender's requests per second over this one's, the median of turns
 * @property {[number, number]} spread The smallest and the largest ratio of a turn
 */

const defaultConnections = 50;

/**
 * @param {Suite} suite
 * @param {{turns: number, seconds: number}} options `seconds` is the length of one turn of one server
 * @returns {Promise<{name: string, scores: Score[]}[]>}
 */
export async function runSuite(suite, { turns, seconds }) {
  /** @type {Record<string, {url: string, stop: () => Promise<void>}>} */
  const servers = {};
  try {
    for (const contender of Object.keys(suite.contenders)) {
      servers[contender] = await startContender(suite.name, contender);
    }
    const results = [];
    for (const each of suite.cases) {
      results.push({ name: each.name, scores: await runCase(each, servers, turns, seconds) });
    }
    return results;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/**
 * @param {BenchCase} benchCase
 * @param {Record<string, {url: string}>} servers
 * @param {number} turns
 * @param {number} seconds
 * @returns {Promise<Score[]>}
 */
async function runCase(benchCase, servers, turns, seconds) {
  const entries = Object.entries(benchCase.requests);
  const connections = benchCase.connections ?? defaultConnections;
  /** @type {Record<string, number[]>} */
  const rates = Object.fromEntries(entries.map(([contender]) => [contender, []]));
  for (const [contender, request] of entries) {
    const url = servers[contender]?.url ?? '';
    await checkAnswer(benchCase, contender, url, request);
    await load(url, request, connections, Math.min(1, seconds));
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const [contender, request] of entries) {
      rates[contender]?.push(
        await load(servers[contender]?.url ?? '', request, connections, seconds),
      );
    }
  }
  const judged = rates[entries[0]?.[0] ?? ''] ?? [];
  return entries.map(([contender]) => {
    const own = rates[contender] ?? [];
    const ratios = own.map((rate, turn) => (judged[turn] ?? 0) / rate);
    return {
      contender,
      requestsPerSecond: median(own),
      ratio: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)],
    };
  });
}

/**
 * @param {BenchCase} benchCase
 * @param {string} contender
 * @param {string} url
 * @param {BenchRequest} request
 */
async function checkAnswer(benchCase, contender, url, { path, method, headers, body }) {
  const answer = await fetch(url + path, {
    method: method ?? 'GET',
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  try {
    benchCase.check(answer.status, await answer.text());
  } catch (error) {
    throw new Error(`${contender} answers ${benchCase.name} wrongly`, { cause: error });
  }
}

const hasWrk = (() => {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // wrk prints its version and exits with 1.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT';
  }
})();

/** The program that makes the load: wrk where it is installed, since it costs least itself. */
export const loadProgram = hasWrk ? 'wrk' : 'autocannon';

/**
 * @param {string} url
 * @param {BenchRequest} request
 * @param {number} connections
 * @param {number} seconds
 * @returns {Promise<number>} requests per second
 */
function load(url, request, connections, seconds) {
  return hasWrk
    ? loadByWrk(url, request, connections, seconds)
    : loadByAutocannon(url, request, connections, seconds);
}

/** @type {typeof load} */
async function loadByWrk(url, { method = 'GET', path, headers = {}, body }, connections, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-bench-'));
  try {
    const script = join(folder, 'request.lua');
    const lines = [
      `wrk.method = ${luaString(method)}`,
      ...Object.entries(headers).map(
        ([name, value]) => `wrk.headers[${luaString(name)}] = ${luaString(value)}`,
      ),
      ...(body === undefined ? [] : [`wrk.body = ${luaString(body)}`]),
    ];
    writeFileSync(script, lines.join('\n'));
    const duration = `${Math.max(1, Math.round(seconds))}s`;
    const args = ['-t1', `-c${connections}`, `-d${duration}`, '-s', script, url + path];
    const { stdout } = await execFile('wrk', args);
    const failures = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
    if (failures) throw new Error(`The load on ${url}${path} met failures: ${failures[0]}`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} text */
function luaString(text) {
  const escaped = [...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`);
  return `"${escaped.join('')}"`;
}

/** @type {typeof load} */
async function loadByAutocannon(url, request, connections, seconds) {
  const { method = 'GET', path, headers, body } = request;
  const result = await autocannon({
    url: url + path,
    method: /** @type {autocannon.Request['method']} */ (method),
    connections,
    duration: Math.max(1, seconds),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`The load on ${url}${path} met ${result.non2xx + result.errors} failures`);
  }
  return result.requests.average;
}

/**
 * @param {string} suiteName
 * @param {string} contender
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
function startContender(suiteName, contender) {
  const child = fork(new URL('contender.js', import.meta.url), [suiteName, contender]);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${contender} ended with ${code}`)));
    child.once('message', (url) => {
      resolve({
        url: String(url),
        stop: async () => {
          child.kill();
          await exited;
        },
      });
    });
  });
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
