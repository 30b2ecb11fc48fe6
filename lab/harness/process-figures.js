/** Resource use of running processes, as Linux reports it; on other systems the figures are NaN. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Returns the resident memory of a process and its descendants, in MiB; shared pages count for
 * each.
 *
 * @param {number} pid
 */
export const residentMebibytes = (pid) => sumOver(pid, (each) => memoryOf(each, 'VmRSS'));

/**
 * Returns the highest resident memory since the start, or since `resetPeak`.
 *
 * @param {number} pid
 */
export const peakMebibytes = (pid) => sumOver(pid, (each) => memoryOf(each, 'VmHWM'));

/** @param {number} pid */
export function resetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak then counts from the start of the process.
  }
}

/**
 * Returns the processor time of all threads of a process and its descendants, in milliseconds.
 *
 * @param {number} pid
 */
export const processorMs = (pid) =>
  sumOver(pid, (each) =>
    readdirSync(`/proc/${each}/task`).reduce(
      (sum, thread) => sum + scheduleOf(each, thread).ranMs,
      0,
    ),
  );

/**
 * Returns how long a thread, by default the main one, has run, and has waited for a processor.
 *
 * @param {number} pid
 * @param {number | string} [thread]
 */
export function scheduleOf(pid, thread = pid) {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1');
    const [ran = 0, waited = 0] = text.split(' ').map(Number);
    return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
  } catch {
    return { ranMs: Number.NaN, waitedMs: Number.NaN };
  }
}

/**
 * @param {number} pid
 * @param {(pid: number) => number} figureOf
 */
function sumOver(pid, figureOf) {
  try {
    return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + figureOf(each), 0);
  } catch {
    return Number.NaN;
  }
}

/**
 * @param {number} pid
 * @param {'VmRSS' | 'VmHWM'} name
 */
function memoryOf(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/**
 * @param {number} pid
 * @returns {number[]}
 */
function descendantsOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ');
    return children
      .filter((child) => child.trim() !== '')
      .flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
  });
}
