/**
 * The headers of origins that tests of HTTP caches need: each set is sent byte for byte by a scripted
 * response.
 */

import { describe, expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { openConnection, requestText } from '../support/raw-connection.js';

const service = useDirectService();
const path = '/s/cache-origins/api/http/respond';

type Lines = readonly (readonly [name: string, value: string])[];

const date = (offsetSeconds: number) =>
  new Date(Date.UTC(2026, 10, 29) + offsetSeconds * 1000).toUTCString();
const now: Lines = [['Date', date(0)]];
const freshFor = (seconds: number): Lines => [['Cache-Control', `max-age=${seconds}`]];
const each = (name: string, values: readonly string[]): Lines[] =>
  values.map((value) => [[name, value]]);
/** Every set of the first with every set of the second. */
const cross = (some: readonly Lines[], others: readonly Lines[]): Lines[] =>
  some.flatMap((one) => others.map((other) => [...one, ...other]));

const directives = [
  ...['0', '1', '2', '3600', '2147483647', '2147483648', '99999999999', '-3600', '003600'],
  ...['"3600"', "'3600'", '3600.0', '3600.5', 'a3600', '3600a', ' 3600'],
].map((seconds) => `max-age=${seconds}`);

const cacheControls = [
  ...directives,
  ...['max-age =3600', 'MaX-aGe=3600', 'foobar, max-age=3600', 'max-age=1800, max-age=1'],
  ...['s-maxage=3600, max-age=1', 'max-age=1, extension="max-age=3600"', 'private, max-age=3600'],
  ...['no-store', 'No-StOrE', 'max-age=9, no-store, must-understand', 'max-age=9, No-CaChE'],
  ...['no-cache="a, b"', 'max-age=2, must-revalidate', 'max-age=2, proxy-revalidate'],
  ...[
    'max-age=9, immutable',
    'max-age=1, stale-while-revalidate=9',
    'max-age=2, stale-if-error=60',
  ],
  ...['s-maxage=3600', 'public', ''],
];

const ages = [
  ...['0', '7200', 'abc', '-7200', '7200.0', '2147483648', '7200, 0', '0, 7200', '0, 0'],
  ...['7200;foo=bar'],
];

const expiries = [
  ...['0', 'Sun, 21 Nov 2286 04:46:39 GMT', 'Thursday, 18-Aug-50 02:01:18 GMT'],
  ...['Thu Aug  8 02:01:18 2050', 'THU, 18 Aug 2050 02:01:18 GMT', 'Thu, 18 Aug 2050 02:01:18 gMT'],
  ...[
    'Thu, 18 Aug 2050 02:01:18 AEST',
    'Thu, 18 Aug 50 02:01:18 GMT',
    'Thu 18 Aug 2050 02:01:18 GMT',
  ],
  ...[
    'Thu, 18  Aug  2050 02:01:18 GMT',
    'Thu, 18 Aug 2050 02.01.18 GMT',
    'Thu, 18 Aug 2050 2:01:18 GMT',
  ],
];

const tags = [
  '"abcdef"',
  '"abcdefü"',
  'abcdef',
  'W/"abcdef"',
  'w/"abcdef"',
  'W\\"abcdef"',
  'W"abc"',
];
const varies = ['Foo', 'Foo, Bar, Baz', '*', '*, *', ', *', 'Foo, *', 'Accept-Language', ''];

/** Headers of other kinds, which caches must store, update or leave out. */
const stored: Lines = [
  ...([
    ['Test-Header', 'abc'],
    ['X-Test-Header', 'abc'],
    ['Content-Foo', 'abc'],
    ['X-Content-Foo', 'abc'],
    ['Content-Encoding', 'none-such'],
    ['Content-Location', '/foo'],
    ['Content-MD5', 'rL0Y20zC+Fzt72VPzMSk2A=='],
    ['Content-Range', 'bytes 4-9/10'],
    ['Content-Type', 'text/plain;charset=utf-8'],
    ['Proxy-Authenticate', 'abc'],
    ['Proxy-Authentication-Info', 'abc'],
    ['Proxy-Authorization', 'abc'],
    ['X-XSS-Protection', '1; mode=block'],
    ['Content-Disposition', 'attachment; filename=example.txt'],
    ['Content-Language', 'de'],
    ['Location', 'elsewhere'],
    ['Template-A', '1'],
    ['A', '1'],
    ['a', '1'],
    ['Pragma', 'unrecognised-extension'],
  ] as const),
];

const sets: readonly Lines[] = [
  [],
  ...each('Cache-Control', cacheControls),
  ...cross([[...now, ...freshFor(3600)]], each('Age', ages)),
  ...cross(
    [[...now, ...freshFor(3600)]],
    [
      [
        ['Age', '7200'],
        ['Age', '0'],
      ],
      [
        ['Age', '0'],
        ['age', '0'],
      ],
    ],
  ),
  ...cross([now], each('Expires', [...expiries, date(-7200), date(0), date(2_592_000)])),
  [...now, ['Expires', date(10)], ['Expires', date(11)]],
  [
    ['Date', 'foo'],
    ['Expires', date(10)],
  ],
  [
    ['Date', date(-7200)],
    ['Date', date(0)],
  ],
  ...cross([now], each('Last-Modified', [date(-5), date(-86_400), 'x'])),
  ...cross([[...now, ...freshFor(100_000)]], each('ETag', tags)),
  [
    ['ETag', '"a"'],
    ['ETag', '"b"'],
  ],
  ...cross([[...now, ...freshFor(5000)]], each('Vary', varies)),
  [
    ['Vary', ''],
    ['Vary', '*'],
  ],
  [
    ['Cache-Control', 'max-age=1800'],
    ['Cache-Control', 'max-age=1'],
  ],
  [...freshFor(3600), ['Pragma', 'no-cache']],
  ...cross(
    [[], freshFor(1), [['Cache-Control', 'no-store']]],
    each('CDN-Cache-Control', [
      ...['max-age=3600', 'max-age =100', 'MaX-aGe=3600', 'private', 'no-store', 'foo'],
      ...['max-age="10000"', 'max-age=10000, &&&&&'],
    ]),
  ),
  ...stored.map((line): Lines => [...now, ...freshFor(3600), line]),
];

/** The lines of the head of the response that the service did not add itself. */
async function receive(script: object): Promise<string[]> {
  const connection = openConnection(service.url);
  const headers = { Connection: 'close', 'Content-Type': 'application/json' };
  connection.send(requestText(`POST ${path}`, headers, JSON.stringify(script)));
  await connection.ended;
  const bytes = connection.received().toString('latin1');
  const [head = '', body] = bytes.split('\r\n\r\n');
  const [status, ...lines] = head.split('\r\n');
  expect([status, body]).toEqual(['HTTP/1.1 200 OK', 'body']);
  return lines;
}

const lineOf = ([name, value]: Lines[number]) => `${name}: ${value}`;
const lowerNameOf = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase();

describe.each(sets.map((lines) => [lines.map(lineOf).join(' | '), lines] as const))(
  '%s',
  (_name, lines) => {
    test('is sent unchanged, from pairs and from an object', async () => {
      const names = new Set(lines.map(([name]) => name.toLowerCase()));
      const spelled = new Map<string, string>();
      const expected = lines.map(([name, value]) => {
        const lower = name.toLowerCase();
        if (!spelled.has(lower)) spelled.set(lower, name);
        return lineOf([spelled.get(lower) ?? name, value]);
      });
      const byName = Object.fromEntries(
        [...spelled].map(([lower, name]) => [
          name,
          lines.filter(([each]) => each.toLowerCase() === lower).map(([, value]) => value),
        ]),
      );
      for (const headers of [lines, byName]) {
        const received = await receive({ headers, body: 'body' });
        const own = received.filter((line) => names.has(lowerNameOf(line)));
        expect(own.sort()).toEqual([...expected].sort());
        for (const name of ['Age', 'Expires', 'Last-Modified', 'ETag', 'Vary', 'Pragma']) {
          const isSent = received.some((line) => lowerNameOf(line) === name.toLowerCase());
          expect(isSent, name).toBe(names.has(name.toLowerCase()));
        }
      }
    });
  },
);

test('a cookie is sent with the path of the sandbox', async () => {
  const received = await receive({ headers: { 'Set-Cookie': 'a=b' }, body: 'body' });
  expect(received.filter((line) => lowerNameOf(line) === 'set-cookie')).toEqual([
    'Set-Cookie: a=b; Path=/s/cache-origins',
  ]);
});

test.each([
  ...['Connection', 'Content-Length', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Transfer-Encoding'],
  ...['Upgrade', 'Clear-Site-Data', 'Content-Security-Policy', 'Public-Key-Pins', 'Set-Cookie2'],
  'X-Frame-Options',
])('only %s cannot be sent', async (name) => {
  const { status, json } = await service.send(`POST ${path}`, {
    json: { headers: { [name]: 'a' } },
  });
  expect(status).toBe(400);
  expect(json.message).toContain(`The header ${name} cannot be set: it `);
});
