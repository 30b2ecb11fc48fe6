/** Texts that take linear time to normalize and to compare: the Stream-Safe Text Format (UAX #15). */

/** Combining marks that may follow each other. */
const maxMarks = 30;
const marks = new RegExp(`\\p{M}{${maxMarks}}`, 'gu');
const longRuns = new RegExp(`(?<!\\p{M})\\p{M}{${maxMarks + 1},}`, 'gu');
const graphemeJoiner = '\u034f';

/** Shortens runs of combining marks, because sorting them needs quadratic time. */
export function streamSafe(text: string): string {
  if (text.length <= maxMarks) return text;
  return text.replace(longRuns, (run) => run.replace(marks, `$&${graphemeJoiner}`));
}

/** Normalization form C. */
export function normalizeText(text: string): string {
  return streamSafe(text).normalize('NFC');
}
