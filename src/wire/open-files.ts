/** The file descriptors of the process, of which each connection needs one. */

import { readFileSync } from 'node:fs';

/** Descriptors for everything else: listening sockets, the shared state, and files that load later. */
const reserve = 64;

/**
 * Returns how many connections the process can have open and still read files: without a free descriptor, a package that
 * loads later fails for good. Infinity where the system does not show the limit.
 */
export function connectionsThatFit(): number {
  const limit = softLimit();
  return Math.max(limit - reserve, Math.floor(limit / 2));
}

/** Node raises the soft limit to the hard one when it starts. */
function softLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
