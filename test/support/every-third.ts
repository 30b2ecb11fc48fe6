/** What is tried of many cases, or run of many files, that cost much and differ little. */

/** Whether everything is: in the deep run, and where test files are named. */
export function isWhole(): boolean {
  const { PRACTICE_DEEP, PRACTICE_WHOLE } = process.env;
  return PRACTICE_DEEP !== undefined || PRACTICE_WHOLE !== undefined;
}

/** Every third, chosen by the seed of the run; all of them where everything is tried. */
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
