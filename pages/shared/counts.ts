/** Counts in words, such as how many rules have which outcome; the page of verdicts has the rules. */

import { addressOf } from './address-of.js';
import { callJson } from './call.js';
import { byId } from './element.js';

export const outcomes = ['broken', 'against-advice', 'unclear', 'kept', 'not-reached'] as const;

export type Outcome = (typeof outcomes)[number];

export type Counts = Readonly<Record<Outcome, number>>;

/** Writes a count with its noun, such as `2 sessions`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const inWords = (outcome: string) => outcome.replaceAll('-', ' ');

/** Returns such as `2 broken, 3 kept, 4 not reached`. */
export function countsInWords(counts: Counts): string {
  const shown = outcomes.filter((each) => counts[each] > 0);
  return shown.map((each) => `${counts[each]} ${inWords(each)}`).join(', ');
}

export function sumOf(all: readonly Counts[]): Counts {
  const sums = outcomes.map((each) => [each, all.reduce((sum, counts) => sum + counts[each], 0)]);
  return Object.fromEntries(sums);
}

/** Shows the counts of some judges in the element `verdicts`. */
export async function showVerdicts(names: readonly string[]): Promise<void> {
  const { judges } = await callJson<{ readonly judges: readonly { readonly counts: Counts }[] }>(
    addressOf(`/api/sandbox/verdicts?judge=${names.join(',')}`),
  );
  const text = `Rules and cases: ${countsInWords(sumOf(judges.map(({ counts }) => counts)))}.`;
  const shown = byId('verdicts', HTMLParagraphElement);
  if (shown.textContent !== text) shown.textContent = text;
}
