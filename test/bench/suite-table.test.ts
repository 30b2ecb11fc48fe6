import { expect, test } from 'vitest';
import { suiteTable } from '../../lab/bench/suite-table.js';

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

test('a table has a row for each server, also for an absent one', () => {
  const table = suiteTable([
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
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| GET /a | ours | 31.3 µs |  |  | 12,346 |  |  | 80 MiB | 210 ms |',
    '| GET /a | theirs |  |  |  | 12,346 | 2.00 | 1.50–2.50 | 80 MiB | 210 ms |',
    '| GET /a | others | 31.3 µs | 0.80 | 0.70–0.90 | 12,346 | 1.00 | 1.00–1.00 | 80 MiB | 210 ms |',
    '| GET /a | peer | absent: needs a \\| b |  |  |  |  |  |  |  |',
  ]);
});
