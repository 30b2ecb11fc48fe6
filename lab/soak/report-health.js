/**
 * Loaded into the service's process before it (`--import`): tells the parent every second how much
 * memory there is, and how long the event loop was kept from its timers.
 */

import { readFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';

const tickMs = 10;
const reportMs = 1000;

/**
 * @typedef {object} Health
 * @property {number} rssBytes
 * @property {number} heapBytes What was left when the whole heap was last collected; what is used, before the first time
 * @property {number} longestWaitMs How late a timer was at most, whoever had the processor meanwhile
 * @property {number} longestBlockMs The same as far as the thread of the event loop itself used the processor:
 *   what a single piece of work took
 */

let longestWaitMs = 0;
let longestBlockMs = 0;
let tickedAt = performance.now();
let usedMs = ownCpuMs();

setInterval(() => {
  const now = performance.now();
  const lateMs = now - tickedAt - tickMs;
  longestWaitMs = Math.max(longestWaitMs, lateMs);
  longestBlockMs = Math.max(longestBlockMs, Math.min(lateMs, ownCpuMs() - usedMs));
  tickedAt = now;
  usedMs = ownCpuMs();
}, tickMs).unref();

/** @type {number | undefined} */
let leftBytes;

new PerformanceObserver((list) => {
  const isWhole = list
    .getEntries()
    .some((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR);
  if (isWhole) leftBytes = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ['gc'] });

setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  const heapBytes = leftBytes ?? heapUsed;
  /** @type {Health} */
  const health = { rssBytes: rss, heapBytes, longestWaitMs, longestBlockMs };
  process.send?.(health);
  longestWaitMs = 0;
  longestBlockMs = 0;
}, reportMs).unref();

process.channel?.unref();

/** @param {import('node:perf_hooks').PerformanceEntry} entry One of a collection */
function kindOf(entry) {
  return /** @type {import('node:perf_hooks').PerformanceEntry & {detail: {kind: number}}} */ (
    entry
  ).detail.kind;
}

/** Of this thread; of the whole process, whose others compress and sweep, where Linux does not tell. */
function ownCpuMs() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(
      ' ',
    );
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
