/** Judges the health of the service during a soak. */

import { longestBusyBlockMs } from '../harness/reference-work.js';
import { quantile } from '../harness/statistics.js';

/**
 * @typedef {import('../harness/report-health.js').Health & {atMs: number}} HealthSample
 *
 * @typedef {object} LatencySample
 * @property {number} atMs
 * @property {number} ms
 *
 * @typedef {object} SoakVerdict
 * @property {string[][]} rows
 * @property {string[][]} minutes
 * @property {string[]} complaints
 */

/** Share of the time in which caches, sandboxes and windows fill up. */
const warmUpShare = 0.4;

/** A shorter time shows noise, and is for trying the tool, on any machine. */
const shortestGrowthMs = 120_000;

/** Maximum growth of a line through all samples after the warm-up. */
const maxGrowth = 0.1;

/**
 * Maximum ratio of the latencies of the later and the earlier half, beyond a millisecond of noise.
 */
const maxCreep = 1.25;

/** On a machine of normal speed. */
const usualBlockMs = 100;

/** Maximum ratio of a block to the time of a separate process for the most expensive body. */
const maxBlockRatio = 2;

/** Everything that fills up during the warm-up, and all that callers can make the service hold. */
const maxBytes = 768 * 1024 * 1024;
const minuteMs = 60_000;
const mebibyte = 1024 * 1024;

/**
 * @param {object} samples
 * @param {readonly HealthSample[]} samples.health
 * @param {readonly LatencySample[]} samples.latencies
 * @param {readonly number[]} samples.dearestMs Times that this process needed meanwhile to parse and write the most
 *   expensive body that the service accepts
 * @param {number} samples.durationMs
 * @returns {SoakVerdict}
 */
export function judgeSoak({ health, latencies, dearestMs, durationMs }) {
  const warmMs = durationMs * warmUpShare;
  const warm = health.filter(({ atMs }) => atMs >= warmMs);
  const windows = windowsOf(warm);
  const heapGrowth = growthOf(windows.map(({ atMs, heapBytes }) => [atMs, heapBytes]));
  const memoryGrowth = growthOf(warm.map(({ atMs, rssBytes }) => [atMs, rssBytes]));
  const middleMs = (warmMs + durationMs) / 2;
  const earlier = latencies.filter(({ atMs }) => atMs >= warmMs && atMs < middleMs);
  const later = latencies.filter(({ atMs }) => atMs >= middleMs);
  const longestBlockMs = Math.max(0, ...health.map((sample) => sample.longestBlockMs));
  const longestWaitMs = Math.max(0, ...health.map((sample) => sample.longestWaitMs));

  /** @type {string[]} */
  const complaints = [];
  const isLong = durationMs >= shortestGrowthMs;
  if (isLong && memoryGrowth > maxGrowth)
    complaints.push(`memory grew by ${percent(memoryGrowth)}`);
  if (isLong && heapGrowth > maxGrowth) complaints.push(`the heap grew by ${percent(heapGrowth)}`);
  const latencyRows = [0.5, 0.99].map((share) => {
    const [before, after] = [latencyAt(earlier, share), latencyAt(later, share)];
    const [from, to] = [milliseconds(before), milliseconds(after)];
    const name = `p${share * 100}`;
    if (isLong && after > before * maxCreep + 1)
      complaints.push(`${name} crept from ${from} to ${to}`);
    return [`${name} of ordinary callers, earlier and later half`, `${from}, ${to}`];
  });
  const dearest = quantile(dearestMs, 0.5) ?? 0;
  const maxBlockMs = isLong
    ? Math.max(usualBlockMs, dearest * maxBlockRatio)
    : longestBusyBlockMs(dearest);
  if (longestBlockMs > maxBlockMs) {
    complaints.push(`the event loop was blocked for ${milliseconds(longestBlockMs)}`);
  }

  const most = Math.max(0, ...health.map(({ rssBytes }) => rssBytes));
  if (most > maxBytes) complaints.push(`memory reached ${mebibytes(most)} MiB`);
  return {
    complaints,
    rows: [
      ['memory at most (RSS)', `${mebibytes(most)} MiB`],
      ['growth of memory after the warm-up', percent(memoryGrowth)],
      ['growth of the heap after the warm-up', percent(heapGrowth)],
      ...latencyRows,
      ['longest block of the event loop', milliseconds(longestBlockMs)],
      ['parsing and writing the most expensive body in a separate process', milliseconds(dearest)],
      ['longest wait of the event loop, other processes included', milliseconds(longestWaitMs)],
    ],
    minutes: minutesOf(health, latencies, durationMs),
  };
}

/**
 * @param {readonly HealthSample[]} health
 * @param {readonly LatencySample[]} latencies
 * @param {number} durationMs
 */
function minutesOf(health, latencies, durationMs) {
  return Array.from({ length: Math.ceil(durationMs / minuteMs) }, (_, minute) => {
    /** @param {{atMs: number}} sample */
    const isIn = ({ atMs }) => Math.floor(atMs / minuteMs) === minute;
    const own = health.filter(isIn);
    const waits = latencies.filter(isIn);
    return [
      String(minute + 1),
      milliseconds(latencyAt(waits, 0.5)),
      milliseconds(latencyAt(waits, 0.99)),
      `${mebibytes(Math.max(0, ...own.map(({ rssBytes }) => rssBytes)))} MiB`,
      `${mebibytes(Math.min(...own.map(({ heapBytes }) => heapBytes)))} MiB`,
      milliseconds(Math.max(0, ...own.map(({ longestBlockMs }) => longestBlockMs))),
    ];
  });
}

/**
 * Returns the smallest heap of each ten seconds, which is close to the heap after a collection.
 *
 * @param {readonly HealthSample[]} samples
 */
function windowsOf(samples) {
  /** @type {Map<number, HealthSample>} */
  const least = new Map();
  for (const sample of samples) {
    const window = Math.floor(sample.atMs / 10_000);
    const known = least.get(window);
    if (known === undefined || sample.heapBytes < known.heapBytes) least.set(window, sample);
  }
  return [...least.values()];
}

/**
 * Returns how much a line through the points rises from the first to the last, as a share of its
 * beginning; 0 if there are
 * too few points.
 *
 * @param {readonly (readonly [x: number, y: number])[]} points
 */
function growthOf(points) {
  const count = points.length;
  if (count < 3) return 0;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = covariance / variance;
  const [firstX = 0] = points[0] ?? [];
  const [lastX = 0] = points.at(-1) ?? [];
  const begin = meanY + slope * (firstX - meanX);
  return (slope * (lastX - firstX)) / begin;
}

/**
 * @param {readonly LatencySample[]} samples
 * @param {number} share
 */
const latencyAt = (samples, share) =>
  quantile(
    samples.map(({ ms }) => ms),
    share,
  ) ?? 0;

/** @param {number} bytes */
const mebibytes = (bytes) => (Number.isFinite(bytes) ? Math.round(bytes / mebibyte) : 0);

/** @param {number} ms */
const milliseconds = (ms) => `${ms.toFixed(1)} ms`;

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`;
