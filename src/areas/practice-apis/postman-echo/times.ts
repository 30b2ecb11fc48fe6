/** Arithmetic of times, in UTC. */

import type { Call } from '../dialect/call.js';
import type { Handle } from '../dialect/dialect.js';
import { Outcome } from '../dialect/outcome.js';

const units = ['years', 'months', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;
type NumbersFor<Names extends readonly string[]> = { -readonly [Place in keyof Names]: number };
type Parts = NumbersFor<typeof units>;

const partsOf = (time: Date): Parts => [
  time.getUTCFullYear(),
  time.getUTCMonth(),
  time.getUTCDate(),
  time.getUTCHours(),
  time.getUTCMinutes(),
  time.getUTCSeconds(),
  time.getUTCMilliseconds(),
];

const fromParts = (parts: Parts) => {
  const time = new Date(Date.UTC(2000, ...(parts.slice(1) as [number])));
  time.setUTCFullYear(parts[0] + time.getUTCFullYear() - 2000);
  return time;
};

/** Throws 400 for a text that is no time. */
async function timeIn(call: Call, name = 'timestamp'): Promise<Date> {
  const text = call.query(name);
  if (text === undefined && name === 'timestamp') return new Date(await call.now());
  const time = new Date(/^\d{9,}$/.test(text ?? '') ? Number(text) : (text ?? ''));
  if (Number.isNaN(time.getTime())) throw new Outcome(400, { error: `${name} is not a time.` });
  return time;
}

/** Such as `Sat Oct 10 2116 00:00:00 GMT+0000`. */
const shown = (time: Date) => {
  if (Number.isNaN(time.getTime())) return 'Invalid date';
  const [weekday = '', day, month, year, clock] = time.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day} ${year} ${clock} GMT+0000`;
};

const pad = (value: number, length = 2) => String(value).padStart(length, '0');
const nameIn = (time: Date, options: Intl.DateTimeFormatOptions) =>
  time.toLocaleDateString('en', { ...options, timeZone: 'UTC' });

const tokens: Readonly<Record<string, (time: Date) => string>> = {
  YYYY: (time) => pad(time.getUTCFullYear(), 4),
  YY: (time) => pad(time.getUTCFullYear() % 100),
  MMMM: (time) => nameIn(time, { month: 'long' }),
  MMM: (time) => nameIn(time, { month: 'short' }),
  MM: (time) => pad(time.getUTCMonth() + 1),
  M: (time) => String(time.getUTCMonth() + 1),
  dddd: (time) => nameIn(time, { weekday: 'long' }),
  ddd: (time) => nameIn(time, { weekday: 'short' }),
  DD: (time) => pad(time.getUTCDate()),
  D: (time) => String(time.getUTCDate()),
  HH: (time) => pad(time.getUTCHours()),
  H: (time) => String(time.getUTCHours()),
  hh: (time) => pad(time.getUTCHours() % 12 || 12),
  h: (time) => String(time.getUTCHours() % 12 || 12),
  mm: (time) => pad(time.getUTCMinutes()),
  m: (time) => String(time.getUTCMinutes()),
  ss: (time) => pad(time.getUTCSeconds()),
  s: (time) => String(time.getUTCSeconds()),
  SSS: (time) => pad(time.getUTCMilliseconds(), 3),
  A: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (time) => (time.getUTCHours() < 12 ? 'am' : 'pm'),
  X: (time) => String(Math.floor(time.getTime() / 1000)),
  x: (time) => String(time.getTime()),
};

const anyToken = new RegExp(
  `\\[([^[\\]]*)\\]|${Object.keys(tokens)
    .sort((a, b) => b.length - a.length)
    .join('|')}`,
  'g',
);

async function format(call: Call) {
  const time = await timeIn(call);
  const pattern = call.query('format') ?? 'ddd MMM DD YYYY HH:mm:ss [GMT+0000]';
  const text = pattern.replace(
    anyToken,
    (token, literal?: string) => literal ?? tokens[token]?.(time) ?? token,
  );
  return { format: text };
}

/** The place of a unit, also without its plural. */
const placeOf = (unit: string | undefined) =>
  (units as readonly string[]).indexOf(
    `${(unit ?? 'years').toLowerCase().replace(/s$/, '')}s`.replace('dates', 'days'),
  );

async function unit(call: Call) {
  const time = await timeIn(call);
  const given = call.query('unit')?.toLowerCase();
  // The day of the week, as in the library of the original.
  if (given === 'day' || given === 'days') return { unit: time.getUTCDay() };
  const value = partsOf(time)[placeOf(given)];
  return value === undefined ? new Outcome(400, { error: 'unit is unknown.' }) : { unit: value };
}

const shifted =
  (member: string, sign: number): Handle =>
  async (call) => {
    const parts = partsOf(await timeIn(call));
    const moved = parts.map(
      (part, place) => part + sign * (Number(call.query(units[place] ?? '')) || 0),
    ) as Parts;
    // A month that is shorter ends with its last day.
    const days = new Date(Date.UTC(2000, 0, 1));
    days.setUTCFullYear(moved[0], moved[1] + 1, 0);
    if (parts[2] > days.getUTCDate()) moved[2] += days.getUTCDate() - parts[2];
    return { [member]: shown(fromParts(moved)) };
  };

async function start(call: Call) {
  const time = await timeIn(call);
  const place = placeOf(call.query('unit'));
  if (place < 0) return new Outcome(400, { error: 'unit is unknown.' });
  const zero: Parts = [0, 0, 1, 0, 0, 0, 0];
  return {
    start: shown(
      fromParts(partsOf(time).map((part, at) => (at <= place ? part : zero[at])) as Parts),
    ),
  };
}

async function object(call: Call) {
  const [years, months, date, hours, minutes, seconds, milliseconds] = partsOf(await timeIn(call));
  return { years, months, date, hours, minutes, seconds, milliseconds };
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

export const timeHandlers: Readonly<Record<string, Handle>> = {
  timeNow: async (call) => new Date(await call.now()).toUTCString(),
  async timeValid(call) {
    const found = await timeIn(call).catch(() => undefined);
    return { valid: found !== undefined };
  },
  timeFormat: format,
  timeUnit: unit,
  timeAdd: shifted('sum', 1),
  timeSubtract: shifted('difference', -1),
  timeStart: start,
  timeObject: object,
  timeBefore: async (call) => ({ before: (await timeIn(call)) < (await timeIn(call, 'target')) }),
  timeAfter: async (call) => ({ after: (await timeIn(call)) > (await timeIn(call, 'target')) }),
  async timeBetween(call) {
    const [time, from, to] = [
      await timeIn(call),
      await timeIn(call, 'start'),
      await timeIn(call, 'end'),
    ];
    return { between: from < time && time < to };
  },
  timeLeap: async (call) => ({ leap: isLeap((await timeIn(call)).getUTCFullYear()) }),
};
