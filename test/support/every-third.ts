/** Selects a part of many expensive cases or files that differ little. */

/** Whether all are selected: in the deep run, and where test files are named. */
export function isWhole(): boolean {
  const { PRACTICE_DEEP, PRACTICE_WHOLE } = process.env;
  return PRACTICE_DEEP !== undefined || PRACTICE_WHOLE !== undefined;
}

/** Every third, with a start from the seed of the run; all where everything is selected. */
export function everyThird<Case>(
  cases: readonly Case[],
  which: 'chosen' | 'next' = 'chosen',
): readonly Case[] {
  const part = (Number(process.env.PRACTICE_SEED) + (which === 'next' ? 1 : 0)) % 3;
  return isWhole() ? cases : cases.filter((_case, place) => place % 3 === part);
}
