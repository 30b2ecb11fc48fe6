/** Finds the position of a value in well-formed JSON text. */

export interface Place {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

/** Offsets of the values of an object or array; without names it is an array. */
interface Children {
  readonly names: readonly string[];
  readonly offsets: readonly number[];
}

/** Scans each object and array of a text once, for any number of positions. */
export class JsonLocator {
  readonly #text: string;
  readonly #children = new Map<number, Children>();
  #counted = { offset: 0, line: 1 };

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Returns the position at a path of names and indexes, or of the deepest existing value on the
   * path.
   */
  place(path: Path): Place {
    let offset = skipSpace(this.#text, 0);
    for (const step of path) {
      const { names, offsets } = this.#childrenAt(offset);
      // The last member of a name applies, as for JSON.parse.
      const next = offsets[names.length > 0 ? names.lastIndexOf(String(step)) : Number(step)];
      if (next === undefined) break;
      offset = next;
    }
    return this.placeAt(offset);
  }

  placeAt(offset: number): Place {
    let { offset: at, line } = this.#counted;
    if (at > offset) {
      at = 0;
      line = 1;
    }
    for (; at < offset; at++) if (this.#text.charCodeAt(at) === lineFeed) line++;
    this.#counted = { offset, line };
    const before = offset === 0 ? -1 : this.#text.lastIndexOf('\n', offset - 1);
    return { line, column: offset - before };
  }

  #childrenAt(offset: number): Children {
    const known = this.#children.get(offset);
    if (known !== undefined) return known;
    const names: string[] = [];
    const offsets: number[] = [];
    for (const { name, valueAt } of walk(this.#text, offset)) {
      if (name !== undefined) names.push(name);
      offsets.push(valueAt);
    }
    this.#children.set(offset, { names, offsets });
    return { names, offsets };
  }
}

/**
 * Yields the members of the object in a text, with repeated ones, and the offsets of their names.
 */
export function* membersOf(
  text: string,
): Generator<{ readonly name: string; readonly offset: number }> {
  for (const { name, nameAt } of walk(text, skipSpace(text, 0))) {
    if (name !== undefined) yield { name, offset: nameAt };
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const lineFeed = 0x0a;

/** Yields the members of an object, or the items of an array, which have no names. */
function* walk(text: string, offset: number) {
  const opening = text.charCodeAt(offset);
  if (opening !== openBrace && opening !== openBracket) return;
  const closing = opening === openBrace ? closeBrace : closeBracket;
  let at = skipSpace(text, offset + 1);
  while (at < text.length && text.charCodeAt(at) !== closing) {
    const nameAt = at;
    let name: string | undefined;
    if (opening === openBrace) {
      at = skipString(text, at);
      name = JSON.parse(text.slice(nameAt, at)) as string;
      const colonAt = skipSpace(text, at);
      at = skipSpace(text, colonAt + 1);
    }
    yield { name, nameAt, valueAt: at };
    at = skipSpace(text, skipValue(text, at));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
}

export function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Returns the offset after the closing quote. */
export function skipString(text: string, offset: number): number {
  let at = text.indexOf('"', offset + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at + 1;
}

function isEscaped(text: string, offset: number): boolean {
  let at = offset;
  while (text.charCodeAt(at - 1) === backslash) at--;
  return (offset - at) % 2 === 1;
}

function skipValue(text: string, offset: number): number {
  let depth = 0;
  for (let at = offset; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = skipString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (code === comma && depth === 0) return at;
  }
  return text.length;
}
