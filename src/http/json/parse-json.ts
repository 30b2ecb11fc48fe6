/** JSON (RFC 8259) with an error that says where it broke, and a bound on nesting. */

import type { ParseErrorCode } from 'jsonc-parser';
import { requireLazily } from '../../base/require-lazily.js';

const jsoncParser = requireLazily<typeof import('jsonc-parser')>('jsonc-parser');

/** Deeper values are refused: writing or checking them again could exhaust the call stack. */
export const maxJsonDepth = 500;

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/**
 * Throws {@link JsonSyntaxError} with the line and column for people to look at, both from 1, or, far into a
 * long text, with what stands around the fault; also for more than `maxValues` values, those of objects and
 * arrays and those themselves.
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
  } catch (error) {
    throw new JsonSyntaxError(describeFault(text, (error as SyntaxError).message));
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

/**
 * So far a fault is looked for, white space and escapes that come in long runs not counted: looking takes ten
 * times as long as parsing, and nobody else is answered meanwhile.
 */
const maxLookedThrough = 256 * 1024;

function describeFault(text: string, inWords: string): string {
  const first = firstFault(text);
  if (first === undefined) return `Invalid JSON: ${inWords}.`;
  const line = countLines(text, first.offset);
  const column =
    first.offset - (first.offset === 0 ? -1 : text.lastIndexOf('\n', first.offset - 1));
  const what = faults[jsoncParser().printParseErrorCode(first.error)] ?? 'something is wrong here';
  return `Invalid JSON at line ${line}, column ${column}: ${what}.`;
}

/** Thrown to stop the tolerant parser at the first fault: it would go on through all of them. */
class Found extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super();
    this.fault = fault;
  }
}

interface Fault {
  readonly error: ParseErrorCode;
  readonly offset: number;
  readonly length: number;
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (let place = text.indexOf('\n'); place >= 0 && place < end; lines++) {
    place = text.indexOf('\n', place + 1);
  }
  return lines;
}

/** White space and escapes take the parser many times as long as anything else; a few of each will do. */
const longRun = /[ \t\r\n]{16,}|(?:\\["\\/bfnrt]){16,}/g;

function firstFault(text: string): Fault | undefined {
  const cuts: { readonly at: number; readonly length: number }[] = [];
  let removed = 0;
  const shortened = text.replace(longRun, (run: string, offset: number) => {
    const kept = run.slice(0, run.startsWith('\\') ? 2 : 1);
    const length = run.length - kept.length;
    cuts.push({ at: offset - removed + kept.length, length });
    removed += length;
    return kept;
  });
  const fault = firstFaultOf(shortened.slice(0, maxLookedThrough));
  if (fault === undefined) return undefined;
  // What ends where the text was cut may be right.
  const isCut = shortened.length > maxLookedThrough;
  if (isCut && fault.offset + fault.length >= maxLookedThrough) return undefined;
  const before = cuts.filter(({ at }) => at <= fault.offset);
  return { ...fault, offset: before.reduce((sum, { length }) => sum + length, fault.offset) };
}

function firstFaultOf(text: string): Fault | undefined {
  function onError(error: ParseErrorCode, offset: number, length: number): never {
    throw new Found({ error, offset, length });
  }
  try {
    jsoncParser().visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (found) {
    if (found instanceof Found) return found.fault;
    throw found;
  }
  return undefined;
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
