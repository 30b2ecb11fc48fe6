import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';

const service = useDirectService();
const { send } = service;
const post = 'POST /api/http/respond';

/** Reads everything that a script sends, until the server ends the connection. */
async function wire(script: object, target = 'POST /api/http/respond', version = '1.1') {
  const connection = openConnection(service.url);
  const body = JSON.stringify(script);
  const headers = { Connection: 'close', 'Content-Type': 'application/json' };
  const text = requestText(target, headers, body);
  connection.send(version === '1.1' ? text : text.replace('HTTP/1.1', `HTTP/${version}`));
  await connection.ended;
  return connection.received();
}

test('status, headers and body are as in the script', async () => {
  const response = await send(post, {
    json: {
      status: 201,
      headers: [
        ['Location', '/x'],
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      body: 'Zürich',
    },
  });
  expect(response.status).toBe(201);
  expect(response.text).toBe('Zürich');
  expect(response.headers).toMatchObject({
    location: '/x',
    'x-a': '1, 2',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '7',
  });
});

test('bytes are sent unchanged, and cannot run as a script', async () => {
  const response = await send(post, {
    json: { bodyBase64: 'AP8=', headers: { 'Content-Type': 'text/html' } },
  });
  expect([...response.bytes]).toEqual([0, 255]);
  expect(response.headers['content-security-policy']).toMatch(/^sandbox;/);
  expect(response.headers['x-content-type-options']).toBe('nosniff');
});

test('an empty script is an empty 200', async () => {
  const { status, headers, text } = await send(post, { json: {} });
  expect([status, text, headers['content-length'], headers['content-type']]).toEqual([
    200,
    '',
    '0',
    undefined,
  ]);
});

test('a method without a body has the script in its query, and other methods may send any body', async () => {
  const script = Buffer.from(JSON.stringify({ status: 404, body: 'Ж' })).toString('base64url');
  const got = await send(`GET /api/http/respond?script=${script}`);
  expect([got.status, got.text]).toEqual([404, 'Ж']);
  const put = await send(`PUT /api/http/respond?script=${script}`, { body: 'no script' });
  expect(put.status).toBe(404);
  const head = await send(`HEAD /api/http/respond?script=${script}`);
  expect(head.headers['content-length']).toBe('2');
});

test('chunks are chunks on the wire', async () => {
  const bytes = await wire({
    chunks: [{ data: 'one' }, { data: '', delayMs: 1 }, { data: 'two!' }],
  });
  expect(splitResponse(bytes).rest.toString()).toBe('3\r\none\r\n4\r\ntwo!\r\n0\r\n\r\n');
});

test('the head is sent before the first chunk, and each chunk after its delay', async () => {
  const connection = openConnection(service.url);
  const script = { chunks: [{ data: 'now' }, { data: 'never', delayMs: 29_000 }] };
  connection.send(
    requestText(post, { 'Content-Type': 'application/json' }, JSON.stringify(script)),
  );
  await connection.until('now');
  expect(connection.received().toString()).not.toContain('never');
  connection.socket.destroy();
});

test('trailers are announced and follow the last chunk', async () => {
  const bytes = await wire({ body: 'hello', trailers: { 'X-Checksum': '1', ETag: '"a"' } });
  const { headers, rest } = splitResponse(bytes);
  expect(headers.trailer).toBe('X-Checksum, ETag');
  expect(headers['content-length']).toBeUndefined();
  expect(rest.toString()).toBe('5\r\nhello\r\n0\r\nX-Checksum: 1\r\nETag: "a"\r\n\r\n');
});

const anyTrailers = {
  'Content-Length': '3',
  'Set-Cookie': 'a=b',
  'Transfer-Encoding': 'chunked',
  Date: 'now',
  __proto__x: '1',
};

test('trailers may have any name', async () => {
  const trailers = [...Object.entries(anyTrailers), ['Content-Length', '4']];
  const { headers, rest } = splitResponse(await wire({ body: 'hello', trailers }));
  expect(headers.trailer).toBe('Content-Length, Set-Cookie, Transfer-Encoding, Date, __proto__x');
  expect(rest.toString()).toBe(
    '5\r\nhello\r\n0\r\nContent-Length: 3\r\nSet-Cookie: a=b\r\nTransfer-Encoding: chunked\r\nDate: now\r\n__proto__x: 1\r\nContent-Length: 4\r\n\r\n',
  );
});

test('trailers may be announced that are not sent, and sent that are not announced', async () => {
  const trailers = { 'X-Sent': '1' };
  for (const [script, announced, sent] of [
    [{ headers: { Trailer: 'X-Other' }, trailers }, 'X-Other', 'X-Sent: 1\r\n'],
    [{ headers: { Trailer: 'X-Other' }, trailers: {} }, 'X-Other', ''],
    [{ announceTrailers: false, trailers }, undefined, 'X-Sent: 1\r\n'],
    [{ trailers: {} }, undefined, ''],
  ] as const) {
    const { headers, rest } = splitResponse(await wire({ body: 'hello', ...script }));
    expect(headers.trailer).toBe(announced);
    expect(rest.toString()).toBe(`5\r\nhello\r\n0\r\n${sent}\r\n`);
    const stored = { ...script, body: 'hello' };
    await send('PUT /s/announced/api/http/responses/a', { json: stored });
    const again = splitResponse(await wire({}, 'GET /s/announced/api/http/responses/a'));
    expect([again.headers.trailer, again.rest.toString()]).toEqual([announced, rest.toString()]);
    for (const [target, version] of [
      ['HEAD /api/http/respond', '1.1'],
      [post, '1.0'],
    ] as const) {
      const { status, headers } = splitResponse(await wire(stored, target, version));
      expect([status, headers.trailer]).toEqual([200, undefined]);
    }
    const empty = splitResponse(await wire({ ...script, status: 204 }));
    expect([empty.status, empty.headers.trailer]).toEqual([204, undefined]);
  }
});

test('the response names trailers of a stored script that clients must ignore', async () => {
  const put = 'PUT /s/trailers/api/http/responses/any';
  const { json } = await send(put, { json: { trailers: { ...anyTrailers, 'X-Fine': '1' } } });
  expect(json.warnings).toEqual(
    ['Content-Length', 'Set-Cookie', 'Transfer-Encoding', 'Date'].map(
      (name) => `A client must ignore the trailer ${name}: it controls the message.`,
    ),
  );
  expect((await send(put, { json: { trailers: { 'X-Fine': '1' } } })).json.warnings).toEqual([]);
});

describe('a body with a content coding', () => {
  const gzipped = gzipSync('practice');
  const script = {
    bodyBase64: gzipped.toString('base64'),
    headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' },
  };

  test('is sent unchanged, and decoded by clients', async () => {
    const { headers, bytes } = await send(post, { json: script });
    expect([headers['content-encoding'], bytes]).toEqual(['gzip', gzipped]);
    expect(headers['content-length']).toBe(String(gzipped.length));
    const viaFetch = await fetch(`${service.url}/api/http/respond`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(script),
    });
    expect(await viaFetch.text()).toBe('practice');
  });

  test.each([204, 304])('%i has the coding and no body', async (status) => {
    const { headers, rest } = splitResponse(await wire({ ...script, status }));
    expect([headers['content-encoding'], rest.length]).toEqual(['gzip', 0]);
  });

  test.each(['gzip', 'GZIP', 'x-gzip', 'br, gzip', 'aes128gcm', ''])(
    '%j is accepted as a coding',
    async (coding) => {
      const json = { headers: { 'Content-Encoding': coding } };
      const { headers, bytes } = await send(post, { json });
      expect([headers['content-encoding'], bytes.length]).toEqual([coding, 0]);
    },
  );
});

