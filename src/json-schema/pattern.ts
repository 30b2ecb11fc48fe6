/**
 * Matches patterns of schemas with RE2 in linear time, because JavaScript's regular expressions can
 * need exponential time.
 */

import type { RE2Set } from 're2js';
import { createBoundedCache } from '#base/bounded-cache.js';
import { requireLazily } from '#base/require-lazily.js';
import type { CheckBudget } from './budget.js';
import { checksToCompile, escapes, maxPatternLength, sizeOfPattern } from './pattern-parts.js';

const re2 = requireLazily<typeof import('re2js')>('re2js');

/** In instructions of the engine, each of which may be tried for each character. */
const maxProgramSize = 500;

/** A repetition of a repetition, such as `(a+)+`, with which other validators may never finish. */
const repeatedRepetition =
  /\((?:\?:|\?<\w+>)?(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()\\[\]])(?:[+*]|\{\d+,\})\??\)(?:[+*]|\{\d+,)/;

/** Returns the fault of a pattern, to follow its name. */
export function patternFault(pattern: unknown, ignoresCase = false): string | undefined {
  if (typeof pattern !== 'string') return 'must be a pattern (text)';
  if (pattern.length > maxPatternLength) {
    return `must be a pattern of at most ${maxPatternLength} characters`;
  }
  const known = compiledPatterns.find(keyOf(pattern, ignoresCase));
  if (known !== undefined) return known.size > maxProgramSize ? tooLarge : undefined;
  const syntax = syntaxFault(pattern);
  if (syntax !== undefined) return `must be a regular expression of ECMAScript (${syntax})`;
  if (repeatedRepetition.test(pattern)) {
    return 'must not repeat a repetition, such as (a+)+, which can run forever';
  }
  const { instructions } = sizeOfPattern(pattern, ignoresCase);
  if (instructions > 2 * maxProgramSize) return tooLarge;
  try {
    return compiled(pattern, ignoresCase).size > maxProgramSize ? tooLarge : undefined;
  } catch (error) {
    const [, unknown] = unknownClass.exec((error as Error).message) ?? [];
    return unknown === undefined
      ? 'must be a pattern without lookaround and back references, which can run forever'
      : `must not use ${unknown}; general categories such as \\p{L} are supported`;
  }
}

const tooLarge = 'must be a smaller pattern; each repetition {n} counts n times';

/** In messages of the engine. */
const unknownClass = /invalid character class range: `(\\[pP]\{[^{}]*\})`/;

/** The Unicode classes that have been parsed. Parsing one costs as much as parsing a long pattern. */
const validClasses = createBoundedCache<RegExp>({ maxEntries: 500 });

/** Returns what is wrong by the syntax of JavaScript, in its words. */
function syntaxFault(pattern: string): string | undefined {
  const classes = new Set<string>();
  // `\d` is allowed in the same places.
  const shortened = pattern.replace(escapes, (whole, unicodeClass?: string) => {
    if (unicodeClass === undefined) return whole;
    classes.add(whole);
    return '\\d';
  });
  try {
    for (const each of classes) validClasses.get(each, () => new RegExp(each, 'u'));
    new RegExp(shortened, 'u');
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(shortened, () => pattern);
  }
}

interface CompiledPattern {
  readonly size: number;
  readonly set: RE2Set;
}

/** Limits the engine's memory for the states of a pattern. */
const maxStateBytes = 128 * 1024;
const programBytes = 64 * 1024;
const maxCacheBytes = 24 * 1024 * 1024;

const compiledPatterns = createBoundedCache<CompiledPattern>({
  maxEntries: 1000,
  maxWeight: maxCacheBytes,
  weigh: ({ size }) => maxStateBytes + Math.min(programBytes, 8192 + 128 * size),
});

const caseless = '(?i)';

function keyOf(pattern: string, ignoresCase: boolean): string {
  return ignoresCase ? caseless + pattern : pattern;
}

function compiled(pattern: string, ignoresCase: boolean): CompiledPattern {
  return compiledPatterns.get(keyOf(pattern, ignoresCase), () => {
    const { RE2JS, RE2Set } = re2();
    const set = new RE2Set(RE2Set.UNANCHORED, 0, maxStateBytes);
    set.add(keyOf(RE2JS.translateRegExp(pattern) as string, ignoresCase));
    set.compile();
    return { size: set.prog.numInst(), set };
  });
}

const checksToMatch = 30;

/** Returns whether a text matches a pattern that {@link patternFault} has accepted. */
export function matchesPattern(
  text: string,
  pattern: string,
  budget: CheckBudget,
  ignoresCase = false,
): boolean {
  const known = compiledPatterns.find(keyOf(pattern, ignoresCase));
  if (known === undefined) budget.spend(checksToCompile(pattern, ignoresCase));
  const { size, set } = known ?? compiled(pattern, ignoresCase);
  budget.spend(checksToMatch + size * text.length);
  return set.match(text).length > 0;
}
