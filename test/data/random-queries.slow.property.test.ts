import fc from 'fast-check';
import { Client } from 'undici';
import { expect, test } from 'vitest';
import { caseCount, patientlyTried } from '../support/case-count.js';
import { useService } from '../support/service.js';

const service = useService();
const requestCount = caseCount(2000);

const names = fc.oneof(
  fc.constantFrom(
    'limit',
    'page',
    'offset',
    'sort',
    'order',
    'q',
    // Not `delay`: the service would wait for well-formed values.
    'error',
    'cursor',
    'from',
    'size',
  ),
  fc.constantFrom('per_page', 'after_id', 'window', 'api-version', '__proto__', 'constructor', ''),
  fc
    .tuple(
      fc.constantFrom('id', 'name', 'price', 'startsAt', 'tags', 'capacity', 'rating', 'available'),
      fc.constantFrom('', '_gte', '_lte', '_gt', '_lt', '_ne', '_in', '_like', '[]'),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const values = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '5',
    '10',
    '100',
    '101',
    '-1',
    '1e3',
    '1e999',
    'NaN',
    '0x1f',
    'null',
  ),
  fc.constantFrom(
    'true',
    'asc',
    'desc',
    '-price',
    'name,-id',
    ',,',
    'tags',
    '2027-01-01',
    'v2',
    '2.0',
  ),
  fc.constantFrom('2027-13-45T99:99:99Z', '9007199254740993', '%', '%E0%A4', '[object Object]'),
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Characters that a request target may contain unescaped, including incomplete escapes. */
const raw = fc.string({
  unit: fc.constantFrom(...'ab=&?;+%2F[]{}"<>|\\^`\'*~!$(),:@/'),
  maxLength: 24,
});
const query = fc.oneof(
  {
    arbitrary: fc
      .array(fc.tuple(names, values), { minLength: 1, maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')),
    weight: 4,
  },
  raw,
);

const path = fc.constantFrom(
  '/api/Events',
  '/api/Events',
  '/api/Events/upcoming',
  '/api/Events/count',
  '/api/Books',
  '/api/pagination/offset',
  '/api/pagination/page',
  '/api/pagination/cursor',
  '/api/pagination/link',
  '/api/pagination/keyset',
  '/api/pagination/hal',
  '/api/RateLimit',
  '/api/versioned/profile',
);

test(
  `each of ${requestCount} query strings gets 200, 400, 414 or 429`,
  patientlyTried,
  async () => {
    const targets = fc.sample(
      fc.tuple(path, query).map(([path, query]) => `${path}?${query}`),
      requestCount,
    );
    const client = new Client(service.url, { pipelining: 32 });
    const counts: Record<number, number> = {};
    const wrong: string[] = [];
    let next = 0;
    async function work(): Promise<void> {
      for (let target = targets[next++]; target !== undefined; target = targets[next++]) {
        const { statusCode, headers, body } = await client.request({ method: 'GET', path: target });
        const text = await body.text();
        counts[statusCode] = (counts[statusCode] ?? 0) + 1;
        const isExplained = statusCode === 200 || JSON.parse(text).message.length > 0;
        const isDocumented = [200, 400, 414, 429].includes(statusCode) || headers['x-simulated'];
        if (!isDocumented || !isExplained) wrong.push(target);
      }
    }
    await Promise.all(Array.from({ length: 32 }, work));
    await client.close();
    expect(wrong).toEqual([]);
    // Both kinds of response are frequent, or this would prove little.
    expect(counts[200]).toBeGreaterThan(requestCount / 25);
    expect(counts[400]).toBeGreaterThan(requestCount / 25);
  },
);