describe('header values beyond ASCII', () => {
  const lineOf = (bytes: Buffer, name: string) => {
    const start = bytes.indexOf(`\r\n${name}: `) + name.length + 4;
    return bytes.subarray(start, bytes.indexOf('\r\n', start));
  };

  test.each([
    [undefined, 'é', 'latin1'],
    ['latin1', 'é', 'latin1'],
    ['utf-8', 'é', 'utf8'],
    ['utf-8', '안녕 €', 'utf8'],
  ] as const)('with headerEncoding %s: %s', async (headerEncoding, value, bytes) => {
    const script = {
      headerEncoding,
      headers: { 'X-A': value },
      trailers: { 'X-T': value },
      informational: [{ status: 103, headers: { 'X-I': value } }],
      body: 'x',
    };
    const received = await wire(script);
    for (const name of ['X-A', 'X-T', 'X-I']) {
      expect(lineOf(received, name), name).toEqual(Buffer.from(value, bytes));
    }
  });

  test('the message says how to send them', async () => {
    const { json } = await send(post, { json: { headers: { 'X-A': '안' } } });
    expect(json.message).toBe(
      'The value of X-A has "안", which is not in Latin-1. Set headerEncoding to "utf-8" to send UTF-8.',
    );
  });
});

test('any number of interim responses are sent first', async () => {
  const bytes = await wire({
    informational: [
      { status: 102 },
      {
        status: 103,
        headers: [
          ['Link', '</a>; rel=preload'],
          ['Link', '</b>; rel=preload'],
        ],
      },
      { status: 199, headers: { 'X-A': '1' } },
    ],
    status: 204,
  });
  expect(bytes.toString()).toMatch(
    /^HTTP\/1\.1 102 Processing\r\n\r\nHTTP\/1\.1 103 Early Hints\r\nLink: <\/a>; rel=preload\r\nLink: <\/b>; rel=preload\r\n\r\nHTTP\/1\.1 199 \r\nX-A: 1\r\n\r\nHTTP\/1\.1 204 No Content\r\n/,
  );
});

