/** Makes records from templates: the same for the same id in every run. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { lazily } from '#base/lazily.js';
import { seededNumbers } from '#base/seeded-numbers.js';
import { baseMark } from './call.js';
import { readJson } from './declaration.js';

interface WordLists {
  readonly words: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly cities: readonly string[];
}

const wordLists = lazily(() => {
  const lists = Object.entries(readJson('words') as Readonly<Record<string, string>>);
  return Object.fromEntries(
    lists.map(([name, text]) => [name, text.split(' ')]),
  ) as unknown as WordLists;
});

/** A source of choices for the record of a seed. */
export class Choices {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = seededNumbers(seed);
  }

  /** An integer from `low` to `high`. */
  int(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  decimal(low: number, high: number, places: number): number {
    return Number((low + this.#next() * (high - low)).toFixed(places));
  }

  pick<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.int(0, choices.length - 1)] as Choice;
  }

  some<Choice>(choices: readonly Choice[], count: number): Choice[] {
    const left = [...choices];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.int(0, left.length - 1), 1),
    ).flat();
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(wordLists().words)).join(' ');
  }

  sentences(count: number, between: string): string {
    return Array.from({ length: count }, () => `${capital(this.words(this.int(6, 12)))}.`).join(
      between,
    );
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface Making {
  readonly id: number;
  readonly choices: Choices;
  readonly color: string;
  readonly name: { readonly first: string; readonly last: string };
}

type Maker = (making: Making, text: string, ...numbers: number[]) => unknown;

const day = 86_400_000;
/** Records of a group, of those that are in groups by their ids. */
const perGroup = 8;
const list = (text: string) => text.split('|');
const typed = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);

/** By the first word of a template; the others are its argument, as text and as numbers. */
const makers: Readonly<Record<string, Maker>> = {
  id: ({ id }, _text, more = 0) => id + more,
  parent: ({ id }, _text, children = 1) => Math.ceil(id / children),
  /** From 1 to `count`, and again. */
  wrap: ({ id }, _text, count = 1) => ((id - 1) % count) + 1,
  cycle: ({ id }, text) => typed(list(text)[(id - 1) % list(text).length] ?? ''),
  /** The first ids have the first choice, and so on. */
  spread: ({ id }, text) => list(text)[Math.floor((id - 1) / perGroup)] ?? list(text).at(-1),
  words: ({ choices }, _text, count = 1) => choices.words(count),
  title: ({ choices }, _text, count = 1) => choices.words(count).split(' ').map(capital).join(' '),
  text: ({ choices }, _text, count = 1) => choices.sentences(count, ' '),
  lines: ({ choices }, _text, count = 1) => choices.sentences(count, '\n'),
  int: ({ choices }, _text, low = 0, high = 0) => choices.int(low, high),
  decimal: ({ choices }, _text, low = 0, high = 0, places = 2) =>
    choices.decimal(low, high, places),
  fixed: ({ choices }, _text, low = 0, high = 0) => choices.decimal(low, high, 4).toFixed(4),
  bool: ({ choices }) => choices.int(0, 1) === 1,
  pick: ({ choices }, text) => choices.pick(list(text)),
  some: ({ choices }, text, count = 1) => choices.some(list(text.replace(/^\d+ /, '')), count),
  city: ({ choices }) => choices.pick(wordLists().cities),
  digits: ({ choices }, text) => text.replace(/#/g, () => String(choices.int(0, 9))),
  hex: ({ choices }, _text, length = 1) =>
    Array.from({ length }, () => choices.int(0, 15).toString(16)).join(''),
  time: ({ choices }) =>
    new Date(Date.UTC(2024, 0, 1) + choices.int(0, 366 * day - 1)).toISOString(),
  date: ({ choices }, _text, from = 2024, days = 366) =>
    new Date(Date.UTC(from, 0, choices.int(1, days))).toISOString().slice(0, 10),
  first: ({ name }) => name.first,
  last: ({ name }) => name.last,
  user: ({ name, id }) => `${name.first}${name.last}`.toLowerCase() + (id > 400 ? id : ''),
  color: ({ color }) => color,
  picture: ({ color }, size) => `${baseMark}/image/${size}/${color}`,
};

function expand(template: unknown, making: Making): unknown {
  if (typeof template === 'string') return expandText(template, making);
  if (Array.isArray(template)) return template.map((each) => expand(each, making));
  if (!isObject(template)) return template;
  const { $times: times, of } = template;
  if (Array.isArray(times)) {
    const length = making.choices.int(times[0], times[1]);
    return Array.from({ length }, () => expand(of, making));
  }
  return Object.fromEntries(
    Object.entries(template).map(([name, each]) => [name, expand(each, making)]),
  );
}

type Made = (making: Making) => unknown;

/** By the text of a template, which the records of a collection share. */
const compiled = new Map<string, Made>();

function expandText(text: string, making: Making): unknown {
  let made = compiled.get(text);
  if (made === undefined) {
    made = compile(text);
    compiled.set(text, made);
  }
  return made(making);
}

/** A text that is only a template keeps the type of its value. */
function compile(text: string): Made {
  const parts = text.split(/(\{[^{}]+\})/).filter((part) => part !== '');
  const makes = parts.map((part) =>
    /^\{.+\}$/s.test(part) ? maker(part.slice(1, -1)) : () => part,
  );
  const [only, ...others] = makes;
  if (only !== undefined && others.length === 0) return only;
  return (making) => makes.map((make) => String(make(making))).join('');
}

function maker(inside: string): Made {
  const [, name = '', rest = ''] = /^(\w+) ?(.*)$/s.exec(inside) ?? [];
  const make = makers[name];
  if (make === undefined) throw new Error(`No template {${inside}}: see makers in generate.ts.`);
  const numbers = rest.split(' ').map(Number).filter(Number.isFinite);
  return (making) => make(making, rest, ...numbers);
}

/** Makes the record of an id; `seed` is the name of its collection. */
export function makeRecord(template: unknown, id: number, seed: string): JsonObject {
  const choices = new Choices(`${seed} ${id}`);
  const { firstNames, lastNames } = wordLists();
  const start = seed.length * 3 + id;
  const first = firstNames[(start * 5) % firstNames.length] as string;
  const last = lastNames[
    (start * 7 + Math.floor(id / firstNames.length)) % lastNames.length
  ] as string;
  const color = choices.int(0x10_00_00, 0xff_ff_ff).toString(16);
  return expand(template, { id, choices, color, name: { first, last } }) as JsonObject;
}
