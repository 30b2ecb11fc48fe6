import { beforeEach, describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const startMs = Date.UTC(2026, 0, 1);
let nowMs = startMs;
const service = useService({ now: () => nowMs });
const secure = useService({ baseUrl: 'https://api.example.org' });
beforeEach(() => {
  nowMs = startMs;
});

async function newToken(): Promise<string> {
  return (await service.send('GET /api/auth/csrf/token')).json.csrfToken;
}

function submit(cookies: readonly string[], tokens: readonly string[]) {
  return service.send('POST /api/auth/csrf/submit', {
    headers: [
      ...cookies.map((value) => ['Cookie', `a=b; XSRF-TOKEN=${value}`] as const),
      ...tokens.map((value) => ['X-CSRF-Token', value] as const),
    ],
    json: { any: 'body' },
  });
}

test('a token is sent in the body and in a cookie that scripts can read', async () => {
  const { status, headers, json } = await service.send('GET /api/auth/csrf/token');
  expect(status).toBe(200);
  expect(json).toEqual({ csrfToken: expect.any(String), message: expect.any(String) });
  expect(headers['set-cookie']).toEqual([
    `XSRF-TOKEN=${json.csrfToken}; Max-Age=3600; Path=/; SameSite=Lax`,
  ]);
  expect(headers['cache-control']).toBe('no-store');
});

test('behind https the cookie is Secure', async () => {
  const { headers } = await secure.send('GET /api/auth/csrf/token');
  expect(headers['set-cookie']?.[0]).toContain('; Secure');
});

test('a form whose cookie and header are equal is accepted', async () => {
  const token = await newToken();
  const { status, json } = await submit([token], [token]);
  expect(status).toBe(200);
  expect(json).toEqual({ message: expect.any(String), submittedAt: '2026-01-01T00:00:00.000Z' });
});

test('a token is valid for an hour', async () => {
  const token = await newToken();
  nowMs = startMs + 3_599_999;
  expect((await submit([token], [token])).status).toBe(200);
  nowMs = startMs + 3_600_000;
  const { status, json } = await submit([token], [token]);
  expect(status).toBe(403);
  expect(json.message).toContain("expired at '2026-01-01T01:00:00.000Z'");
});

describe('403 says what is wrong', () => {
  test.each<[string, (token: string) => [string[], string[]], RegExp]>([
    ['nothing', () => [[], []], /cookie XSRF-TOKEN is missing/],
    ['no cookie', (token) => [[], [token]], /cookie XSRF-TOKEN is missing/],
    ['no header', (token) => [[token], []], /header X-CSRF-Token or X-XSRF-TOKEN is missing/],
    ['an empty header', (token) => [[token], ['']], /X-CSRF-Token or X-XSRF-TOKEN is missing/],
    ['two cookies', (token) => [[token, token], [token]], /is repeated/],
    ['two headers', (token) => [[token], [token, token]], /is repeated/],
    ['another header', (token) => [[token], [`${token}x`]], /differ/],
    ['a token of another service', () => [['x'], ['x']], /not issued by this service/],
    [
      'a changed token',
      (token) => [[`B${token.slice(1)}`], [`B${token.slice(1)}`]],
      /not issued by this service/,
    ],
  ])('%s', async (_name, make, message) => {
    const { status, json } = await submit(...make(await newToken()));
    expect(status).toBe(403);
    expect(json.message).toMatch(message);
  });
});

describe('the header X-XSRF-TOKEN', () => {
  const send = async (headers: readonly (readonly [string, string])[]) => {
    const token = await newToken();
    return service.send('POST /api/auth/csrf/submit', {
      headers: [
        ['Cookie', `XSRF-TOKEN=${token}`],
        ...headers.map(([name, value]) => [name, value.replace('$', token)] as const),
      ],
    });
  };

  test.each<[string, [string, string][]]>([
    ['as axios and Angular send it', [['X-XSRF-TOKEN', '$']]],
    ['in lower case', [['x-xsrf-token', '$']]],
    [
      'beside the same X-CSRF-Token',
      [
        ['X-CSRF-Token', '$'],
        ['X-XSRF-TOKEN', '$'],
      ],
    ],
    [
      'beside an empty X-CSRF-Token',
      [
        ['X-CSRF-Token', ''],
        ['X-XSRF-TOKEN', '$'],
      ],
    ],
  ])('accepts %s', async (_name, headers) => {
    expect((await send(headers)).status).toBe(200);
  });

  test.each<[string, [string, string][], RegExp]>([
    [
      'another value',
      [['X-XSRF-TOKEN', 'x$']],
      /cookie XSRF-TOKEN and the header X-XSRF-TOKEN differ/,
    ],
    [
      'another X-CSRF-Token',
      [
        ['X-CSRF-Token', 'x'],
        ['X-XSRF-TOKEN', '$'],
      ],
      /headers X-CSRF-Token and X-XSRF-TOKEN differ/,
    ],
    [
      'two of them',
      [
        ['X-XSRF-TOKEN', '$'],
        ['X-XSRF-TOKEN', '$'],
      ],
      /X-XSRF-TOKEN is repeated/,
    ],
  ])('rejects %s', async (_name, headers, message) => {
    const { status, json } = await send(headers);
    expect(status).toBe(403);
    expect(json.message).toMatch(message);
  });
});
