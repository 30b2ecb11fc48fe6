/** Parses JSON (RFC 8259) with error positions, and with limits on its values and nesting. */

import type { ParseErrorCode } from 'jsonc-parser';
import { requireLazily } from '#base/require-lazily.js';
import { JsonLocator } from './locate-in-json.js';

const jsoncParser = requireLazily<typeof import('jsonc-parser')>('jsonc-parser');

/** Limit for nesting, because writing or checking deeper values could exhaust the call stack. */
export const maxJsonDepth = 500;

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/**
 * Throws {@link JsonSyntaxError} with line and column, both from 1, or, far into a long text, with
 * the text around the fault. Also throws for more than `maxValues` values, including objects and
 * arrays.
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): unknown {
  // Checked before parsing, which is slow for half a million nested values.
  const excess = excessOf(text, maxValues);
  if (excess !== undefined) throw new JsonSyntaxError(excess);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonSyntaxError(describeFault(text, (error as SyntaxError).message));
  }
}

/** Counts values: each but the first follows a comma or a bracket. */
function excessOf(text: string, maxValues: number): string | undefined {
  if (text.length <= Math.min(maxValues, maxJsonDepth)) return undefined;
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) {
      isInString = true;
    } else if (code === 0x2c) {
      values++;
    } else if (code === 0x7b || code === 0x5b) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
    if (values > maxValues) return `The JSON has more than ${maxValues} values.`;
  }
  if (deepest <= maxJsonDepth) return undefined;
  return `The JSON is nested deeper than ${maxJsonDepth} levels.`;
}

/** By the error names of the tolerant parser. */
const faults: Readonly<Record<string, string>> = {
  InvalidSymbol: 'unknown word (strings need double quotes)',
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
  InvalidEscapeCharacter: 'unknown escape',
  InvalidCharacter: 'a character that must be escaped',
};

function describeFault(text: string, inWords: string): string {
  const first = firstFault(text);
  if (first === undefined) return `Invalid JSON: ${inWords}.`;
  const { line, column } = new JsonLocator(text).placeAt(first.offset);
  const what =
    commonMistake(text, first.offset) ??
    faults[jsoncParser().printParseErrorCode(first.error)] ??
    'something is wrong here';
  return `Invalid JSON at line ${line}, column ${column}: ${what}.`;
}

/** How far a mistake is looked for before a fault. */
const maxSpaceBefore = 200;

/** Explains faults that editors, shells and other languages cause. */
function commonMistake(text: string, offset: number): string | undefined {
  const found = text[offset] ?? '';
  if (/[\u2018-\u201f\u00ab\u00bb]/.test(found))
    return 'a curly quote; type straight double quotes';
  if (found === "'") {
    return text.slice(0, offset).trim() === ''
      ? String.raw`a single quote, which the shell of Windows does not remove; write "{\"name\": \"Ada\"}"`
      : 'a single quote; strings need double quotes';
  }
  const before = text.slice(Math.max(0, offset - maxSpaceBefore), offset).trimEnd();
  if ((found === '}' || found === ']') && before.endsWith(','))
    return `no comma may precede ${found}`;
  // Windows PowerShell removes double quotes inside an argument.
  const isUnquoted = before.endsWith('{') && /[A-Za-z_]/.test(found) && !text.includes('"');
  return isUnquoted
    ? 'names and strings need double quotes, which the shell of Windows may have removed'
    : undefined;
}

interface Fault {
  readonly error: ParseErrorCode;
  readonly offset: number;
  readonly length: number;
}

/**
 * Limit of the search for a fault, not counting long runs of white space and escapes. The search is
 * ten times slower than parsing, and blocks all other clients.
 */
const maxLookedThrough = 256 * 1024;

/** Long runs of white space and escapes are slow to parse, so they are shortened. */
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
  // A fault at the cut may be caused by the cut.
  const isCut = shortened.length > maxLookedThrough;
  if (isCut && fault.offset + fault.length >= maxLookedThrough) return undefined;
  const before = cuts.filter(({ at }) => at <= fault.offset);
  return { ...fault, offset: before.reduce((sum, { length }) => sum + length, fault.offset) };
}

/**
 * Thrown to stop the tolerant parser at the first fault; otherwise it would continue to the end.
 */
const stop = new Error();

function firstFaultOf(text: string): Fault | undefined {
  let fault: Fault | undefined;
  function onError(error: ParseErrorCode, offset: number, length: number): never {
    fault = { error, offset, length };
    throw stop;
  }
  try {
    jsoncParser().visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error !== stop) throw error;
  }
  return fault;
}
