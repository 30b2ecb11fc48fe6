/** Selects a part of many expensive cases or files that differ little. */

/** Whether all are selected: in the deep run, and where test files are named. */
export function isWhole(): boolean {
  const { PRACTICE_DEEP, PRACTICE_WHOLE } = process.env;
  return PRACTICE_DEEP !== undefined || PRACTICE_WHOLE !== undefined;
}

/** Every third, chosen by the seed of the run; all where everything is selected. */
export function everyThird<Case>(cases: readonly Case[]): readonly Case[] {
  return everyNth(cases, 3);
}

/** Selects `count` of each `n` cases, from the one on that the seed of the run chooses. */
export function everyNth<Case>(cases: readonly Case[], n: number, count = 1): readonly Case[] {
  const first = Number(process.env.PRACTICE_SEED) % n;
  if (isWhole()) return cases;
  return cases.filter((_case, place) => (place - first + n) % n < count);
}
