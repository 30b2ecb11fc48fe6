/** JSON (RFC 8259) with an error that says where it broke, and a bound on nesting. */

import type { ParseError } from 'jsonc-parser';
import { requireLazily } from '../require-lazily.js';

const jsoncParser = requireLazily<typeof import('jsonc-parser')>('jsonc-parser');

/** Deeper values are refused: writing or checking them again could exhaust the call stack. */
export const maxJsonDepth = 500;

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/**
 * Throws {@link JsonSyntaxError} with the line and column for people to look at, both from 1; also for
 * more than `maxValues` values, those of objects and arrays and those themselves.
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): unknown {
  if (text.length > maxValues && hasMoreValues(text, maxValues)) {
    throw new JsonSyntaxError(`The JSON holds more than ${maxValues} values.`);
  }
  // Before it is parsed, which takes long when half a million values are inside each other.
  if (text.length > maxJsonDepth && depth(text) > maxJsonDepth) {
    throw new JsonSyntaxError(`The JSON is nested deeper than ${maxJsonDepth} levels.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonSyntaxError(describeFault(text));
  }
}

/** By the names that the tolerant parser gives to its error codes. */
const faults: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word that JSON does not know (strings need double quotes)',
  InvalidNumberFormat: 'a malformed number',
  PropertyNameExpected: 'a property name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'the end is expected here',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'a string is not closed',
  InvalidUnicode: 'a malformed \\u escape',
  InvalidEscapeCharacter: 'an escape that JSON does not know',
  InvalidCharacter: 'a character that must be escaped',
};

function describeFault(text: string): string {
  const first = firstFault(text);
  if (first === undefined) return 'Invalid JSON.';
  const before = text.slice(0, first.offset);
  const line = before.split('\n').length;
  const column = first.offset - before.lastIndexOf('\n');
  const what = faults[jsoncParser().printParseErrorCode(first.error)] ?? 'something is wrong here';
  return `Invalid JSON at line ${line}, column ${column}: ${what}.`;
}

function firstFault(text: string): ParseError | undefined {
  const found: ParseError[] = [];
  jsoncParser().parse(text, found, { disallowComments: true, allowTrailingComma: false });
  return found.sort((a, b) => a.offset - b.offset)[0];
}

/** Whether JSON text holds more values, of which each but the first follows a comma or a bracket. */
function hasMoreValues(text: string, maxValues: number): boolean {
  let values = 1;
  let isInString = false;
  for (let index = 0; index < text.length && values <= maxValues; index++) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) {
      isInString = true;
    } else if (code === 0x2c || code === 0x7b || code === 0x5b) {
      values++;
    }
  }
  return values > maxValues;
}

/** The deepest nesting of JSON text, counted without recursion. */
function depth(text: string): number {
  let deepest = 0;
  let current = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) {
      isInString = true;
    } else if (code === 0x7b || code === 0x5b) {
      if (++current > deepest) deepest = current;
    } else if (code === 0x7d || code === 0x5d) {
      current--;
    }
  }
  return deepest;
}
