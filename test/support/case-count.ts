/** How many random cases a property is tried with, and the seed that they are made from. */

import fc from 'fast-check';

/** Whether this is `npm run deep`: it has all the time, and as nothing else runs, it alone judges processor time. */
export const isDeep = process.env.PRACTICE_DEEP !== undefined;

/** Set for the whole run, which prints it; set it to that value to see the same cases again. */
export const seed = Number(process.env.PRACTICE_SEED);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** For a test of that many cases. */
export const patientlyTried = { timeout: isDeep ? 3_600_000 : 300_000 };

/** `deep` of them in `npm run deep`. Fewer than 50,000 are for cases that are long stories. */
export function caseCount(usual: number, deep = 50_000): number {
  return isDeep ? deep : usual;
}
