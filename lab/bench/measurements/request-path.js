/**
 * Where the time of a request is spent, step by step: a profile of the built program under load, each sample counted for
 * the source file that it is from, and divided by the number of requests.
 */

import { ownerOf } from '../../harness/code-owner.js';
import { inspect, inspected } from '../../harness/inspect.js';
import { measure as measureLoad } from '../../harness/load.js';
import { startService } from '../../harness/start-program.js';
import { sendJson } from '../cases.js';

const warmUpSeconds = 3;
const profiledSeconds = 5;
const samplingMicroseconds = 200;
/** Steps outside of our own files that take less than this share are added up. */
const shownShare = 0.01;

/** @type {import('../../harness/load.js').LoadRequest[]} */
const requests = [
  { path: '/api/methods/get' },
  { path: '/api/Books/1' },
  sendJson('POST', '/graphql', { query: '{ book(id: 7) { id title } }' }),
];

export const about = `profiles of the program under load for ${profiledSeconds} s, in µs of processor time for each request`;

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  /** @type {[string, string][]} */
  const rows = [];
  for (const request of requests) {
    const name = `${request.method ?? 'GET'} ${request.path}`;
    const steps = [...(await profile(request))].sort(([, a], [, b]) => b - a);
    const total = steps.reduce((sum, [, microseconds]) => sum + microseconds, 0);
    const shown = steps.filter(
      ([step, microseconds]) => step.startsWith('src/') || microseconds >= total * shownShare,
    );
    const rest = shown.reduce((left, [, microseconds]) => left - microseconds, total);
    rows.push([`**${name}**`, total.toFixed(2)]);
    for (const [step, microseconds] of [...shown, /** @type {const} */ (['all other', rest])]) {
      rows.push([step, microseconds.toFixed(2)]);
    }
  }
  return rows;
}

/**
 * @param {import('../../harness/load.js').LoadRequest} request
 * @returns {Promise<Map<string, number>>} µs by step
 */
async function profile(request) {
  const service = await startService([], { preload: inspected });
  try {
    await inspect(service, 'Profiler.enable');
    await inspect(service, 'Profiler.setSamplingInterval', { interval: samplingMicroseconds });
    await measureLoad(service, request, { seconds: warmUpSeconds });
    await inspect(service, 'Profiler.start');
    const { requests: served } = await measureLoad(service, request, { seconds: profiledSeconds });
    const { profile: found } = await inspect(service, 'Profiler.stop');
    return stepsOf(found, served);
  } finally {
    await service.stop();
  }
}

/**
 * @param {import('node:inspector').Profiler.Profile} profile
 * @param {number} requestCount
 */
function stepsOf({ nodes, samples = [], timeDeltas = [] }, requestCount) {
  const stepById = new Map(nodes.map(({ id, callFrame }) => [id, stepOf(callFrame)]));
  /** @type {Map<string, number>} */
  const steps = new Map();
  for (const [index, id] of samples.entries()) {
    const step = stepById.get(id);
    if (step === undefined) continue;
    const microseconds = (timeDeltas[index] ?? 0) / requestCount;
    steps.set(step, (steps.get(step) ?? 0) + microseconds);
  }
  return steps;
}

/**
 * @param {import('node:inspector').Runtime.CallFrame} frame
 * @returns {string | undefined} `undefined` for time without work
 */
function stepOf({ functionName, url, lineNumber, columnNumber }) {
  // The messages of the profiler itself do not count.
  if (functionName === '(idle)' || functionName === 'dispatch') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === 'writev' || functionName === 'writeUtf8String') return 'writing to sockets';
  if (functionName === '(program)' || functionName === '(root)') return 'native code';
  if (url === '') return functionName === '' ? 'generated code' : `built in: ${functionName}`;
  const owner = ownerOf(url, lineNumber, columnNumber) ?? url;
  return owner === 'Node' ? 'Node: HTTP, streams and sockets' : owner;
}
