import { getSetCookies, Headers } from 'undici';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;
const path = '/api/http/cookies';

test('the response shows names, values, order, and the headers as received', async () => {
  const raw = 'b=2; a=1;c="x y"; a=0; =n; lonely; d=%20=';
  const { json } = await send(`GET ${path}`, { headers: { Cookie: raw } });
  expect(json).toEqual({
    cookies: [
      { name: 'b', value: '2' },
      { name: 'a', value: '1' },
      { name: 'c', value: '"x y"' },
      { name: 'a', value: '0' },
      { name: '', value: 'n' },
      { name: '', value: 'lonely' },
      { name: 'd', value: '%20=' },
    ],
    raw: [raw],
  });
  expect((await send(`GET ${path}`)).json).toEqual({ cookies: [], raw: [] });
  const headers = [
    ['Cookie', 'a=1'],
    ['cookie', `b=${Buffer.from('ü').toString('latin1')}`],
  ] as const;
  expect((await send(`GET ${path}`, { headers })).json).toEqual({
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: 'ü' },
    ],
    raw: ['a=1', 'b=ü'],
  });
});

test('a cookie is set with every attribute, as undici parses it', async () => {
  const { headers, json } = await send(`POST ${path}`, {
    json: {
      name: 'a',
      value: 'b',
      path: '/x',
      domain: 'localhost',
      maxAge: 60,
      expires: '2027-01-02T03:04:05Z',
      secure: true,
      httpOnly: true,
      sameSite: 'None',
      partitioned: true,
    },
  });
  const [header = ''] = headers['set-cookie'] ?? [];
  expect(header).toBe(
    'a=b; Path=/x; Domain=localhost; Max-Age=60; Expires=Sat, 02 Jan 2027 03:04:05 GMT; Secure; HttpOnly; SameSite=None; Partitioned',
  );
  expect(json).toMatchObject({ name: 'a', value: 'b', setCookie: header });
  expect(getSetCookies(new Headers([['Set-Cookie', header]]))).toMatchObject([
    {
      name: 'a',
      value: 'b',
      path: '/x',
      domain: 'localhost',
      maxAge: 60,
      expires: new Date('2027-01-02T03:04:05Z'),
      secure: true,
      httpOnly: true,
      sameSite: 'None',
    },
  ]);
});

test.each([
  ['Sunday, 06-Nov-94 08:49:37 GMT', []],
  ['Sun Nov  6 08:49:37 1994', []],
  ['Sun, 06-Nov-2094 08:49:37 GMT', []],
  ['whenever', ['A client ignores Expires: it is not a date (RFC 6265bis section 5.1.1).']],
  ['', ['A client ignores Expires: it is not a date (RFC 6265bis section 5.1.1).']],
])('Expires=%s is sent as given', async (expires, warnings) => {
  const { status, json } = await send(`POST ${path}`, { json: { name: 'a', expires } });
  expect([status, json.warnings]).toEqual([200, warnings]);
  expect(json.setCookie).toBe(`a=; Path=/api/http/cookies; Expires=${expires}`);
});

test('without a path it is sent to all of these paths, in the sandbox of the URL', async () => {
  const { headers } = await send(`POST ${path}`, { json: { name: 'a' } });
  expect(headers['set-cookie']).toEqual(['a=; Path=/api/http/cookies']);
  const inside = await send(`GET /s/mine${path}/set?a=1`);
  expect(inside.headers['set-cookie']).toEqual(['a=1; Path=/s/mine/api/http/cookies']);
});

test.each([
  [{ name: '__Host-a', path: '/' }, [/requires Secure/]],
  [{ name: '__Secure-a' }, [/requires Secure/]],
  [{ name: 'a', sameSite: 'None' }, [/SameSite=None requires Secure/]],
  [{ name: 'a', domain: 'elsewhere.test' }, [/does not cover/]],
  [{ name: 'a', secure: true }, [/Secure over http/]],
  [{ name: 'a', value: 'b' }, []],
])('%j is set nevertheless, with a warning', async (cookie, warnings) => {
  const { status, headers, json } = await send(`POST ${path}`, { json: cookie });
  expect(status).toBe(200);
  expect(headers['set-cookie']).toHaveLength(1);
  expect(json.warnings).toHaveLength(warnings.length);
  for (const [index, warning] of warnings.entries()) expect(json.warnings[index]).toMatch(warning);
});

test('several are set at once, of any name', async () => {
  const { headers, json } = await send(`GET ${path}/set?b=1&a=2&a=3&delay=10&error=500`);
  const set = ['b=1', 'a=2', 'a=3', 'delay=10', 'error=500'];
  expect(headers['set-cookie']).toEqual(set.map((pair) => `${pair}; Path=${path}`));
  expect(json.cookies).toHaveLength(5);
});

test('a cookie is deleted by one with an expiry in the past and the same attributes', async () => {
  const end = 'Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT';
  for (const [target, expected] of [
    ['a', `a=; Path=${path}; ${end}`],
    ['a?path=/x&domain=localhost', `a=; Path=/x; Domain=localhost; ${end}`],
    ['__Host-a', `__Host-a=; Path=/; ${end}; Secure; HttpOnly`],
  ]) {
    const { headers } = await send(`DELETE ${path}/${target}`);
    expect(headers['set-cookie']).toEqual([expected]);
  }
});

