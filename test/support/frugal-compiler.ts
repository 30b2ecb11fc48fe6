/**
 * Starts `tsc` so that it uses half of the processor time: several checkers each check shared types again, and
 * its memory is collected often although it is free when the program ends.
 */
export const frugal = {
  args: ['--singleThreaded'],
  env: { ...process.env, GOGC: '400' },
} as const;
