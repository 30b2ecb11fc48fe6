/**
 * Compares servers that do the same work. Each runs in a separate process, they are loaded in turns
 * so that other work on the machine affects all of them, and they are compared by the ratio within
 * a turn.
 */

import { fileURLToPath } from 'node:url';
import { measure } from '../harness/load.js';
import { startProgram } from '../harness/start-program.js';
import { median, spreadOf } from '../harness/statistics.js';
import { floor } from './floors.js';
import { Absent } from './programs.js';

/**
 * @typedef {import('../harness/load.js').LoadRequest} LoadRequest
 * @typedef {import('../harness/start-program.js').RunningProgram} RunningProgram
 *
 * @typedef {object} BenchCase
 * @property {string} name Such as `GET /api/methods/get`
 * @property {Record<string, LoadRequest>} requests By contender; the first is judged against the others
 * @property {true} [isRejected] Whether the responses are errors, such as 429
 * @property {(status: number, body: string, contender: string) => void} check Throws when a response is wrong
 *
 * @typedef {(ourUrl: string) => Promise<string>} Start Starts a server in the current process, and returns its URL
 *   without a slash at the end; `ourUrl` is the URL of the first contender
 *
 * @typedef {object} Suite
 * @property {Record<string, Start | import('./programs.js').Program>} contenders The first is this service
 * @property {BenchCase[]} cases
 *
 * @typedef {object} Score
 * @property {string} contender
 * @property {number} requestsPerSecond The median over the turns
 * @property {number} ratio The first contender's requests per second over this one's, the median of turns
 * @property {[number, number]} spread The smallest and the largest ratio of a turn
 * @property {number | null} [processorMicroseconds] The processor time of a request, the median over the turns; null
 *   where the system does not report it
 * @property {number | null} [processorRatio] This server's processor time over the first contender's, the median of
 *   turns: below 1 the first contender needs more
 * @property {[number | null, number | null]} [processorSpread] The smallest and the largest of these ratios
 * @property {number} residentMebibytes After the load
 * @property {number} startMs From the start of its process to its first response
 *
 * @typedef {object} CaseResult
 * @property {string} name
 * @property {Score[]} scores
 * @property {{contender: string, reason: string}[]} absent
 */

const maxStarts = 3;
const contenderScript = fileURLToPath(new URL('contender.js', import.meta.url));

/**
 * @param {string} name The file of the suite, without its ending
 * @returns {Promise<Suite>}
 */
export async function loadSuite(name) {
  const { suite } = await import(`./suites/${name}.js`);
  return suite;
}

/**
 * @param {string} name
 * @param {Suite} suite
 * @param {{turns: number, seconds: number}} options `seconds` is the length of one turn of one server
 * @returns {Promise<CaseResult[]>}
 */
export async function runSuite(name, suite, { turns, seconds }) {
  /** @type {Map<string, RunningProgram>} */
  const servers = new Map();
  /** @type {CaseResult['absent']} */
  const absent = [];
  try {
    for (const [contender, program] of Object.entries(suite.contenders)) {
      const [{ url: ourUrl } = { url: '' }] = servers.values();
      const start = () =>
        typeof program === 'object'
          ? program.start({ ourUrl })
          : startProgram(process.execPath, [contenderScript, name, contender, ourUrl]);
      try {
        servers.set(contender, await startRepeatedly(start, Math.min(turns, maxStarts)));
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
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}

/**
 * Starts a server several times to measure its start, and keeps the last process.
 *
 * @param {() => Promise<RunningProgram>} start
 * @param {number} starts
 */
async function startRepeatedly(start, starts) {
  const startMs = [];
  for (let count = 1; ; count++) {
    const server = await start();
    startMs.push(server.startMs);
    if (count >= starts) return { ...server, startMs: median(startMs) };
    await server.stop();
  }
}

/**
 * @param {BenchCase} benchCase
 * @param {ReadonlyMap<string, RunningProgram>} servers
 * @param {number} turns
 * @param {number} seconds
 * @returns {Promise<Score[]>}
 */
async function runCase(benchCase, servers, turns, seconds) {
  const entries = Object.entries(benchCase.requests).flatMap(([contender, request]) => {
    const server = servers.get(contender);
    /** @type {Awaited<ReturnType<typeof measure>>[]} */
    const figures = [];
    return server === undefined ? [] : [{ contender, request, server, figures }];
  });
  const options = { seconds, isRejected: benchCase.isRejected };
  /** @type {Headers | undefined} */
  let ourHeaders;
  for (const { contender, request, server } of entries) {
    const headers = await checkResponse(benchCase, contender, server.url, request);
    ourHeaders ??= headers;
    if (contender === floor) checkHeaders(benchCase.name, ourHeaders, headers);
    await measure(server, request, { ...options, seconds: 1 });
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const { request, server, figures } of entries)
      figures.push(await measure(server, request, options));
  }
  return entries.map(({ contender, server, figures }) => {
    const first = entries[0]?.figures ?? [];
    const ratios = spreadOf(
      figures.map(
        ({ requestsPerSecond }, turn) => (first[turn]?.requestsPerSecond ?? 0) / requestsPerSecond,
      ),
    );
    const costRatios = spreadOf(
      figures.map(({ microseconds }, turn) => microseconds / (first[turn]?.microseconds ?? 0)),
    );
    return {
      contender,
      requestsPerSecond: median(figures.map(({ requestsPerSecond }) => requestsPerSecond)),
      processorMicroseconds: median(figures.map(({ microseconds }) => microseconds)),
      processorRatio: costRatios.median,
      processorSpread: [costRatios.least, costRatios.most],
      ratio: ratios.median,
      spread: [ratios.least, ratios.most],
      residentMebibytes: server.residentMebibytes(),
      startMs: server.startMs,
    };
  });
}

/**
 * @param {BenchCase} benchCase
 * @param {string} contender
 * @param {string} url
 * @param {LoadRequest} request
 * @returns {Promise<Headers>}
 */
export async function checkResponse(benchCase, contender, url, { path, method, headers, body }) {
  const response = await fetch(url + path, {
    method: method ?? 'GET',
    // Sent like the load programs, not like fetch.
    headers: { 'accept-encoding': 'identity', ...headers },
    ...(body !== undefined && { body }),
  });
  try {
    benchCase.check(response.status, await response.text(), contender);
  } catch (error) {
    throw new Error(`${contender} has a wrong response to ${benchCase.name}`, { cause: error });
  }
  return response.headers;
}

/**
 * Checks that a floor sends all headers of this service, because fewer would be less work.
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
