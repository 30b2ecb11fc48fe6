/** Finds a text in linear time (Knuth, Morris and Pratt), unlike `indexOf`. */

/** Returns the first position; -1 if there is none, or if the wanted text is empty. */
export function findText(text: string, wanted: string): number {
  if (wanted === '' || wanted.length > text.length) return -1;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === wanted[matched]) matched++;
    if (matched === wanted.length) return at - matched + 1;
  }
  return -1;
}

/** Returns, for each beginning, the length of its longest end that is a beginning, too. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length++;
    borders[at] = length;
  }
  return borders;
}
