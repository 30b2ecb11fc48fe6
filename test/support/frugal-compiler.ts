/**
 * Starts `tsc` with half of the processor time: several checkers check shared types repeatedly, and
 * its garbage collection is frequent although its memory is freed at the end.
 */
export const frugal = {
  args: ['--singleThreaded'],
  env: { ...process.env, GOGC: '400' },
} as const;
