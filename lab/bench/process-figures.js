/** What running processes use, as Linux tells; elsewhere the figures are not numbers. */

import { readdirSync, readFileSync } from 'node:fs';

/**
 * The resident memory of a process and all that it started, in MiB; pages that several share count
 * for each of them.
 *
 * @param {number} pid
 */
export function residentMebibytes(pid) {
  try {
    return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + residentOf(each), 0);
  } catch {
    return Number.NaN;
  }
}

/**
 * The processor time that a process and all that it started have used in their threads, in milliseconds.
 *
 * @param {number} pid
 */
export function processorMs(pid) {
  try {
    return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + processorMsOf(each), 0);
  } catch {
    return Number.NaN;
  }
}

/** @param {number} pid */
function processorMsOf(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** @param {number} pid */
function residentOf(pid) {
  return (
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  );
}

/**
 * @param {number} pid
 * @returns {number[]}
 */
function descendantsOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) => {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim();
    if (children === '') return [];
    return children.split(' ').flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
  });
}
