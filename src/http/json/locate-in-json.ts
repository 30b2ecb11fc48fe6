/** Where a value stands in a well-formed JSON text, for people who look for it there. */

export interface Place {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

/**
 * Finds places in one text. Each object and array is walked once, however many places are asked for, and lines are
 * counted on from the last place.
 */
export class JsonLocator {
  readonly #text: string;
  /** Places of the values of an object or array, by the offset of the whole. */
  readonly #members = new Map<number, ReadonlyMap<string, number>>();
  readonly #items = new Map<number, readonly number[]>();
  #counted = { offset: 0, line: 1 };

  constructor(text: string) {
    this.#text = text;
  }

  /** Finds the value at a path of names and indexes, or the deepest one on the way to it. */
  place(path: Path): Place {
    let offset = skipSpace(this.#text, 0);
    for (const step of path) {
      const next = this.#itemsAt(offset)[Number(step)] ?? this.#membersAt(offset).get(String(step));
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

  /** The last member of a name counts, as for JSON.parse. */
  #membersAt(offset: number): ReadonlyMap<string, number> {
    let members = this.#members.get(offset);
    if (members === undefined) {
      const walked = walkObject(this.#text, offset);
      members = new Map([...walked].map(({ name, valueAt }) => [name, valueAt]));
      this.#members.set(offset, members);
    }
    return members;
  }

  #itemsAt(offset: number): readonly number[] {
    let items = this.#items.get(offset);
    if (items === undefined) {
      items = [...walkArray(this.#text, offset)];
      this.#items.set(offset, items);
    }
    return items;
  }
}

export interface Member {
  readonly name: string;
  /** Where its name begins. */
  readonly offset: number;
}

/** The members of the object that a text is, also those whose name comes again. */
export function* membersOf(text: string): Generator<Member> {
  for (const { name, nameAt } of walkObject(text, skipSpace(text, 0))) {
    yield { name, offset: nameAt };
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

function* walkObject(text: string, offset: number) {
  if (text.charCodeAt(offset) !== openBrace) return;
  let at = skipSpace(text, offset + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBrace) {
    const nameAt = at;
    at = skipString(text, at);
    const name = JSON.parse(text.slice(nameAt, at)) as string;
    // Past the colon.
    const valueAt = skipSpace(text, skipSpace(text, at) + 1);
    yield { name, nameAt, valueAt };
    at = skipSpace(text, skipValue(text, valueAt));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
}

function* walkArray(text: string, offset: number): Generator<number> {
  if (text.charCodeAt(offset) !== openBracket) return;
  let at = skipSpace(text, offset + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    yield at;
    at = skipSpace(text, skipValue(text, at));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
}

export function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** From its opening quote to behind its closing one. */
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
