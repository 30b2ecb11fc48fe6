/**
 * Compares servers that do the same work, in one run: each in a process of its own, loaded turn by
 * turn so that whatever else the machine does hits all of them, judged by the ratio within a turn.
 */

import { execFileSync, execFile as execFileWithCallback } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Absent } from './absent.js';
import { floor } from './floors.js';
import { importPeer } from './import-peer.js';
import { startInProcess, startProgramServer } from './run-server.js';

const execFile = promisify(execFileWithCallback);

/**
 * @typedef {object} BenchRequest
 * @property {string} [method] GET when left out
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {number} [perSandbox] How many go into a sandbox until the next one gets them; all into the
 *   shared one when left out
 */

/**
 * @typedef {object} BenchCase
 * @property {string} name What is asked, such as `GET /api/methods/get`
 * @property {Record<string, BenchRequest>} requests By contender; the first is the one to be judged
 * @property {number} [connections] How many at a time; 50 when left out
 * @property {true} [isRefused] Whether answers are refusals, such as 429
 * @property {(status: number, body: string, contender: string) => void} check Throws when an answer is
 *   not the right one
 */

/**
 * A server that is a program of its own.
 *
 * @typedef {object} Program
 * @property {(port: number) => Promise<{command: string, args: string[], env?: NodeJS.ProcessEnv}>} launch
 *   Throws `Absent` where it is not installed
 * @property {(url: string) => Promise<string>} [prepare] Runs once it answers; gives the address that
 *   is asked
 */

/**
 * Starts a server in the process it is called in, and gives its address without a slash at the end.
 *
 * @typedef {(ourUrl: string) => Promise<string>} Start `ourUrl` is that of the first contender
 */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {Record<string, Start | Program>} contenders The first is this service
 * @property {BenchCase[]} cases
 */

/**
 * @typedef {object} Score
 * @property {string} contender
 * @property {number} requestsPerSecond The median over the turns
 * @property {number} ratio The first contender's requests per second over this one's, the median of turns
 * @property {[number, number]} spread The smallest and the largest ratio of a turn
 * @property {number | null} [processorMicroseconds] What a request cost the server, the median over the turns;
 *   nothing where the system does not tell
 * @property {number | null} [processorRatio] What it cost this server over what it cost the first contender, the
 *   median of turns: below 1 the first contender needs more
 * @property {[number | null, number | null]} [processorSpread] The smallest and the largest of these ratios
 * @property {number} residentMebibytes After the load
 * @property {number} startMs From the start of its process to its first answer
 */

/**
 * @typedef {object} CaseResult
 * @property {string} name
 * @property {Score[]} scores
 * @property {{contender: string, reason: string}[]} absent
 */

const defaultConnections = 50;
const maxStarts = 3;

/**
 * @param {Suite} suite
 * @param {{turns: number, seconds: number}} options `seconds` is the length of one turn of one server
 * @returns {Promise<CaseResult[]>}
 */
