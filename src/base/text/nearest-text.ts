/** Suggests the known text that was probably meant by a misspelled one. */

import leven from 'leven';

const maxLength = 200;
/** Maximum part of the characters that may differ. */
const differentPart = 0.4;

/** Ignores case and punctuation. Returns `undefined` if no text is similar. */
export function nearestText(text: string, known: readonly string[]): string | undefined {
  if (text === '' || text.length > maxLength) return undefined;
  const own = lettersOf(text);
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const each of known.filter(({ length }) => length <= maxLength)) {
    const letters = lettersOf(each);
    const most = Math.floor(Math.max(own.length, letters.length) * differentPart);
    const slips = leven(own, letters, { maxDistance: most + 1 });
    if (slips > most || slips >= fewest) continue;
    nearest = each;
    fewest = slips;
  }
  return nearest;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}