test('a client of HTTP/1.0 gets no interim responses, no chunks and no trailers', async () => {
  const script = {
    informational: [{ status: 103 }],
    chunks: [{ data: 'one' }, { data: 'two' }],
    trailers: { 'X-A': '1' },
  };
  const bytes = await wire(script, post, '1.0');
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const { headers, rest } = splitResponse(bytes);
  expect(headers['transfer-encoding']).toBeUndefined();
  expect(headers.trailer).toBeUndefined();
  expect(rest.toString()).toBe('onetwo');
});

test.each([204, 205, 304])('%i has no body, whatever the script says', async (status) => {
  const bytes = await wire({ status, chunks: [{ data: 'x' }], trailers: { 'X-A': '1' } });
  const { headers, rest } = splitResponse(bytes);
  expect(rest.length).toBe(0);
  expect(headers.trailer).toBeUndefined();
});

test('HEAD gets the headers of GET', async () => {
  const script = { chunks: [{ data: 'x' }], trailers: { 'X-A': '1' } };
  const { headers, rest } = splitResponse(await wire(script, 'HEAD /api/http/respond'));
  expect(rest.length).toBe(0);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['content-length']).toBeUndefined();
});

test('a client that leaves during a delay frees its resources', async () => {
  const connection = openConnection(service.url);
  const script = JSON.stringify({ informational: [{ status: 102 }], delayMs: 30_000 });
  connection.send(requestText(post, { 'Content-Type': 'application/json' }, script));
  await connection.until('102 Processing');
  connection.socket.destroy();
  expect((await send(post, { json: { delayMs: 1 } })).status).toBe(200);
});

test('a cookie gets the path of the URL, or a path below it', async () => {
  const cookies = [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2; Path=/api/http/respond/x; HttpOnly'],
  ];
  const { headers } = await send(post, { json: { headers: cookies } });
  expect(headers['set-cookie']).toEqual([
    'a=1; Path=/api/http/respond',
    'b=2; Path=/api/http/respond/x; HttpOnly',
  ]);
  const own = { headers: { 'Set-Cookie': 'a=1; Path=/s/mine/any' } };
  const inside = await send('POST /s/mine/api/http/respond', { json: own });
  expect(inside.headers['set-cookie']).toEqual(['a=1; Path=/s/mine/any']);
});

test.each([
  'a=1; Path=/',
  'a=1; Path=/api/http',
  'a=1; Path=/api/http/responder',
  'a=1; path = /',
  'a=1; Path',
  'a=1; Path=',
  'a=1; Path=/api/http/respond; Path=/',
  'a=1; Domain=example.com',
])('the cookie %s would be sent to other paths, and is rejected', async (cookie) => {
  const { status, json } = await send(post, { json: { headers: { 'Set-Cookie': cookie } } });
  expect(status).toBe(400);
  expect(json.errors[0].field).toBe('headers.Set-Cookie');
});

