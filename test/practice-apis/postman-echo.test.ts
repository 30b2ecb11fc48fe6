import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants } from './held.js';

const service = useService();
const { send } = service;

const basic = (text: string) => ({
  Authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const at = 'timestamp=2016-10-10T10:20:30.400Z';
const plain = { type: 'text/plain' };

const documented: readonly Held[] = [
  {
    ask: 'GET /get?foo1=bar1&foo2=bar2',
    has: {
      args: { foo1: 'bar1', foo2: 'bar2' },
      url: expect.stringMatching(/\/postman-echo\/get\?foo1=bar1&foo2=bar2$/),
    },
  },
  {
    ask: 'POST /post',
    body: 'text',
    headers: { 'Content-Type': 'text/plain' },
    has: { data: 'text', json: null, form: {}, files: {} },
  },
  {
    ask: 'POST /post',
    body: 'a=1&b=2',
    headers: form,
    has: { data: '', form: { a: '1', b: '2' }, json: { a: '1', b: '2' } },
  },
  { ask: 'PUT /put', json: { a: [1] }, has: { data: { a: [1] }, json: { a: [1] } } },
  { ask: 'PATCH /patch', json: { a: 1 }, has: { json: { a: 1 } } },
  {
    ask: 'DELETE /delete',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
    has: { data: 'x' },
  },
  {
    ask: 'GET /headers',
    headers: { 'My-Header': 'Lorem' },
    has: { headers: { 'my-header': 'Lorem' } },
  },
  { ask: 'GET /response-headers?foo1=bar1', is: { foo1: 'bar1' }, sets: { foo1: 'bar1' } },
  { ask: 'GET /basic-auth', headers: basic('postman:password'), is: { authenticated: true } },
  { ask: 'GET /cookies', headers: { Cookie: 'a=b%20c' }, is: { cookies: { a: 'b c' } } },
  {
    ask: 'GET /cookies/set?a=b',
    status: 302,
    text: '',
    sets: { Location: /\/postman-echo\/cookies$/, 'Set-Cookie': /^a=b; Path=/ },
  },
  {
    ask: 'GET /cookies/delete?a=',
    status: 302,
    text: '',
    sets: { 'Set-Cookie': /^a=; .*Max-Age=0/ },
  },
  { ask: 'GET /status/404', status: 404, is: { status: 404 } },
  { ask: 'GET /delay/0.02', is: { delay: '0.02' } },
  { ask: 'GET /encoding/utf8', type: 'text/html', text: /你好/ },
  { ask: 'GET /ip', shape: { ip: '' } },
  { ask: 'GET /time/now', type: 'text/html', text: /GMT$/ },
  { ask: 'GET /time/valid?timestamp=2016-10-10', is: { valid: true } },
  { ask: 'GET /time/format?timestamp=2016-10-10&format=YYYY', is: { format: '2016' } },
  { ask: 'GET /time/unit?timestamp=2016-10-10&unit=day', is: { unit: 1 } },
  {
    ask: 'GET /time/add?timestamp=2016-10-10&years=100',
    is: { sum: 'Sat Oct 10 2116 00:00:00 GMT+0000' },
  },
  {
    ask: 'GET /time/subtract?timestamp=2016-10-10&years=50',
    is: { difference: 'Mon Oct 10 1966 00:00:00 GMT+0000' },
  },
  {
    ask: 'GET /time/start?timestamp=2016-10-10&unit=month',
    is: { start: 'Sat Oct 01 2016 00:00:00 GMT+0000' },
  },
  {
    ask: `GET /time/object?${at}`,
    is: {
      years: 2016,
      months: 9,
      date: 10,
      hours: 10,
      minutes: 20,
      seconds: 30,
      milliseconds: 400,
    },
  },
  { ask: 'GET /time/before?timestamp=2016-10-10&target=2017-10-10', is: { before: true } },
  { ask: 'GET /time/after?timestamp=2016-10-10&target=2017-10-10', is: { after: false } },
  {
    ask: 'GET /time/between?timestamp=2016-10-10&start=2017-10-10&end=2019-10-10',
    is: { between: false },
  },
  { ask: 'GET /time/leap?timestamp=2016-10-10', is: { leap: true } },
];

const variants: readonly Held[] = [
  { ask: 'GET /get?a=1&a=2', has: { args: { a: ['1', '2'] } } },
  {
    ask: 'POST /post',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
    status: 400,
    shape: { error: '' },
  },
  { ask: 'POST /post', has: { json: null, data: {} } },
  {
    ask: 'POST /post',
    body: '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhi\r\n--b--\r\n',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    has: { files: { 'a.txt': 'data:application/octet-stream;base64,aGk=' } },
  },
  {
    ask: 'GET /basic-auth',
    status: 401,
    ...plain,
    text: 'Unauthorized',
    sets: { 'WWW-Authenticate': /^Basic / },
  },
  { ask: 'GET /basic-auth', headers: basic('postman:wrong'), status: 401, ...plain },
  {
    ask: 'GET /digest-auth',
    status: 401,
    type: 'text/html',
    text: 'Unauthorized',
    sets: { 'WWW-Authenticate': /^Digest / },
  },
  {
    ask: 'GET /auth/hawk',
    status: 401,
    has: { statusCode: 401 },
    sets: { 'WWW-Authenticate': 'Hawk' },
  },
  {
    ask: 'GET /auth/hawk',
    headers: { Authorization: 'Hawk id="x", ts="1", nonce="n", mac="m"' },
    status: 401,
    has: { message: 'Unknown credentials' },
  },
  { ask: 'GET /oauth1', status: 401, has: { status: 'fail' } },
  { ask: 'GET /status/204', status: 204, text: '' },
  { ask: 'GET /status/999', status: 400 },
  { ask: 'GET /response-headers?Content-Length=1', status: 400 },
  { ask: 'GET /response-headers?Set-Cookie=a%3Db', status: 400 },
  { ask: 'GET /cookies/set?a%3B=b', status: 400 },
  { ask: 'GET /time/valid?timestamp=nonsense', is: { valid: false } },
  { ask: 'GET /time/format?timestamp=nonsense', status: 400 },
  { ask: 'GET /time/unit?timestamp=2016-10-10&unit=fortnight', status: 400 },
  {
    ask: `GET /time/format?${at}&format=dddd,%20D%20MMMM%20YY%20[at]%20hh:mm%20A`,
    is: { format: 'Monday, 10 October 16 at 10:20 AM' },
  },
  {
    ask: 'GET /time/add?timestamp=2016-01-31&months=1',
    is: { sum: 'Mon Feb 29 2016 00:00:00 GMT+0000' },
  },
  { ask: 'GET /nothing', status: 404, ...plain },
  { ask: 'POST /get', status: 404, ...plain },
];

hold(service, '/postman-echo', 'Documented requests', documented);
holdVariants(service, '/postman-echo', 'Documented requests', documented, { describesUrl: true });
hold(service, '/postman-echo', 'Variants', variants);

test('compressed responses, and parts of a stream', async () => {
  for (const [coding, mark] of [
    ['gzip', 'gzipped'],
    ['deflate', 'deflated'],
  ]) {
    const response = await fetch(`${service.url}/postman-echo/${coding}`);
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(await response.json()).toMatchObject({ [mark as string]: true, method: 'GET' });
  }
  const { text } = await send('GET /postman-echo/stream/3');
  expect(text.match(/"args"/g)).toHaveLength(3);
});

test('Hawk accepts a right mac, once per clock', async () => {
  const { host, hostname, port } = new URL(service.url);
  const path = '/s/hawk/postman-echo/auth/hawk?a=1';
  const ts = Math.floor(Date.now() / 1000);
  const lines = ['hawk.1.header', ts, 'n0', 'GET', path, hostname, port, '', 'e', ''];
  const key = 'werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn';
  const mac = createHmac('sha256', key).update(lines.join('\n')).digest('base64');
  const Authorization = `Hawk id="dh37fgj492je", ts="${ts}", nonce="n0", ext="e", mac="${mac}"`;
  const headers = { Authorization, Host: host };
  expect((await send(`GET ${path}`, { headers })).json).toEqual({
    message: 'Hawk Authentication Successful',
  });
  expect((await send(`GET ${path}2`, { headers })).json.message).toBe('Bad mac');
  await send('PUT /s/hawk/api/sandbox/clock', { json: { offsetSeconds: 120 } });
  expect((await send(`GET ${path}`, { headers })).json.message).toBe('Stale timestamp');
});

test('OAuth 1.0a accepts a right signature, and shows what it computed for a wrong one', async () => {
  const url = `${service.url}/postman-echo/oauth1`;
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const params = {
    oauth_consumer_key: 'RKCGzna7bv9YD57c',
    oauth_nonce: 'n',
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: '1',
    oauth_version: '1.0',
  };
  const joined = Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const base = ['GET', url, joined].map(encoded).join('&');
  const signature = createHmac('sha1', `${encoded('D+EdQ-gs$-%@2Nu7')}&`)
    .update(base)
    .digest('base64');
  const headerWith = (text: string) => ({
    Authorization: `OAuth ${Object.entries({ ...params, oauth_signature: encoded(text) })
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}`,
  });
  const right = await send('GET /postman-echo/oauth1', { headers: headerWith(signature) });
  expect(right.json).toEqual({
    status: 'pass',
    message: 'OAuth-1.0a signature verification was successful',
  });
  const wrong = await send('GET /postman-echo/oauth1', { headers: headerWith('x') });
  expect(wrong.json).toMatchObject({ status: 'fail', base_uri: url, base_string: base });
});

test('Digest accepts the documented user', async () => {
  const path = '/postman-echo/digest-auth';
  const challenge = String((await send(`GET ${path}`)).headers['www-authenticate']);
  const read = (name: string) => new RegExp(`${name}="?([^",]+)`).exec(challenge)?.[1] ?? '';
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const response = md5(
    [
      md5(`postman:${read('realm')}:password`),
      read('nonce'),
      '00000001',
      'c',
      'auth',
      md5(`GET:${path}`),
    ].join(':'),
  );
  const Authorization = `Digest username="postman", realm="${read('realm')}", nonce="${read('nonce')}", uri="${path}", qop=auth, nc=00000001, cnonce="c", opaque="${read('opaque')}", response="${response}", algorithm=MD5`;
  expect((await send(`GET ${path}`, { headers: { Authorization } })).json).toEqual({
    authenticated: true,
  });
});

test('collections are converted in both directions', async () => {
  const old = {
    ...{ id: 'c1', name: 'C', description: 'd', order: ['r1'] },
    requests: [
      {
        id: 'r1',
        name: 'R',
        url: 'https://x.example',
        method: 'POST',
        headers: 'A: b\n',
        dataMode: 'raw',
        rawModeData: '{}',
        tests: 'a\nb',
      },
    ],
  };
  const made = (await send('POST /postman-echo/transform/collection?from=1&to=2', { json: old }))
    .json;
  expect(made).toMatchObject({
    info: { name: 'C', _postman_id: 'c1' },
    item: [
      {
        name: 'R',
        request: {
          method: 'POST',
          header: [{ key: 'A', value: 'b' }],
          body: { mode: 'raw', raw: '{}' },
        },
        event: [{ listen: 'test', script: { exec: ['a', 'b'] } }],
      },
    ],
  });
  const back = (await send('POST /postman-echo/transform/collection?from=2&to=1', { json: made }))
    .json;
  expect(back.requests[0]).toMatchObject({
    name: 'R',
    method: 'POST',
    headers: 'A: b',
    rawModeData: '{}',
    tests: 'a\nb',
  });
  expect(
    (
      await send('POST /postman-echo/transform/collection?from=2&to=1', {
        json: { item: [1, { item: 3 }] },
      })
    ).status,
  ).toBe(200);
});

test('a converted collection has each request once, however often its order names it', async () => {
  const requests = [
    { id: 'a', name: 'A', url: '/' },
    { id: 'b', name: 'B', url: '/' },
  ];
  const order = [...Array(4000).fill('a'), 'b', 'missing'];
  const { json } = await send('POST /postman-echo/transform/collection?from=1&to=2', {
    json: { name: 'C', order, requests },
  });
  expect(json.item.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
});
