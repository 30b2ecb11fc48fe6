/**
 * Loaded into the service's process before it (`--import`): tells the parent every second how much
 * memory there is, and how long the event loop was kept from its timers.
 */

const tickMs = 10;
const reportMs = 1000;

/**
 * @typedef {object} Health
 * @property {number} rssBytes
 * @property {number} heapBytes
 * @property {number} longestWaitMs How late a timer was at most, whoever had the processor meanwhile
 * @property {number} longestBlockMs The same as far as this process itself used the processor: what a
 *   single piece of work took
 */

let longestWaitMs = 0;
let longestBlockMs = 0;
let tickedAt = performance.now();
let used = process.cpuUsage();

setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(used);
  const lateMs = now - tickedAt - tickMs;
  longestWaitMs = Math.max(longestWaitMs, lateMs);
  longestBlockMs = Math.max(longestBlockMs, Math.min(lateMs, (user + system) / 1000));
  tickedAt = now;
  used = process.cpuUsage();
}, tickMs).unref();

setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  /** @type {Health} */
  const health = { rssBytes: rss, heapBytes: heapUsed, longestWaitMs, longestBlockMs };
  process.send?.(health);
  longestWaitMs = 0;
  longestBlockMs = 0;
}, reportMs).unref();

process.channel?.unref();
