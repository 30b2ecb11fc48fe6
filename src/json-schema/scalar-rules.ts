/** Rules of keywords for any type, numbers and texts. */

import { areEqual } from './equal.js';
import { hasFormat } from './formats.js';
import { matchesPattern } from './pattern.js';
import type { Rule } from './rule.js';

const charactersPerCheck = 8;
const longText = 200;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function hasType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

const typeRules: Readonly<Record<string, Rule>> = {
  type: {
    check(wanted, value, _schema, { budget }) {
      if (!Array.isArray(wanted)) return hasType(value, wanted);
      budget.spend(wanted.length);
      return wanted.some((each) => hasType(value, each));
    },
    message: (wanted) => `must be ${String(wanted)}`,
  },
  enum: {
    check(wanted, value, _schema, { budget }) {
      const values = wanted as readonly unknown[];
      budget.spend(Math.ceil(values.length / charactersPerCheck));
      const isSimple = typeof value !== 'object' || value === null;
      const isShort = typeof value !== 'string' || value.length < longText;
      if (isSimple && isShort) return values.includes(value);
      return values.some((each) => areEqual(each, value, budget));
    },
    message: () => 'must be equal to one of the allowed values',
  },
  const: {
    check: (wanted, value, _schema, { budget }) => areEqual(wanted, value, budget),
    message: () => 'must be equal to constant',
  },
};

function numberRule(sign: string, isRight: (value: number, limit: number) => boolean): Rule {
  return {
    check: (limit, value) => typeof value !== 'number' || isRight(value, limit as number),
    message: (limit) => `must be ${sign} ${limit}`,
  };
}

const numberRules: Readonly<Record<string, Rule>> = {
  minimum: numberRule('>=', (value, limit) => value >= limit),
  maximum: numberRule('<=', (value, limit) => value <= limit),
  exclusiveMinimum: numberRule('>', (value, limit) => value > limit),
  exclusiveMaximum: numberRule('<', (value, limit) => value < limit),
  multipleOf: numberRule('multiple of', (value, divisor) => Number.isInteger(value / divisor)),
};

/** Counts a surrogate pair as one character. */
function countCharacters(text: string): number {
  let count = text.length;
  let isHigh = false;
  for (let at = 0; at < text.length; at++) {
    const kind = text.charCodeAt(at) & 0xfc00;
    if (isHigh && kind === 0xdc00) count--;
    isHigh = kind === 0xd800;
  }
  return count;
}

const textRules: Readonly<Record<string, Rule>> = {
  minLength: {
    check(limit, value, _schema, { budget }) {
      if (typeof value !== 'string' || value.length >= 2 * (limit as number)) return true;
      if (value.length < (limit as number)) return false;
      budget.spend(Math.ceil(value.length / charactersPerCheck));
      return countCharacters(value) >= (limit as number);
    },
    message: (limit) => `must NOT have fewer than ${limit} characters`,
  },
  maxLength: {
    check(limit, value, _schema, { budget }) {
      if (typeof value !== 'string' || value.length <= (limit as number)) return true;
      if (value.length > 2 * (limit as number)) return false;
      budget.spend(Math.ceil(value.length / charactersPerCheck));
      return countCharacters(value) <= (limit as number);
    },
    message: (limit) => `must NOT have more than ${limit} characters`,
  },
  pattern: {
    check: (pattern, value, _schema, { budget }) =>
      typeof value !== 'string' || matchesPattern(value, pattern as string, budget),
    message: (pattern) => `must match pattern "${pattern}"`,
  },
  format: {
    check(format, value, _schema, { budget }) {
      if (typeof value !== 'string') return true;
      // A regular expression costs about one check for each character.
      budget.spend(4 + value.length);
      return hasFormat(value, format as string);
    },
    message: (format) => `must match format "${format}"`,
  },
};

export const scalarRules: Readonly<Record<string, Rule>> = {
  ...typeRules,
  ...numberRules,
  ...textRules,
};
