/** Trims texts in linear time; a regular expression such as / +$/ can need quadratic time. */

/** Removes given characters from the end of a text. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** Removes given characters from both ends of a text. */
export function trimBothOf(text: string, characters: string): string {
  const trimmed = trimEndOf(text, characters);
  let start = 0;
  while (start < trimmed.length && characters.includes(trimmed[start] ?? '')) start++;
  return trimmed.slice(start);
}

/** Space and tab: OWS of RFC 9110 section 5.6.3. */
export const optionalWhitespace = ' \t';
