/**
 * Matches patterns of schemas with RE2 in linear time, because JavaScript's regular expressions can
 * need exponential time.
 */

import type { RE2JS, RE2Set } from 're2js';
import { createBoundedCache } from '../base/bounded-cache.js';
import { requireLazily } from '../base/require-lazily.js';
import type { CheckBudget } from './budget.js';

const re2 = requireLazily<typeof import('re2js')>('re2js');

const maxPatternLength = 1000;
/** In instructions of the engine, each of which may be tried for each character. */
const maxProgramSize = 500;

/** A repetition of a repetition, such as `(a+)+`, with which other validators may never finish. */
const repeatedRepetition =
  /\((?:\?:|\?<\w+>)?(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()\\[\]])(?:[+*]|\{\d+,\})\??\)(?:[+*]|\{\d+,)/;

/** Returns the fault of a pattern, to follow its name. */
export function patternFault(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return 'must be a pattern (text)';
  if (pattern.length > maxPatternLength) {
    return `must be a pattern of at most ${maxPatternLength} characters`;
  }
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return `must be a regular expression of ECMAScript (${(error as Error).message})`;
  }
  if (repeatedRepetition.test(pattern)) {
    return 'must not repeat a repetition, such as (a+)+, which can run forever';
  }
  if (estimateProgramSize(pattern) > 2 * maxProgramSize) return tooLarge;
  try {
    return compiled(pattern).size > maxProgramSize ? tooLarge : undefined;
  } catch {
    return 'must be a pattern without lookaround and back references, which can run forever';
  }
}

const tooLarge = 'must be a smaller pattern; each repetition {n} counts n times';

/** A class such as `\p{L}` has hundreds of ranges to compile. */
const unicodeClassSize = 8;

/**
 * Returns the number of schema parts that a pattern counts as, because compiling it costs as much
 * as thousands of checks.
 */
export function patternParts(pattern: unknown): number {
  if (typeof pattern !== 'string') return 1;
  const shown = pattern.slice(0, maxPatternLength);
  const size = estimateProgramSize(shown, unicodeClassSize);
  return 20 + Math.ceil(shown.length / 5 + size / 10);
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

function compiled(pattern: string, flags = ''): CompiledPattern {
  return compiledPatterns.get(flags + pattern, () => {
    const { RE2JS, RE2Set } = re2();
    const translated = flags + (RE2JS.translateRegExp(pattern) as string);
    const size = (RE2JS.compile(translated) as RE2JS).programSize();
    const set = new RE2Set(RE2Set.UNANCHORED, 0, maxStateBytes);
    set.add(translated);
    set.compile();
    return { size, set };
  });
}

const checksToCompile = 300;
const checksToMatch = 30;

/** Returns whether a text matches a pattern that {@link patternFault} has accepted. */
export function matchesPattern(text: string, pattern: string, budget: CheckBudget): boolean {
  return matches(text, pattern, budget, '');
}

/** Matches in any letter case. */
export function matchesCaseless(text: string, pattern: string, budget: CheckBudget): boolean {
  return matches(text, pattern, budget, '(?i)');
}

function matches(text: string, pattern: string, budget: CheckBudget, flags: string): boolean {
  const known = compiledPatterns.find(flags + pattern);
  if (known === undefined) budget.spend(checksToCompile * pattern.length);
  const { size, set } = known ?? compiled(pattern, flags);
  budget.spend(checksToMatch + size * text.length);
  return set.match(text).length > 0;
}

/**
 * Estimates about one instruction for each atom and operator; a repetition `{n}` multiplies them. A
 * Unicode class such as `\p{L}` counts `classSize` times. The pattern need not be valid.
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