export async function runSuite(suite, { turns, seconds }) {
  /** @type {Servers} */
  const servers = {};
  /** @type {CaseResult['absent']} */
  const absent = [];
  try {
    let ourUrl = '';
    for (const [contender, how] of Object.entries(suite.contenders)) {
      try {
        const server = await startRepeatedly(suite.name, contender, how, ourUrl, turns);
        servers[contender] = server;
        ourUrl ||= server.url;
      } catch (error) {
        if (!(error instanceof Absent)) throw error;
        absent.push({ contender, reason: error.message });
      }
    }
    const results = [];
    for (const each of suite.cases) {
      results.push({
        name: each.name,
        scores: await runCase(each, servers, turns, seconds),
        absent: absent.filter(({ contender }) => contender in each.requests),
      });
    }
    return results;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** @typedef {Record<string, import('./run-server.js').Server>} Servers */

/**
 * Starts a server several times, to know how long that takes, and keeps the last.
 *
 * @param {string} suiteName
 * @param {string} contender
 * @param {Start | Program} how
 * @param {string} ourUrl
 * @param {number} turns
 */
async function startRepeatedly(suiteName, contender, how, ourUrl, turns) {
  const starts = Math.min(turns, maxStarts);
  const startMs = [];
  for (let count = 1; ; count++) {
    const server =
      typeof how === 'function'
        ? await startInProcess(suiteName, contender, ourUrl)
        : await startProgramServer(how);
    startMs.push(server.startMs);
    if (count === starts) return { ...server, startMs: median(startMs) };
    await server.stop();
  }
}

/**
 * @param {BenchCase} benchCase
 * @param {Servers} servers
 * @param {number} turns
 * @param {number} seconds
 * @returns {Promise<Score[]>}
 */
async function runCase(benchCase, servers, turns, seconds) {
  const entries = Object.entries(benchCase.requests).flatMap(([contender, request]) => {
    const server = servers[contender];
    return server === undefined ? [] : [{ contender, request, server }];
  });
  /** @type {Record<string, number[]>} */
  const rates = Object.fromEntries(entries.map(({ contender }) => [contender, []]));
  /** @type {Record<string, number[]>} */
  const costs = Object.fromEntries(entries.map(({ contender }) => [contender, []]));
  /** @type {Headers | undefined} */
  let ourHeaders;
  for (const { contender, request, server } of entries) {
    const headers = await checkResponse(benchCase, contender, server.url, request);
    ourHeaders ??= headers;
    if (contender === floor) checkHeaders(benchCase.name, ourHeaders, headers);
    await load(server.url, request, benchCase, Math.min(1, seconds));
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const { contender, request, server } of entries) {
      const { requestsPerSecond, microseconds } = await measure(
        server,
        request,
        benchCase,
        seconds,
      );
      rates[contender]?.push(requestsPerSecond);
      costs[contender]?.push(microseconds);
    }
  }
  const first = entries[0]?.contender ?? '';
  const judged = rates[first] ?? [];
  const judgedCosts = costs[first] ?? [];
  return entries.map(({ contender, server }) => {
    const own = rates[contender] ?? [];
    const ratios = own.map((rate, turn) => (judged[turn] ?? 0) / rate);
    const ownCosts = costs[contender] ?? [];
    const costRatios = ownCosts.map((cost, turn) => cost / (judgedCosts[turn] ?? 0));
    return {
      contender,
      requestsPerSecond: median(own),
      processorMicroseconds: median(ownCosts),
      processorRatio: median(costRatios),
      processorSpread: [Math.min(...costRatios), Math.max(...costRatios)],
      ratio: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      residentMebibytes: server.residentMebibytes(),
      startMs: server.startMs,
    };
  });
}

/**
 * @param {BenchCase} benchCase
 * @param {string} contender
 * @param {string} url
 * @param {BenchRequest} request
 * @returns {Promise<Headers>}
 */
export async function checkResponse(benchCase, contender, url, { path, method, headers, body }) {
  const response = await fetch(url + path, {
    method: method ?? 'GET',
    // As the load asks, rather than as fetch would.
    headers: { 'accept-encoding': 'identity', ...headers },
    ...(body !== undefined && { body }),
  });
  try {
    benchCase.check(response.status, await response.text(), contender);
  } catch (error) {
    throw new Error(`${contender} answers ${benchCase.name} wrongly`, { cause: error });
  }
  return response.headers;
}

/**
 * A floor that sent less than the wire contract asks for would be no floor for this work.
 *
 * @param {string} caseName
 * @param {Headers} ours
 * @param {Headers} theirs
 */
function checkHeaders(caseName, ours, theirs) {
  const missing = [...ours.keys()].filter((name) => !theirs.has(name));
  const added = [...theirs.keys()].filter((name) => !ours.has(name));
  if (missing.length + added.length > 0) {
    const difference = `lacks [${missing.join(', ')}] and adds [${added.join(', ')}]`;
    throw new Error(`The floor of ${caseName} ${difference}`);
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
 * Loads one server, and tells what a request cost it in processor time as well.
 *
 * @param {import('./run-server.js').Server} server
 * @param {BenchRequest} request
 * @param {BenchCase} benchCase
 * @param {number} seconds
 */
export async function measure(server, request, benchCase, seconds) {
  const before = server.processorMs();
  const { requests, requestsPerSecond } = await load(server.url, request, benchCase, seconds);
  const microseconds = ((server.processorMs() - before) * 1000) / requests;
  return { requestsPerSecond, microseconds };
}

/**
 * Asks one server for the same as often as it can.
 *
 * @param {string} url
 * @param {BenchRequest} request
 * @param {Pick<BenchCase, 'connections' | 'isRefused'>} benchCase
 * @param {number} seconds
 * @returns {Promise<{requests: number, requestsPerSecond: number}>}
 */
export function load(url, request, benchCase, seconds) {
  return hasWrk
    ? loadByWrk(url, request, benchCase, seconds)
    : loadByAutocannon(url, request, benchCase, seconds);
}

/** @type {typeof load} */
async function loadByWrk(
  url,
  request,
  { connections = defaultConnections, isRefused: isRejected },
  seconds,
) {
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
    const duration = `${Math.max(1, Math.round(seconds))}s`;
    // A busy machine is no failure.
    const args = [
      '-t1',
      '--timeout',
      '20s',
      `-c${connections}`,
      `-d${duration}`,
      '-s',
      script,
      url + path,
    ];
    const { stdout } = await execFile('wrk', args);
    const rejections = isRejected ? null : /Non-2xx or 3xx responses: \d+/.exec(stdout);
    const failures = rejections ?? /Socket errors: .*/.exec(stdout);
    if (failures) throw new Error(`The load on ${url}${path} met failures: ${failures[0]}`);
    return {
      requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
      requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Names that no load before has used: a sandbox holds only so much.
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

function newSandboxName() {
  return randomUUID().slice(0, 8);
}

/** @param {string} text */
function luaString(text) {
  const escaped = [...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`);
  return `"${escaped.join('')}"`;
}

/** @type {typeof load} */
async function loadByAutocannon(
  url,
  request,
  { connections = defaultConnections, isRefused: isRejected },
  seconds,
) {
  const { method = 'GET', path, headers, body, perSandbox } = request;
  const name = newSandboxName();
  let sent = 0;
  /** @type {(asked: {headers: object}) => object} */
  const intoNextSandbox = (asked) => {
    const sandbox = `${name}-${Math.floor(sent++ / Number(perSandbox))}`;
    return { ...asked, headers: { ...asked.headers, 'x-sandbox': sandbox } };
  };
  const { default: autocannon } = await importPeer('autocannon');
  const result = await autocannon({
    url: url + path,
    method,
    connections,
    duration: Math.max(1, seconds),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(perSandbox !== undefined && { requests: [{ setupRequest: intoNextSandbox }] }),
  });
  const failures = result.errors + (isRejected ? 0 : result.non2xx);
  if (failures > 0) throw new Error(`The load on ${url}${path} met ${failures} failures`);
  return { requests: result.requests.total, requestsPerSecond: result.requests.average };
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
