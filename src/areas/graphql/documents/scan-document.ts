/**
 * Counts the tokens of a GraphQL document and how deep its brackets nest (GraphQL October 2021,
 * section 2.1) in one pass without recursion, before any parser looks at it.
 */

export interface DocumentScan {
  /** Exactly as many as a parser would read of a well-formed document. */
  readonly tokens: number;
  readonly nesting: number;
}

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const comma = 0x2c;
const byteOrderMark = 0xfeff;
const quote = 0x22;
const backslash = 0x5c;
const hash = 0x23;
const dot = 0x2e;

export function scanDocument(text: string): DocumentScan {
  let tokens = 0;
  let depth = 0;
  let nesting = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (isIgnored(code)) {
      index++;
    } else if (code === hash) {
      index = endOfLine(text, index);
    } else {
      tokens++;
      if (code === quote) {
        index = endOfString(text, index);
      } else if (isNameOrNumber(code)) {
        index = endOfWord(text, index);
      } else if (code === dot) {
        index += text.startsWith('...', index) ? 3 : 1;
      } else {
        if (code === 0x7b || code === 0x5b || code === 0x28) {
          if (++depth > nesting) nesting = depth;
        } else if (code === 0x7d || code === 0x5d || code === 0x29) {
          depth--;
        }
        index++;
      }
    }
  }
  return { tokens, nesting };
}

function isIgnored(code: number): boolean {
  return (
    code === space ||
    code === newline ||
    code === comma ||
    code === tab ||
    code === carriageReturn ||
    code === byteOrderMark
  );
}

function isNameOrNumber(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  );
}

/** A name, or a number with its sign, fraction and exponent. */
function endOfWord(text: string, start: number): number {
  const first = text.charCodeAt(start);
  const isNumber = first === 0x2d || (first >= 0x30 && first <= 0x39);
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const isExponentSign =
      (code === 0x2b || code === 0x2d) && (text.charCodeAt(index - 1) | 0x20) === 0x65;
    const isPart = isNumber
      ? code === dot || isExponentSign || (code !== 0x2d && isNameOrNumber(code))
      : code !== 0x2d && isNameOrNumber(code);
    if (!isPart) break;
    index++;
  }
  return index;
}

function endOfLine(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === newline || code === carriageReturn) break;
    index++;
  }
  return index;
}

/** A string ends at its quote or, malformed, with its line; a block string at three quotes. */
function endOfString(text: string, start: number): number {
  if (text.startsWith('"""', start)) return endOfBlockString(text, start);
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === backslash) index++;
    else if (code === quote) return index + 1;
    else if (code === newline || code === carriageReturn) return index;
  }
  return text.length;
}

function endOfBlockString(text: string, start: number): number {
  let index = start + 3;
  for (;;) {
    const end = text.indexOf('"""', index);
    if (end < 0) return text.length;
    if (text.charCodeAt(end - 1) !== backslash || end === start + 3) return end + 3;
    index = end + 3;
  }
}
