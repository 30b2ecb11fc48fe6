/** The number of random cases for a property, and the seed that generates them. */

import fc from 'fast-check';

/**
 * Whether this is `npm run deep`: it has no time limit, and since it runs by itself, only it checks
 * processor time.
 */
export const isDeep = process.env.PRACTICE_DEEP !== undefined;

/** Set for the whole run, which prints it; set it to that value to repeat the same cases. */
export const seed = Number(process.env.PRACTICE_SEED);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** The timeout of a test with that many cases. */
export const patientlyTried = { timeout: isDeep ? 3_600_000 : 300_000 };

/**
 * The number of cases, `deep` in `npm run deep`. Fewer than 50,000 are for cases with many steps. A deep
 * run with a budget of seconds is about whether its steps work.
 */
export function caseCount(usual: number, deep = 50_000): number {
  return isDeep && process.env.PRACTICE_BUDGET === undefined ? deep : usual;
}
