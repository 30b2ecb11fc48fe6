/** The most expensive body that the service accepts, and how long this machine needs for it at the moment. */

/** Slowest to parse and to write: 30,000 objects of as many shapes. */
export const dearestBody = JSON.stringify(
  Array.from({ length: 30_000 }, (_, index) => ({ [`n${index}`]: 'ž"\\' })),
);

/**
 * Returns the processor time that this process needs to parse and write the body, in milliseconds. Other processes slow the
 * processor down, since they share its caches and cores.
 */
export function referenceMs() {
  const beganAt = process.cpuUsage();
  JSON.stringify(JSON.parse(dearestBody));
  return process.cpuUsage(beganAt).user / 1000;
}

/**
 * Returns how long a block of the event loop may be while other processes work, in processor time. They share the caches and
 * the cores, so the same work needs up to three times as much; the reference work, 35 to 70 ms on an idle machine, as well.
 *
 * @param {number} reference What the reference work needed meanwhile
 */
export const longestBusyBlockMs = (reference) => Math.max(500, reference * 8);
