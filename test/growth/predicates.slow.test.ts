/** The cost of judging a request grows no faster than n log n, whatever the request says. */

import { expect, test } from 'vitest';
import { growthOf, maxExponent } from '../support/growth.js';
import { type Judged, judges } from './predicate-cases.js';

/** About as much as a head may have. */
const largest = 16 * 1024;

/** Linear work on {@link largest} characters needs less, also for a judge with many conditions. */
const suspiciousMs = 10;

const units = [
  ...[' ', 'a', '0', '.', ',', ';', ':', '=', '-', '/', '\\', '"', '\\"', '"a', '<', '<a:', '{ '],
  ...['a=', 'a;', ';a', '; a=', '...a ', 'a: ', 'query a ', 'fragment a on Book', 'book(', 'book '],
  ...[
    'title ',
    'json;',
    'json ; ',
    '/api/',
    'bytes=0-',
    '?code=',
    '%',
    '%41',
    'a.',
    'a-',
    '\n',
    '(',
    '[',
  ],
  ...[
    'Bearer ',
    'Basic ',
    '<countryCode (',
    '<countryCode>',
    'é',
    '{"a":',
    '["',
    'page=1&',
    '>; rel=',
  ],
];

/** A unit, the whole text; and two units, each half of it. */
const shapes: readonly ((size: number) => string)[] = [
  ...units.map((unit) => (size: number) => unit.repeat(size / unit.length)),
  ...[
    ['fragment A on Book ', 'a', '.'],
    ['query a ', 'a', 'query '],
    ['', 'a:', ' '],
    ['json', ';', ' '],
    ['"', '\\', '"'],
    ['<', 'a', ' '],
  ].map(
    ([start = '', one = '', other = '']) =>
      (size: number) =>
        start + one.repeat(size / 2 / one.length) + other.repeat(size / 2 / other.length),
  ),
];

function costOf({ judge }: Judged, text: string): number {
  const before = process.cpuUsage();
  judge(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('there are judges of every kind', () => {
  for (const kind of ['challenge ', 'rule of MCP ', 'bug ', 'verdict on ']) {
    expect(judges.filter(({ title }) => title.startsWith(kind)).length, kind).toBeGreaterThan(3);
  }
});

// A busy machine has a tenth of a core for it; the verdict counts processor time.
test.each(judges)('$title', { timeout: 300_000 }, async (judged) => {
  for (const make of shapes) {
    // A cheap judge cannot have grown much.
    if (costOf(judged, make(largest)) <= suspiciousMs) continue;
    const growth = await growthOf({ make, run: judged.judge, largest });
    expect(growth, make(24)).toBeLessThan(maxExponent);
  }
});
