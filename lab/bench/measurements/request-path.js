/**
 * Where the time of a request goes, step by step: a profile of the built program under load, each
 * sample counted for the source file it fell into, and shared among the requests.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../harness.js';

const warmUpSeconds = 3;
const profiledSeconds = 5;
/** Steps beside our own files that take less than this of a request's time are added up. */
const shownShare = 0.01;

/** @type {import('../harness.js').BenchRequest[]} */
const requests = [
  { path: '/api/methods/get' },
  { path: '/api/Books/1' },
  {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ book(id: 7) { id title } }"}',
  },
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
 * @param {import('../harness.js').BenchRequest} request
 * @returns {Promise<Map<string, number>>} µs by step
 */
async function profile(request) {
  const script = new URL('../profiled-program.js', import.meta.url);
  const child = fork(script, ['--port', '0', '--host', '127.0.0.1'], { silent: true });
  try {
    const url = await new Promise((resolve, reject) => {
      let output = '';
      child.once('exit', (code) => reject(new Error(`The program ended with ${code}.`)));
      child.stdout?.on('data', (chunk) => {
        output += chunk;
        const found = /Listening on\s+(\S+)/.exec(output);
        if (found) resolve(found[1]);
      });
    });
    await load(url, request, {}, warmUpSeconds);
    child.send('start');
    await once(child, 'message');
    const { requests: served } = await load(url, request, {}, profiledSeconds);
    child.send('stop');
    /** @type {[import('node:inspector').Profiler.Profile]} */
    const [found] = /** @type {any} */ (await once(child, 'message'));
    return stepsOf(found, served);
  } finally {
    child.kill();
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
  // The profiler's own messages count for nothing.
  if (functionName === '(idle)' || functionName === 'dispatch') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === 'writev' || functionName === 'writeUtf8String') return 'writing to sockets';
  if (functionName === '(program)' || functionName === '(root)') return 'native code';
  if (url.startsWith('node:')) return 'Node: HTTP, streams and sockets';
  const [, packageName] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (packageName !== undefined) return packageName;
  if (url === '') return functionName === '' ? 'generated code' : `built in: ${functionName}`;
  return url.includes('/dist/') ? sourceOf(url, lineNumber, columnNumber) : basename(url);
}

/** @type {Map<string, SourceMap>} */
const maps = new Map();

/**
 * @param {string} url
 * @param {number} lineNumber
 * @param {number} columnNumber
 */
function sourceOf(url, lineNumber, columnNumber) {
  const map =
    maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  maps.set(url, map);
  const entry = map.findEntry(lineNumber, columnNumber);
  return 'originalSource' in entry ? entry.originalSource.replace(/^.*?src\//, 'src/') : url;
}
