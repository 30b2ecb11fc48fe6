/** Finds a text that matches a common pattern: literals, classes, groups, choices, repetitions. */

import type { CheckBudget } from '#json-schema/budget.js';
import { matchesPattern } from '#json-schema/pattern.js';

const maxText = 1000;

/** Returns a text for an accepted pattern; whether it matches is for the caller to check. */
export function textFor(pattern: string, budget: CheckBudget): string {
  return new PatternReader(pattern, budget).readChoices().slice(0, maxText);
}

const escapes: Readonly<Record<string, string>> = {
  ...{ d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', t: '\t', n: '\n', r: '\r', b: '', B: '' },
};

class PatternReader {
  readonly #pattern: string;
  readonly #budget: CheckBudget;
  #at = 0;

  constructor(pattern: string, budget: CheckBudget) {
    this.#pattern = pattern;
    this.#budget = budget;
  }

  /** Uses the first choice. */
  readChoices(): string {
    const first = this.#readSequence();
    while (this.#pattern[this.#at] === '|') {
      this.#at++;
      this.#readSequence();
    }
    return first;
  }

  #readSequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at] ?? '')) {
      const part = this.#readPart();
      const count = this.#readCount();
      if (text.length < maxText) text += part.repeat(Math.min(count, maxText));
    }
    return text;
  }

  #readPart(): string {
    const sign = this.#pattern[this.#at++] ?? '';
    if (sign === '(') return this.#readGroup();
    if (sign === '[') return this.#readClass();
    if (sign === '\\') return this.#readEscape();
    if (sign === '^' || sign === '$') return '';
    return sign === '.' ? 'a' : sign;
  }

  #readGroup(): string {
    const head = /^\?(?::|<\w+>)/.exec(this.#pattern.slice(this.#at, this.#at + 100));
    this.#at += head?.[0].length ?? 0;
    const text = this.readChoices();
    this.#at++;
    return text;
  }

  #readEscape(): string {
    const sign = this.#pattern[this.#at++] ?? '';
    if (sign === 'p' || sign === 'P') return this.#readProperty();
    return Object.hasOwn(escapes, sign) ? (escapes[sign] ?? '') : sign;
  }

  #readProperty(): string {
    const end = this.#pattern.indexOf('}', this.#at);
    const name = this.#pattern.slice(this.#at + 1, end);
    this.#at = end + 1;
    if (name === 'Lu') return 'A';
    return name.startsWith('N') ? '1' : 'a';
  }

  /** Uses the first character of the class; for a negated one, a character outside it. */
  #readClass(): string {
    const isNegated = this.#pattern[this.#at] === '^';
    if (isNegated) this.#at++;
    let first: string | undefined;
    const from = this.#at;
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ']') {
      const sign = this.#pattern[this.#at++] ?? '';
      const text = sign === '\\' ? this.#readEscape() : sign;
      first ??= text;
    }
    const others = `[^${this.#pattern.slice(from, this.#at)}]`;
    this.#at++;
    if (!isNegated) return first ?? '';
    return [...'aA1-_ '].find((each) => matchesPattern(each, others, this.#budget)) ?? 'a';
  }

  #readCount(): number {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(
      this.#pattern.slice(this.#at, this.#at + 30),
    );
    if (found === null) return 1;
    this.#at += found[0].length;
    if (found[1] !== undefined) return Number(found[1]);
    return 1;
  }
}
