/** Estimates what compiling a pattern costs, without compiling it, for every reader of patterns. */

/** Longer patterns are rejected. */
export const maxPatternLength = 1000;

/** The size of a compiled pattern, which need not be valid. */
interface PatternSize {
  /** Instructions of the engine; a repetition `{n}` multiplies them. */
  readonly instructions: number;
  /** Unicode classes such as `\p{L}`, each of which has hundreds of ranges to parse. */
  readonly classes: number;
  /**
   * Unicode classes of all instructions, whose ranges are collected again for each. Long lists of
   * characters count as well, as a part of a class.
   */
  readonly compiledClasses: number;
  /** Characters of ranges whose other letter cases are looked up one by one. */
  readonly foldedCharacters: number;
}

export function sizeOfPattern(pattern: string, ignoresCase = false): PatternSize {
  // Some engines accept flags inside of a pattern.
  const folds = ignoresCase || /\(\?\w*i/.test(pattern);
  let classes = 0;
  let foldedCharacters = 0;
  const instructions = countInstructions(pattern, (atom) => {
    classes += unicodeClassesIn(atom);
    if (folds && atom.startsWith('[')) foldedCharacters += foldedCharactersIn(atom);
    return 1;
  });
  const compiledClasses = countInstructions(
    pattern,
    (atom) => unicodeClassesIn(atom) + (atom.length > longBracket ? atom.length / 500 : 0),
  );
  return { instructions, classes, compiledClasses: Math.ceil(compiledClasses), foldedCharacters };
}

/**
 * Returns what compiling a pattern costs, in parts of a schema. 20 of them are for the memory of any
 * pattern; the others have about 50 µs each.
 */
export function patternParts(pattern: string, ignoresCase = false): number {
  const shown = pattern.slice(0, maxPatternLength);
  const size = sizeOfPattern(shown, ignoresCase);
  return Math.ceil(
    20 +
      shown.length / 5 +
      size.instructions / 10 +
      size.classes * (ignoresCase ? 8 : 5) +
      size.compiledClasses / 3 +
      size.foldedCharacters / 1000,
  );
}

/** Returns the checks of a schema that compiling a pattern costs as much as. */
export function checksToCompile(pattern: string, ignoresCase: boolean): number {
  return 1000 * (patternParts(pattern, ignoresCase) - 20);
}

const longBracket = 50;

/** Finds every escape, and Unicode classes as a group. */
export const escapes = /\\(?:([pP]\{[^{}]{0,64}\})|.)/gs;

function unicodeClassesIn(atom: string): number {
  let count = 0;
  for (const [, isClass] of atom.matchAll(escapes)) if (isClass !== undefined) count++;
  return count;
}

const classCharacter =
  /\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|\\[pP]\{[^{}]{0,64}\}|\\.|./gisu;
/** The first and the last character that has another letter case. */
const [firstFolded, lastFolded] = [0x41, 0x1e943];

function foldedCharactersIn(bracket: string): number {
  const codes = Array.from(bracket.slice(1).matchAll(classCharacter), ([text, ...digits]) => {
    const hexadecimal = digits.find((each) => each !== undefined);
    if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
    return text.codePointAt(text.startsWith('\\') ? 1 : 0) ?? 0;
  });
  let count = 0;
  for (const [index, code] of codes.entries()) {
    const [low = 0, high = 0] = [codes[index - 1], codes[index + 1]];
    const coversAll = low <= firstFolded && high >= lastFolded;
    if (code !== hyphen || coversAll) continue;
    count += Math.max(0, Math.min(high, lastFolded) - Math.max(low, firstFolded));
  }
  return count;
}

const hyphen = 0x2d;

/**
 * Estimates about one instruction for each atom and operator; a repetition `{n}` multiplies them.
 * `weigh` returns the instructions of an atom: a character, an escape or a class in brackets.
 */
function countInstructions(pattern: string, weigh: (atom: string) => number): number {
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
      atom = weigh(pattern.slice(at, end));
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
