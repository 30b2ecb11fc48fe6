/** Estimates the program that a pattern compiles to, before anything compiles it. */

/**
 * Counts about one instruction for each atom and operator; a repetition `{n}` multiplies what it repeats. A class of
 * Unicode characters such as `\p{L}` counts `classSize` times. The pattern need not be valid.
 */
export function estimateProgramSize(pattern: string, classSize = 1): number {
  const outer: number[] = [];
  let size = 0;
  let atom = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '(') {
      outer.push(size + atom);
      size = 0;
      atom = 0;
    } else if (character === ')') {
      atom += size + 2;
      size = outer.pop() ?? 0;
    } else if (character === '{' && atom > 0) {
      const repeats = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/.exec(pattern.slice(at, at + 16));
      if (repeats === null) continue;
      atom *= Math.max(1, Number(repeats[1]), Number(repeats[2] ?? 0));
      at += repeats[0].length - 1;
    } else {
      size += atom;
      const end = endOfAtom(pattern, at);
      atom = /\\p\{/i.test(pattern.slice(at, end)) ? classSize : 1;
      at = end - 1;
    }
  }
  return outer.reduce((sum, each) => sum + each, size + atom);
}

function endOfAtom(pattern: string, at: number): number {
  if (pattern[at] === '\\') {
    const named = /^\\[pPu]\{[^}]{0,64}\}/.exec(pattern.slice(at, at + 70));
    return at + (named?.[0].length ?? 2);
  }
  if (pattern[at] !== '[') return at + 1;
  let end = at + 1;
  while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1;
  return end + 1;
}
