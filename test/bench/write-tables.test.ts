import { expect, test } from 'vitest';
import { replaceSection, writeSuiteTable } from '../../lab/bench/write-tables.js';

const score = {
  contender: 'ours',
  requestsPerSecond: 12_345.6,
  ratio: 1,
  spread: [1, 1] as [number, number],
  processorMicroseconds: 31.25,
  processorRatio: 1,
  processorSpread: [1, 1] as [number, number],
  residentMebibytes: 80.4,
  startMs: 210.2,
};

test('a table has a row for each server, also for one that is absent', () => {
  const table = writeSuiteTable({
    how: 'A machine',
    cases: [
      {
        name: 'GET /a',
        scores: [
          score,
          {
            ...score,
            contender: 'theirs',
            ratio: 2,
            spread: [1.5, 2.5],
            processorMicroseconds: null,
            processorRatio: null,
            processorSpread: [null, null] as [null, null],
          },
          { ...score, contender: 'others', processorRatio: 0.8, processorSpread: [0.7, 0.9] },
        ],
        absent: [{ contender: 'peer', reason: 'needs a | b' }],
      },
    ],
  });
  expect(table.split('\n').slice(4)).toEqual([
    '| GET /a | ours | 31.3 µs |  |  | 12,346 |  |  | 80 MiB | 210 ms |',
    '| GET /a | theirs |  |  |  | 12,346 | 2.00 | 1.50–2.50 | 80 MiB | 210 ms |',
    '| GET /a | others | 31.3 µs | 0.80 | 0.70–0.90 | 12,346 | 1.00 | 1.00–1.00 | 80 MiB | 210 ms |',
    '| GET /a | peer | absent: needs a \\| b |  |  |  |  |  |  |  |',
  ]);
});

test('a table takes the place of the one before, and leaves the rest of the page', () => {
  const page = '# Title\n\n<!-- bench a -->\nold\n<!-- end of bench a -->\n\nAfter\n';
  expect(replaceSection(page, 'a', 'new')).toBe(
    '# Title\n\n<!-- bench a -->\nnew\n<!-- end of bench a -->\n\nAfter\n',
  );
});

test('a table that the page has not had gets a section at its end', () => {
  expect(replaceSection('# Title\n', 'b', 'new')).toBe(
    '# Title\n\n## b\n\n<!-- bench b -->\nnew\n<!-- end of bench b -->\n',
  );
});
