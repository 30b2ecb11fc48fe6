/**
 * Patterns of schemas, which strangers write, without the engine of the language: that one goes back and
 * tries again, and can be kept busy for years by forty characters. RE2 reads each character once.
 */

import type { RE2JS } from 're2js';
import { createBoundedCache } from '../../../bounded-cache.js';
import { requireLazily } from '../../../require-lazily.js';

const re2 = requireLazily<typeof import('re2js')>('re2js');

const maxPatternLength = 1000;
/** In instructions of the engine, each of which may be looked at for each character. */
const maxProgramSize = 500;

/**
 * A repetition of nothing but a repetition, such as `(a+)+`: needless, and what a client that reads the
 * same schema may never come to an end with.
 */
const repeatedRepetition =
  /\((?:\?:|\?<\w+>)?(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()\\[\]])(?:[+*]|\{\d+,\})\??\)(?:[+*]|\{\d+,)/;

/** What is wrong with a pattern, to be read after its name; `undefined` when nothing is. */
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
  try {
    if (compile(pattern).programSize() > maxProgramSize) {
      return 'must be a smaller pattern; each repetition {n} counts n times';
    }
  } catch {
    return 'must be a pattern without lookaround and back references, which can take forever';
  }
  return undefined;
}

/** A pattern is checked before it is used. */
const compiledPatterns = createBoundedCache<RE2JS>({ maxEntries: 200 });

function compile(pattern: string): RE2JS {
  const { RE2JS } = re2();
  return compiledPatterns.get(pattern, () => RE2JS.compile(RE2JS.translateRegExp(pattern)));
}

/** Thrown when checks of patterns take more than they may. */
export class PatternBudgetError extends Error {
  override readonly name = 'PatternBudgetError';
}

/** Looks at each character for each instruction at most, which takes some 25 ns: a second or so. */
export const maxPatternSteps = 40_000_000;

/** What ajv takes in place of the engine of the language; all that one of these makes share a budget. */
export class PatternEngine {
  #steps = 0;

  /** Before each check of a whole. */
  begin(): void {
    this.#steps = 0;
  }

  readonly compile = Object.assign(
    (pattern: string) => {
      const compiled = compile(pattern);
      const size = compiled.programSize();
      return {
        test: (text: string): boolean => {
          this.#steps += size * text.length;
          if (this.#steps > maxPatternSteps) throw new PatternBudgetError();
          return compiled.test(text);
        },
      };
    },
    { code: 'patterns' },
  );
}