test.each([
  [{ name: 'a b' }, 'name'],
  [{ name: '' }, 'name'],
  [{}, 'name'],
  [{ name: 'a', value: 'b;c' }, 'value'],
  [{ name: 'a', value: 'b\r\nX: y' }, 'value'],
  [{ name: 'a', value: 'ü' }, 'value'],
  [{ name: 'a', path: '/;' }, 'path'],
  [{ name: 'a', maxAge: '1' }, 'maxAge'],
  [{ name: 'a', expires: 'a; Secure' }, 'expires'],
  [{ name: 'a', sameSite: 'Sometimes' }, 'sameSite'],
  [{ name: 'a', secure: 'yes' }, 'secure'],
  [{ name: 'a', more: 1 }, 'more'],
  [{ name: 'a', value: 'x'.repeat(8193) }, 'value'],
])('%j is rejected, and the response names %s', async (cookie, field) => {
  const { status, headers, json } = await send(`POST ${path}`, { json: cookie });
  expect([status, json.errors[0].field]).toEqual([400, field]);
  expect(headers['set-cookie']).toBeUndefined();
});

test('a query that names no cookie, too many, or an invalid one is rejected', async () => {
  const many = Array.from({ length: 21 }, (_, index) => `a${index}=1`).join('&');
  for (const query of ['', `?${many}`, '?a%20b=1', '?a=%3B', '?a=%0D%0A', '?a=%', '?=1']) {
    const { status, headers } = await send(`GET ${path}/set${query}`);
    expect([query, status]).toEqual([query, 400]);
    expect(headers['set-cookie']).toBeUndefined();
  }
});

test('every malformed kind is sent as documented, byte for byte', async () => {
  const { kinds } = (await send(`GET ${path}/malformed`)).json;
  expect(kinds.length).toBeGreaterThan(40);
  expect(new Set(kinds.map(({ kind }: { kind: string }) => kind)).size).toBe(kinds.length);
  for (const { kind, url } of kinds) {
    const target = url.slice(service.url.length);
    const { headers, json } = await send(`GET ${target}`);
    const sent = headers['set-cookie']?.map((each) => Buffer.from(each, 'latin1').toString());
    expect(sent, kind).toEqual(json.setCookie);
    expect(json.setCookie.length, kind).toBeGreaterThan(0);
  }
  expect((await send(`GET ${path}/malformed/none`)).status).toBe(404);
});

test('a deep path shows which paths match it', async () => {
  const { json } = await send(`GET ${path}/a/deep/path`, { headers: { Cookie: 'a=1' } });
  expect(json).toMatchObject({
    path: '/api/http/cookies/a/deep/path',
    cookies: [{ name: 'a', value: '1' }],
  });
  expect(json.matching).toEqual([
    '/',
    '/api',
    '/api/',
    '/api/http',
    '/api/http/',
    '/api/http/cookies',
    '/api/http/cookies/',
    '/api/http/cookies/a',
    '/api/http/cookies/a/',
    '/api/http/cookies/a/deep',
    '/api/http/cookies/a/deep/',
    '/api/http/cookies/a/deep/path',
  ]);
});

test('an exercise notes the cookies of each step, in turn, and judges them', async () => {
  const { status, headers, json } = await send(`POST /s/mine${path}/jar`);
  expect(status).toBe(201);
  expect(headers['set-cookie']).toHaveLength(13);
  expect(json.steps).toHaveLength(6);
  const at = (url: string) => url.slice(service.url.length);
  expect((await send(`GET ${at(json.steps[1])}`)).status).toBe(409);
  const first = await send(`GET ${at(json.steps[0])}`, {
    headers: { Cookie: 'plain=1; other=1; expired=1' },
  });
  expect(first.json.came).toEqual([
    { name: 'plain', value: '1' },
    { name: 'expired', value: '1' },
  ]);
  expect(first.json.next).toBe(json.steps[1]);
  // Only the first visit counts.
  await send(`GET ${at(json.steps[0])}`);
  for (const step of json.steps.slice(1)) {
    const visited = await send(`GET ${at(step)}`, { headers: { Cookie: 'plain=1' } });
    expect(visited.status).toBe(200);
    const isTurn = step.endsWith('/er');
    expect(visited.headers['set-cookie'] ?? []).toHaveLength(isTurn ? 2 : 0);
  }
  const verdict = (await send(`GET ${at(json.verdict)}`)).json;
  expect(verdict).toMatchObject({ isComplete: true, isRight: false, next: null });
  const right = verdict.cookies.filter(({ isRight }: { isRight: boolean }) => isRight);
  const names = right.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['plain', 'zero', 'foreign', '__Host-loose', 'unsafe']);
});

test('concurrent visits of one step are one visit', async () => {
  const { json } = await send(`POST /s/mine${path}/jar`);
  const target = `GET ${json.steps[0].slice(service.url.length)}`;
  const headers = { Cookie: 'plain=1' };
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(target, { headers })));
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const verdict = await send(`GET ${json.verdict.slice(service.url.length)}`);
  expect(verdict.json.next).toBe(json.steps[1]);
});

test('an exercise belongs to one sandbox, and the shared one has none', async () => {
  expect((await send(`POST ${path}/jar`)).status).toBe(403);
  expect((await send(`GET ${path}/jar/x`)).status).toBe(403);
  const { id } = (await send(`POST /s/mine${path}/jar`)).json;
  expect((await send(`GET /s/other${path}/jar/${id}`)).status).toBe(404);
  expect((await send(`GET /s/other${path}/jar/${id}/start`)).status).toBe(404);
  expect((await send(`GET /s/mine${path}/jar/${id}/nowhere`)).status).toBe(404);
});
