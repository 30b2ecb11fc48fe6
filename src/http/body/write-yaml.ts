/** Writes YAML 1.2 (RFC 9512) in pieces; quotes text that YAML 1.1 parsers would misread. */

import { requireLazily } from '#base/require-lazily.js';

const yaml = requireLazily<typeof import('yaml')>('yaml');

const options = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

function stringify(value: unknown): string {
  return yaml().stringify(value, options);
}

/**
 * Number of values that one call of the library writes; this many characters of text count as one
 * value.
 */
const maxWeight = 1000;
const charactersPerValue = 32;

/** Counts the values in a value, long texts as several; stops a little over `limit`. */
function weigh(value: unknown, limit = maxWeight): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerValue);
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const each of Object.values(value)) {
    if (weight > limit) break;
    weight += weigh(each, limit - weight);
  }
  return weight;
}

function isLarge(value: unknown): value is object {
  return typeof value === 'object' && value !== null && weigh(value) > maxWeight;
}

/** Writes a value like the library, in pieces if it is large. The first line begins with `lead`. */
export function* writeYaml(value: unknown, indent = '', lead = indent): Generator<string> {
  if (!isLarge(value)) {
    yield indented(stringify(value), indent, lead);
    return;
  }
  const isList = Array.isArray(value);
  const members = isList ? value.map((each): Member => ['', each]) : Object.entries(value);
  let before = lead;
  for (const step of inSteps(members)) {
    const [[name, member] = ['', null]] = step;
    if (!isLarge(member)) {
      const part = isList ? step.map(([, each]) => each) : Object.fromEntries(step);
      yield indented(stringify(part), indent, before);
    } else if (isList) {
      yield* writeYaml(member, `${indent}  `, `${before}- `);
    } else {
      // The library ends the line of a null value with `null`.
      const key = stringify({ [name]: null }).slice(0, -' null\n'.length);
      yield `${indented(key, indent, before)}\n`;
      yield* writeYaml(member, `${indent}  `);
    }
    before = indent;
  }
}

type Member = [name: string, value: unknown];

function* inSteps(members: readonly Member[]): Generator<Member[]> {
  let step: Member[] = [];
  let weight = 0;
  for (const member of members) {
    const more = weigh(member[1]);
    if (step.length > 0 && weight + more > maxWeight) {
      yield step;
      step = [];
      weight = 0;
    }
    step.push(member);
    weight += more;
  }
  if (step.length > 0) yield step;
}

/** Puts `indent` before each line that is not empty, and `lead` before the first line. */
function indented(text: string, indent: string, lead: string): string {
  return lead + (indent === '' ? text : text.replace(/\n(?=[^\n])/g, `\n${indent}`));
}
