import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

test('every status from 200 to 599 has its reason phrase and meaning', async () => {
  for (let status = 200; status < 600; status++) {
    const response = await send(`GET /api/http/status/${status}`);
    expect(response.status).toBe(status);
    if ([204, 205, 304].includes(status)) {
      expect(response.text).toBe('');
      continue;
    }
    const { json } = response;
    expect(Object.keys(json)).toEqual(['status', 'reason', 'meaning', 'specification']);
    expect(json.status).toBe(status);
    expect(json.specification).toMatch(/^https:\/\/www\.rfc-editor\.org\/rfc\/rfc\d+#section-/);
    const isAssigned = STATUS_CODES[status] !== undefined && status !== 509;
    if (isAssigned) expect(json.reason).toBe(STATUS_CODES[status]);
  }
});

test.each([
  [201, 'location', '/api/http/status/200'],
  [302, 'location', '/api/http/status/200'],
  [401, 'www-authenticate', 'Basic realm="practice"'],
  [405, 'allow', 'HEAD, POST'],
  [407, 'proxy-authenticate', 'Basic realm="practice"'],
  [426, 'upgrade', 'HTTP/2.0'],
  [426, 'connection', 'Upgrade'],
  [429, 'retry-after', '1'],
  [503, 'retry-after', '1'],
])('%i has %s', async (status, name, value) => {
  expect((await send(`GET /api/http/status/${status}`)).headers[name]).toBe(value);
});

test('416 has the complete length, and 206 the range', async () => {
  const missed = await send('GET /api/http/status/416');
  expect(missed.headers['content-range']).toBe(`bytes */${missed.bytes.length}`);
  const part = await send('GET /api/http/status/206');
  const size = part.bytes.length;
  expect(part.headers['content-range']).toBe(`bytes 0-${size - 1}/${size}`);
});

test('Location stays inside the sandbox of the URL', async () => {
  const { headers } = await send('GET /s/mine/api/http/status/303');
  expect(headers.location).toBe('/s/mine/api/http/status/200');
});

test('a requested header replaces the header that belongs to the status', async () => {
  const query = 'header=WWW-Authenticate:Negotiate&header=X-A:1&header=X-A:2';
  const { headers } = await send(`GET /api/http/status/401?${query}`);
  expect(headers['www-authenticate']).toBe('Negotiate');
  expect(headers['x-a']).toBe('1, 2');
});

test('body, headers and a delay can be combined, and a body cannot run as a script', async () => {
  const query = 'body=%3Cscript%3E&header=Content-Type:text/html&retryAfter=2026-01-02';
  const response = await send(`GET /api/http/status/200?${query}`);
  expect(response.text).toBe('<script>');
  expect(response.headers).toMatchObject({
    'content-type': 'text/html',
    'retry-after': 'Fri, 02 Jan 2026 00:00:00 GMT',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
});

test.each([204, 205, 304])('%i omits a requested body', async (status) => {
  const { text, headers } = await send(`GET /api/http/status/${status}?body=hello`);
  expect(text).toBe('');
  expect(headers['content-type']).toBeUndefined();
});

test('any method gets a response, and HEAD is GET without the body', async () => {
  for (const method of [
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'PURGE',
  ]) {
    expect((await send(`${method} /api/http/status/404`)).status, method).toBe(404);
  }
  const got = await send('GET /api/http/status/404');
  const head = await send('HEAD /api/http/status/404');
  expect(head.headers['content-length']).toBe(String(got.bytes.length));
});

test('an unread body leaves the connection usable', async () => {
  const connection = openConnection(service.url);
  connection.send(requestText('POST /api/http/status/201', {}, 'x'.repeat(100_000)));
  connection.send(requestText('GET /api/http/status/204', { Connection: 'close' }));
  await connection.ended;
  expect(connection.received().toString()).toMatch(
    /^HTTP\/1\.1 201 Created\r\n[\s\S]*HTTP\/1\.1 204 No Content\r\n/,
  );
});

test('on the wire 205 has the length 0, and 204 and 304 have none', async () => {
  for (const [status, length] of [
    [205, '0'],
    [204, undefined],
    [304, undefined],
  ] as const) {
    const connection = openConnection(service.url);
    connection.send(requestText(`GET /api/http/status/${status}`, { Connection: 'close' }));
    await connection.ended;
    const { headers, rest } = splitResponse(connection.received());
    expect(headers['content-length'], String(status)).toBe(length);
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(rest.length).toBe(0);
  }
});

test('a client of HTTP/1.0 gets no connection options', async () => {
  const connection = openConnection(service.url);
  connection.send('GET /api/http/status/426 HTTP/1.0\r\nHost: localhost\r\n\r\n');
  await connection.ended;
  expect(splitResponse(connection.received()).headers).toMatchObject({
    upgrade: 'HTTP/2.0',
    connection: 'close',
  });
});

test('several statuses are chosen by their weights', async () => {
  const seen = new Set<number>();
  for (let count = 0; count < 100; count++) {
    seen.add((await send('GET /api/http/status/200:1,503:1,404:0')).status);
  }
  expect([...seen].sort()).toEqual([200, 503]);
});

test('the n-th request with a seed in a sandbox always gets the same status', async () => {
  const run = async (sandbox: string, seed: number) => {
    const statuses: number[] = [];
    for (let count = 0; count < 20; count++) {
      const target = `GET /s/${sandbox}/api/http/status/200:2,429,503?seed=${seed}`;
      statuses.push((await send(target)).status);
    }
    return statuses;
  };
  const first = await run('one', 7);
  expect(new Set(first).size).toBe(3);
  expect(await run('another', 7)).toEqual(first);
  expect(await run('another', 8)).not.toEqual(first);
  await send('DELETE /api/sandbox', { headers: { 'X-Sandbox': 'one' } });
  expect(await run('one', 7)).toEqual(first);
});

test('concurrent requests with a seed use each position once', async () => {
  const target = (sandbox: string) => `GET /s/${sandbox}/api/http/status/200:2,429,503?seed=3`;
  const inTurn: number[] = [];
  for (let count = 0; count < 20; count++) inTurn.push((await send(target('turns'))).status);
  const together = await Promise.all(inTurn.map(() => send(target('together'))));
  expect(together.map(({ status }) => status).sort()).toEqual([...inTurn].sort());
});

test('a seed requires a named sandbox', async () => {
  const { status, json } = await send('GET /api/http/status/200,503?seed=1');
  expect(status).toBe(403);
  expect(json.message).toContain('X-Sandbox');
});

test.each([
  ['99', 'codes'],
  ['600', 'codes'],
  ['ok', 'codes'],
  ['200,', 'codes'],
  ['200?seed=x', 'seed'],
  ['200?seed=-1', 'seed'],
  ['200?retryAfter=a%0Ab', 'retryAfter'],
  ['200?header=X-A:%EC%95%88', 'header.0'],
  ['200?headerEncoding=utf-16', 'headerEncoding'],
  ['200?header=Server:x', 'header.0'],
  ['200?header=Content-Encoding:gzip', 'header.0'],
  ['200?header=X-A', 'header.0'],
  ['200?header=Set-Cookie:a=b', 'header.0'],
  ['200?header=X-A:a%0D%0Ab', 'header.0'],
])('/status/%s is rejected, and the response names %s', async (target, field) => {
  const { status, json } = await send(`GET /api/http/status/${target}`);
  expect(status).toBe(400);
  expect(json.errors[0].field).toBe(field);
});

test.each([
  ['-1', '-1'],
  ['1.5', '1.5'],
  ['soon', 'soon'],
  ['', ''],
])('retryAfter=%j is sent unchanged, with a warning', async (given, sent) => {
  const { status, headers, json } = await send(`GET /api/http/status/503?retryAfter=${given}`);
  expect([status, headers['retry-after']]).toEqual([503, sent]);
  expect(json.warnings).toEqual([
    `A client must ignore Retry-After: ${JSON.stringify(given)} is neither seconds nor a date.`,
  ]);
});

test.each([
  ['0', '0'],
  ['120', '120'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['Sun Nov  6 08:49:37 1994', 'Sun Nov  6 08:49:37 1994'],
  ['1994-11-06T08:49:37Z', 'Sun, 06 Nov 1994 08:49:37 GMT'],
])('retryAfter=%s is %s, without a warning', async (given, sent) => {
  const target = `GET /api/http/status/429?retryAfter=${encodeURIComponent(given)}`;
  const { headers, json } = await send(target);
  expect([headers['retry-after'], json.warnings]).toEqual([sent, undefined]);
});

test('a header with any coding, and in UTF-8', async () => {
  const coded = await send('GET /api/http/status/200?header=Content-Encoding:gzip&body=x');
  expect([coded.headers['content-encoding'], coded.text]).toEqual(['gzip', 'x']);
  const target = 'GET /api/http/status/304?header=X-A:%EC%95%88&header=Content-Encoding:br&body=x';
  const { headers } = await send(`${target}&headerEncoding=utf-8`);
  expect(Buffer.from(String(headers['x-a']), 'latin1').toString()).toBe('안');
  expect(headers['content-encoding']).toBe('br');
});