test.each([
  [{ status: 100 }, 'status'],
  [{ status: 600 }, 'status'],
  [{ status: '200' }, 'status'],
  [{ headers: { Server: 'x' } }, 'headers.Server'],
  [{ headers: { Trailer: 'X-A' } }, 'headers.Trailer'],
  [{ trailers: { 'X-Accel-Redirect': '/' } }, 'trailers.X-Accel-Redirect'],
  [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'headers.Transfer-Encoding'],
  [{ headers: { 'Content-Length': '1' } }, 'headers.Content-Length'],
  [{ headers: { 'X-Accel-Redirect': '/' } }, 'headers.X-Accel-Redirect'],
  [{ headers: { 'X-A': 'a\r\nb' } }, 'headers.X-A'],
  [{ headers: 'X' }, 'headers'],
  [{ body: 'a', chunks: [] }, 'body'],
  [{ bodyBase64: 'a' }, 'bodyBase64'],
  [{ body: 'a'.repeat(256 * 1024 + 1) }, 'body'],
  [{ chunks: Array(101).fill({ data: '' }) }, 'chunks'],
  [{ chunks: [{ data: 1 }] }, 'chunks.0.data'],
  [{ delayMs: 30_001 }, 'delayMs'],
  [{ delayMs: 20_000, chunks: [{ data: '', delayMs: 10_001 }] }, 'delayMs'],
  [{ trailers: { 'X A': 'x' } }, 'trailers.X A'],
  [{ trailers: { 'X-A': 'a\r\nb' } }, 'trailers.X-A'],
  [{ trailers: { 'X-A': '안녕' } }, 'trailers.X-A'],
  [{ headers: { 'X-A': '안녕' } }, 'headers.X-A'],
  [{ headers: { 'X-A': 'a\u0001' }, headerEncoding: 'utf-8' }, 'headers.X-A'],
  [{ headers: { 'X-A': '안'.repeat(334) }, headerEncoding: 'utf-8' }, 'headers.X-A'],
  [{ headers: { 'X-A': '\ud800' }, headerEncoding: 'utf-8' }, 'headers.X-A'],
  [{ headerEncoding: 'utf-16' }, 'headerEncoding'],
  [{ informational: [{ status: 101 }] }, 'informational.0.status'],
  [{ informational: [{ status: 200 }] }, 'informational.0.status'],
  [
    { informational: [{ status: 103, headers: { 'Set-Cookie': 'a=b' } }] },
    'informational.0.headers.Set-Cookie',
  ],
  [{ informational: Array(11).fill({ status: 102 }) }, 'informational'],
  [{ more: 1 }, 'more'],
])('%j is rejected, and the response names %s', async (script, field) => {
  const { status, json } = await send(post, { json: script });
  expect(status).toBe(400);
  expect(json.errors[0].field).toBe(field);
});

test('an invalid script is rejected, and the response says what would be right', async () => {
  for (const [target, options, status] of [
    [post, {}, 400],
    [post, { body: '{"status":', headers: { 'Content-Type': 'application/json' } }, 400],
    [post, { body: 'x', headers: { 'Content-Type': 'text/plain' } }, 415],
    [post, { json: [] }, 400],
    [post, { json: null }, 400],
    ['GET /api/http/respond', {}, 400],
    ['GET /api/http/respond?script=%21', {}, 400],
    ['GET /api/http/respond?script=bm8', {}, 400],
    ['GET /api/http/respond?script=_w', {}, 400],
    ['GET /api/http/respond?script=e30&script=e30', {}, 400],
  ] as const) {
    expect((await send(target, options)).json, target).toMatchObject({ status });
  }
});

test('a response is stored under a name, for every method except PUT and DELETE', async () => {
  const at = '/s/mine/api/http/responses/down';
  const made = await send(`PUT ${at}`, { json: { status: 503, body: 'Later' } });
  expect(made.status).toBe(201);
  expect(made.json).toEqual({ name: 'down', url: service.url + at, warnings: [] });
  expect(made.headers.location).toBe(service.url + at);
  for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const response = await send(`${method} ${at}`);
    expect([method, response.status, response.text]).toEqual([method, 503, 'Later']);
  }
  const replaced = await send(`PUT ${at}`, { json: { chunks: [{ data: 'a' }, { data: 'b' }] } });
  expect(replaced.status).toBe(200);
  expect((await send(`GET ${at}`)).text).toBe('ab');
  const byHeader = await send('GET /api/http/responses/down', { headers: { 'X-Sandbox': 'mine' } });
  expect(byHeader.text).toBe('ab');
  expect((await send('GET /s/other/api/http/responses/down')).status).toBe(404);
  expect((await send(`DELETE ${at}`)).status).toBe(204);
  expect((await send(`DELETE ${at}`)).status).toBe(404);
  expect((await send(`GET ${at}`)).status).toBe(404);
});

test('the shared sandbox stores nothing, and names have a maximum length', async () => {
  expect((await send('PUT /api/http/responses/x', { json: {} })).status).toBe(403);
  expect((await send('DELETE /api/http/responses/x')).status).toBe(403);
  expect((await send('GET /api/http/responses/x')).status).toBe(404);
  const long = 'x'.repeat(65);
  expect((await send(`PUT /s/mine/api/http/responses/${long}`, { json: {} })).status).toBe(400);
  const faulty = await send('PUT /s/mine/api/http/responses/x', { json: { status: 99 } });
  expect(faulty.json.errors[0].field).toBe('status');
});

test('a planned fault cuts a scripted response like any other', async () => {
  const rules = [{ match: {}, sequence: [{ cutChunk: 4 }] }];
  await send('PUT /s/cut/api/sandbox/faults', { json: { rules } });
  const bytes = await wire({ chunks: [{ data: 'abcdefgh' }] }, 'POST /s/cut/api/http/respond');
  expect(splitResponse(bytes).rest.toString()).toBe('4\r\nabcd\r\n');
});
