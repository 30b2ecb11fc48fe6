/**
 * Preloaded into a service (`--import`): reports its memory, and how long its event loop was
 * blocked, to the parent process, every second and after each block. Begins when the parent sends a
 * message: loading the modules is one turn of 150 to 350 ms, before the service listens.
 */

import { constants, PerformanceObserver } from 'node:perf_hooks';
import { scheduleOf } from './process-figures.js';

const tickMs = 5;
const reportMs = 1000;
const blockMs = 25;

/**
 * @typedef {object} Health
 * @property {number} rssBytes
 * @property {number} heapBytes The heap after its last full collection; before the first one, the heap in use
 * @property {number} longestWaitMs The longest delay of a timer since the last report, whatever the processor did meanwhile
 * @property {number} longestBlockMs The most processor time that the main thread used between two ticks
 */

let longestWaitMs = 0;
let longestBlockMs = 0;
/** @type {number | undefined} */
let collectedBytes;
let tickedAt = performance.now();
let usedMs = mainThreadMs();

function tick() {
  const [now, nowUsedMs] = [performance.now(), mainThreadMs()];
  longestWaitMs = Math.max(longestWaitMs, now - tickedAt - tickMs);
  longestBlockMs = Math.max(longestBlockMs, nowUsedMs - usedMs);
  [tickedAt, usedMs] = [now, nowUsedMs];
  if (longestBlockMs > blockMs) report();
}

function report() {
  const { rss, heapUsed } = process.memoryUsage();
  /** @type {Health} */
  const health = {
    rssBytes: rss,
    heapBytes: collectedBytes ?? heapUsed,
    longestWaitMs,
    longestBlockMs,
  };
  process.send?.(health);
  longestWaitMs = 0;
  longestBlockMs = 0;
}

process.once('message', () => {
  [tickedAt, usedMs] = [performance.now(), mainThreadMs()];
  setInterval(tick, tickMs).unref();
  setInterval(report, reportMs).unref();
});
process.channel?.unref();

new PerformanceObserver((list) => {
  const isFull = list.getEntries().some((entry) => {
    const { detail } = /** @type {{detail: {kind: number}}} */ (/** @type {unknown} */ (entry));
    return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  });
  if (isFull) collectedBytes = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ['gc'] });

/** Returns the processor time of this thread; on systems other than Linux, of the whole process. */
function mainThreadMs() {
  const { ranMs } = scheduleOf(process.pid);
  const { user, system } = process.cpuUsage();
  return Number.isNaN(ranMs) ? (user + system) / 1000 : ranMs;
}
