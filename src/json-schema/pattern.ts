/**
 * Patterns of schemas, which strangers write, without the regular expressions of the language: those try again
 * after each failure, and forty characters can keep them busy for years. RE2 reads each character once.
 */

import type { RE2JS, RE2Set } from 're2js';
import { createBoundedCache } from '../base/bounded-cache.js';
import { requireLazily } from '../base/require-lazily.js';
import type { CheckBudget } from './budget.js';
import { estimateProgramSize } from './estimate-program-size.js';

const re2 = requireLazily<typeof import('re2js')>('re2js');

const maxPatternLength = 1000;
/** In instructions of the engine, each of which may be tried for each character. */
const maxProgramSize = 500;

/**
 * A repetition of only a repetition, such as `(a+)+`: needless, and other regular expression engines that read the
 * same schema may never finish with it.
 */
const repeatedRepetition =
  /\((?:\?:|\?<\w+>)?(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()\\[\]])(?:[+*]|\{\d+,\})\??\)(?:[+*]|\{\d+,)/;

/** Returns what is wrong with a pattern, to be read after its name; `undefined` when nothing is. */
export function patternFault(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return 'must be a pattern (text)';
  if (pattern.length > maxPatternLength) {
    return `must be a pattern of at most ${maxPatternLength} characters`;
  }
  try {
    // Compiled, not run.
    new RegExp(pattern, 'u');
  } catch (error) {
    return `must be a regular expression of ECMAScript (${(error as Error).message})`;
  }
  if (repeatedRepetition.test(pattern)) {
    return 'must not repeat a repetition, such as (a+)+, which can take forever';
  }
  if (estimateProgramSize(pattern) > 2 * maxProgramSize) return tooLarge;
  try {
    return compiled(pattern).size > maxProgramSize ? tooLarge : undefined;
  } catch {
    return 'must be a pattern without lookaround and back references, which can take forever';
  }
}

const tooLarge = 'must be a smaller pattern; each repetition {n} counts n times';

/** Compiling a class such as `\p{L}` takes as long as so many instructions: it has hundreds of ranges. */
const unicodeClassSize = 8;

/** The parts of a schema that a pattern counts as: compiling one takes as long as checking thousands of values. */
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

/** The engine remembers states that it was in, up to so many bytes for each pattern. */
const maxStateBytes = 128 * 1024;
/** Bytes that a program takes beside that, at most. */
const programBytes = 64 * 1024;
const maxCacheBytes = 24 * 1024 * 1024;

const compiledPatterns = createBoundedCache<CompiledPattern>({
  maxEntries: 1000,
  maxWeight: maxCacheBytes,
  weigh: ({ size }) => maxStateBytes + Math.min(programBytes, 8192 + 128 * size),
});

function compiled(pattern: string): CompiledPattern {
  return compiledPatterns.get(pattern, () => {
    const { RE2JS, RE2Set } = re2();
    const translated = RE2JS.translateRegExp(pattern) as string;
    const size = (RE2JS.compile(translated) as RE2JS).programSize();
    const set = new RE2Set(RE2Set.UNANCHORED, 0, maxStateBytes);
    set.add(translated);
    set.compile();
    return { size, set };
  });
}

/** Compiling a pattern costs about so many checks for each of its characters. */
const checksToCompile = 300;
/** Any match costs that many. */
const checksToMatch = 30;

/** Whether a text matches a pattern that {@link patternFault} has accepted. */
export function matchesPattern(text: string, pattern: string, budget: CheckBudget): boolean {
  const known = compiledPatterns.find(pattern);
  if (known === undefined) budget.spend(checksToCompile * pattern.length);
  const { size, set } = known ?? compiled(pattern);
  budget.spend(checksToMatch + size * text.length);
  return set.match(text).length > 0;
}
