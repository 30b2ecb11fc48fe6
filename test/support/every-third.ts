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

/** Every `n`th, chosen by the seed of the run, or the `next` one after each of these. */
export function everyNth<Case>(
  cases: readonly Case[],
  n: number,
  which: 'chosen' | 'next' = 'chosen',
): readonly Case[] {
  const part = (Number(process.env.PRACTICE_SEED) + (which === 'next' ? 1 : 0)) % n;
  return isWhole() ? cases : cases.filter((_case, place) => place % n === part);
}
