import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isProxied } from '../support/create-service.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
const mebibyte = 1024 * 1024;

/** Sends requests in a new sandbox. */
function inOwnSandbox() {
  const sandbox = randomUUID();
  return (target: string, { headers = {}, ...options }: SendOptions = {}) => {
    const own = { 'X-Sandbox': sandbox, ...(headers as Record<string, string>) };
    return service.send(target.replace(' ', ' /api/http/uploads'), { ...options, headers: own });
  };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const tus = { 'Tus-Resumable': '1.0.0' };
const tusPart = (offset: number, more: Record<string, string> = {}) => ({
  ...tus,
  'Content-Type': 'application/offset+octet-stream',
  'Upload-Offset': String(offset),
  ...more,
});

describe('a file', () => {
  test('is stored unchanged, described, read and deleted', async () => {
    const send = inOwnSandbox();
    const body = Buffer.from([0, 255, 1, 2, 3]);
    const made = await send('POST ', {
      body,
      headers: {
        'Content-Type': 'image/x-test',
        'Content-Disposition': `attachment; filename*=UTF-8''%C3%A9.bin`,
      },
    });
    expect(made.status).toBe(201);
    const { id, contentUrl } = made.json;
    expect(made.headers.location).toMatch(new RegExp(`/api/http/uploads/${id}$`));
    expect(made.json).toEqual({
      id: expect.stringMatching(/^[\w-]{16}$/),
      name: 'é.bin',
      type: 'image/x-test',
      size: 5,
      uploadedBytes: 5,
      sha256: sha256(body),
      createdAt: expect.any(String),
      contentUrl: made.headers.location?.replace(id, `content/${id}`),
    });
    expect((await send(`GET /${id}`)).json).toEqual(made.json);
    expect((await send('GET ')).json).toEqual([made.json]);
    const content = await send(`GET /content/${id}`);
    expect(content.bytes).toEqual(body);
    expect(new URL(contentUrl).pathname).toBe(`/api/http/uploads/content/${id}`);
    expect(content.headers).toMatchObject({
      'content-type': 'image/x-test',
      'content-disposition': `inline; filename="_.bin"; filename*=UTF-8''%C3%A9.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect((await send(`DELETE /${id}`)).status).toBe(204);
    expect((await send(`GET /${id}`)).status).toBe(404);
    expect((await send(`GET /content/${id}`)).status).toBe(404);
    expect((await send(`DELETE /${id}`)).status).toBe(404);
  });

  test('in a form has the name and type of its part', async () => {
    const send = inOwnSandbox();
    const form = new FormData();
    form.set('note', 'beside it');
    form.set('file', new File(['Hello'], 'hello.txt', { type: 'text/plain' }));
    const encoded = new Response(form);
    const { status, json } = await send('POST ', {
      body: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: 'hello.txt', type: 'text/plain', size: 5 });
    expect((await send(`GET /content/${json.id}`)).text).toBe('Hello');
  });

  test('may be empty', async () => {
    const send = inOwnSandbox();
    const { json } = await send('POST ', { body: '' });
    expect(json).toMatchObject({ name: 'upload', size: 0, sha256: sha256('') });
    expect((await send(`GET /content/${json.id}`)).bytes).toHaveLength(0);
  });

  test('is sent in ranges, with digests, from any of its pieces', async () => {
    const send = inOwnSandbox();
    const body = Buffer.alloc(2 * mebibyte + 5, 'Practice makes perfect. ');
    const { json } = await send('POST ', { body, headers: { 'Content-Type': 'text/plain' } });
    const path = `GET /content/${json.id}`;
    for (const [Range, start, end] of [
      ['bytes=262143-262144', 262_143, 262_145],
      ['bytes=1000000-1999999', 1_000_000, 2_000_000],
      ['bytes=-7', body.length - 7, body.length],
    ] as const) {
      const part = await send(path, { headers: { Range, 'Want-Repr-Digest': 'sha-256=1' } });
      expect(part.status).toBe(206);
      expect(part.bytes.equals(body.subarray(start, end)), Range).toBe(true);
    }
    const whole = await send(path);
    expect(whole.bytes.equals(body)).toBe(true);
    const { etag = '', 'last-modified': lastModified = '' } = whole.headers;
    expect((await send(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await send(path, { headers: { 'If-Modified-Since': lastModified } })).status).toBe(304);
    const resumed = { Range: 'bytes=5-', 'If-Range': etag };
    expect((await send(path, { headers: resumed })).status).toBe(206);
    expect((await send(path, { headers: { Range: 'bytes=9999999-' } })).status).toBe(416);
  });

  test('that a page could run is sent as bytes', async () => {
    const send = inOwnSandbox();
    const { json } = await send('POST ', {
      body: 'alert(1)',
      headers: { 'Content-Type': 'text/javascript' },
    });
    expect(json.type).toBe('text/javascript');
    const { headers } = await send(`GET /content/${json.id}`);
    expect(headers['content-type']).toBe('application/octet-stream');
  });
});

test('the shared sandbox stores nothing', async () => {
  for (const [target, options] of [
    ['POST /api/http/uploads', { body: 'x' }],
    ['GET /api/http/uploads', {}],
    ['DELETE /api/http/uploads', {}],
    ['POST /api/http/uploads/tus', { headers: { ...tus, 'Upload-Length': '1' } }],
  ] as const) {
    const { status, json } = await service.send(target, options);
    expect([status, json.message], target).toEqual([403, expect.stringContaining('X-Sandbox')]);
  }
});

test('sandboxes do not see the files of others', async () => {
  const [mine, theirs] = [inOwnSandbox(), inOwnSandbox()];
  const { json } = await mine('POST ', { body: 'x' });
  expect((await theirs(`GET /content/${json.id}`)).status).toBe(404);
  expect((await theirs('GET ')).json).toEqual([]);
});

describe('the limit', () => {
  test('is 16 MiB in all, and each file is stored completely or not at all', async () => {
    const send = inOwnSandbox();
    const large = Buffer.alloc(8 * mebibyte);
    expect((await send('POST ', { body: large })).status).toBe(201);
    expect((await send('POST ', { body: large })).status).toBe(201);
    const { status, json } = await send('POST ', { body: 'x' });
    expect([status, json.message]).toEqual([409, expect.stringContaining('16777216')]);
    expect((await send('DELETE ')).status).toBe(204);
    expect((await send('GET ')).json).toEqual([]);
    expect((await send('POST ', { body: 'x' })).status).toBe(201);
  });

  test('is 100 files, however many are sent concurrently', async () => {
    const send = inOwnSandbox();
    const responses = await Promise.all(
      Array.from({ length: 105 }, () => send('POST ', { body: 'x' })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(100).fill(201), ...Array(5).fill(409)]);
    expect((await send('GET ')).json).toHaveLength(100);
  });

  test('is unaffected by a request of more than 10 MiB', async () => {
    const send = inOwnSandbox();
    const { status } = await send('POST ', { body: Buffer.alloc(10 * mebibyte + 1) });
    expect(status).toBe(413);
    expect((await send('GET ')).json).toEqual([]);
  });
});

test.each([
  ['no boundary', 'multipart/form-data', 'x', 'has no boundary'],
  [
    'no file',
    'multipart/form-data; boundary=a',
    '--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--a--\r\n',
    'no file',
  ],
  [
    'two files',
    'multipart/form-data; boundary=a',
    ['1', '2']
      .map(
        (name) =>
          `--a\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n1\r\n`,
      )
      .join('')
      .concat('--a--\r\n'),
    'several files',
  ],
  [
    'no closing boundary',
    'multipart/form-data; boundary=a',
    '--a\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n1',
    'Malformed',
  ],
])('a form with %s is rejected', async (_name, type, body, message) => {
  const { status, json } = await inOwnSandbox()('POST ', {
    body,
    headers: { 'Content-Type': type },
  });
  expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
});

test('a name with control characters, and a compressed body, are rejected', async () => {
  const send = inOwnSandbox();
  const named = { 'Content-Disposition': `attachment; filename*=UTF-8''a%0Ab` };
  expect((await send('POST ', { body: 'x', headers: named })).status).toBe(400);
  const coded = await send('POST ', { body: 'x', headers: { 'Content-Encoding': 'gzip' } });
  expect([coded.status, coded.headers['accept-encoding']]).toEqual([415, 'identity']);
});

describe('tus', () => {
  async function begin(send: ReturnType<typeof inOwnSandbox>, size: number, metadata?: string) {
    const headers = {
      ...tus,
      'Upload-Length': String(size),
      ...(metadata && { 'Upload-Metadata': metadata }),
    };
    const made = await send('POST /tus', { headers });
    expect([made.status, made.headers['tus-resumable']]).toEqual([201, '1.0.0']);
    return `/tus/${made.headers.location?.split('/').at(-1)}`;
  }

  test('lists its version and extensions', async () => {
    const { status, headers } = await inOwnSandbox()('OPTIONS /tus');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension':
        'creation,creation-with-upload,creation-defer-length,expiration,termination,checksum,concatenation',
      'tus-max-size': String(16 * mebibyte),
    });
  });

  test('resumes at the offset, until the upload is complete', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 11, `filename ${btoa('a.txt')},filetype ${btoa('text/plain')}`);
    const first = await send(`PATCH ${path}`, { headers: tusPart(0), body: 'Hello ' });
    expect([first.status, first.headers['upload-offset']]).toEqual([204, '6']);
    const head = await send(`HEAD ${path}`, { headers: tus });
    expect(head.status).toBe(200);
    expect(head.headers).toMatchObject({
      'upload-offset': '6',
      'upload-length': '11',
      'upload-metadata': `filename ${btoa('a.txt')},filetype ${btoa('text/plain')}`,
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    });
    const id = path.split('/').at(-1);
    const early = await send(`GET /content/${id}`);
    expect([early.status, early.json.message]).toEqual([409, expect.stringContaining('6 of 11')]);
    const last = await send(`PATCH ${path}`, { headers: tusPart(6), body: 'world' });
    expect(last.headers['upload-offset']).toBe('11');
    expect((await send(`GET /content/${id}`)).text).toBe('Hello world');
    expect((await send(`GET /${id}`)).json).toMatchObject({
      name: 'a.txt',
      type: 'text/plain',
      size: 11,
      sha256: sha256('Hello world'),
    });
  });

  test('keeps the bytes that arrived before the connection broke', async () => {
    const sandbox = randomUUID();
    const send = (target: string, headers: Record<string, string>) =>
      service.send(target, { headers: { 'X-Sandbox': sandbox, ...headers } });
    const size = mebibyte;
    const made = await send('POST /api/http/uploads/tus', {
      ...tus,
      'Upload-Length': String(size),
    });
    const { pathname } = new URL(made.headers.location ?? '');
    const connection = openConnection(service.url);
    const headers = { 'X-Sandbox': sandbox, Host: 'localhost', ...tusPart(0) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.send(
      `PATCH ${pathname} HTTP/1.1\r\n${lines.join('')}Content-Length: ${size}\r\n\r\n`,
    );
    connection.send(Buffer.alloc(600_000, 'x'));
    const offset = async () =>
      Number((await send(`HEAD ${pathname}`, tus)).headers['upload-offset']);
    // Two whole pieces are stored while the rest is in transit.
    await expect.poll(offset).toBe(524_288);
    connection.socket.end();
    await expect.poll(offset).toBeGreaterThan(524_288);
    const kept = await offset();
    // A proxy drops bytes that it has not forwarded when its client leaves.
    if (!isProxied) expect(kept).toBe(600_000);
    const rest = { 'X-Sandbox': sandbox, ...tusPart(kept) };
    const body = Buffer.alloc(size - kept, 'x');
    await expect
      .poll(async () => (await service.send(`PATCH ${pathname}`, { headers: rest, body })).status)
      .toBe(204);
    const id = pathname.split('/').at(-1);
    const { json } = await send(`GET /api/http/uploads/${id}`, {});
    expect(json.sha256).toBe(sha256(Buffer.alloc(size, 'x')));
  });

  test('in chunks of a byte is stored complete and in order', async () => {
    const sandbox = randomUUID();
    const own = { 'X-Sandbox': sandbox };
    const content = Array.from({ length: 300_000 }, (_, place) => String(place % 10)).join('');
    const made = await service.send('POST /api/http/uploads/tus', {
      headers: { ...own, ...tus, 'Upload-Length': String(content.length) },
    });
    const { pathname } = new URL(made.headers.location ?? '');
    const connection = openConnection(service.url);
    const headers = { ...own, 'Transfer-Encoding': 'chunked', ...tusPart(0) };
    const chunks = content.replace(/./g, '1\r\n$&\r\n');
    connection.send(`${requestText(`PATCH ${pathname}`, headers)}${chunks}0\r\n\r\n`);
    await connection.until('HTTP/1.1 204');
    const file = await service.send(`GET /api/http/uploads/${pathname.split('/').at(-1)}`, {
      headers: own,
    });
    expect(file.json.sha256).toBe(sha256(content));
    connection.socket.destroy();
  });

  test('accepts one of two writers at the same offset', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 10);
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) =>
        send(`PATCH ${path}`, { headers: tusPart(0), body: letter.repeat(10) }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [204, 409, 423].includes(status))).toBe(true);
    const { text } = await send(`GET ${path.replace('/tus', '/content')}`);
    expect(text).toMatch(/^(.)\1{9}$/);
  });

  test('accepts a body with the right checksum, and nothing of another', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 5);
    const digest = (text: string) => createHash('sha1').update(text).digest('base64');
    const patch = (checksum: string) => {
      const headers = tusPart(0, { 'Upload-Checksum': checksum });
      return send(`PATCH ${path}`, { headers, body: 'Hello' });
    };
    const wrong = fetch(`${service.url}/health`).then(() => patch(`crc32 ${digest('x')}`));
    expect((await wrong).status).toBe(400);
    await expect(patch(`sha1 ${digest('other')}`)).rejects.toThrow(/460/);
    expect((await send(`HEAD ${path}`, { headers: tus })).headers['upload-offset']).toBe('0');
    expect((await patch(`sha1 ${digest('Hello')}`)).status).toBe(204);
  });

  test('can be terminated', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 5);
    expect((await send(`DELETE ${path}`, { headers: tus })).status).toBe(204);
    expect((await send(`HEAD ${path}`, { headers: tus })).status).toBe(404);
    expect((await send('GET ')).json).toEqual([]);
  });

  test('accepts POST from clients that cannot send other methods', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 5);
    const headers = tusPart(0, { 'X-HTTP-Method-Override': 'PATCH' });
    expect((await send(`POST ${path}`, { headers, body: 'Hello' })).status).toBe(204);
    expect((await send(`POST ${path}`, { headers: tus })).status).toBe(400);
    const end = { ...tus, 'X-HTTP-Method-Override': 'delete' };
    expect((await send(`POST ${path}`, { headers: end })).status).toBe(204);
  });

  test('with length 0 is complete at once', async () => {
    const send = inOwnSandbox();
    await begin(send, 0);
    expect((await send('GET ')).json[0]).toMatchObject({ size: 0, sha256: sha256('') });
  });

  test('is rejected beyond the limit', async () => {
    const send = inOwnSandbox();
    const make = (length: string) =>
      send('POST /tus', { headers: { ...tus, 'Upload-Length': length } });
    expect((await make(String(16 * mebibyte + 1))).status).toBe(413);
    expect((await make(String(16 * mebibyte))).status).toBe(201);
    expect((await make('1')).status).toBe(409);
  });

  test('says what is wrong with a request', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 5);
    const make = (headers: Record<string, string>) => send('POST /tus', { headers });
    const patch = (headers: Record<string, string>, body = 'Hello') =>
      send(`PATCH ${path}`, { headers, body });
    const cases = [
      [await make({ 'Upload-Length': '5' }), 412, 'Tus-Resumable is missing'],
      [await make({ 'Tus-Resumable': '0.2.2', 'Upload-Length': '5' }), 412, '0.2.2'],
      [await make(tus), 400, 'Upload-Length'],
      [await make({ ...tus, 'Upload-Length': '-1' }), 400, 'Upload-Length'],
      [await make(tus), 400, 'Upload-Length is missing. Send the size in bytes'],
      [await make({ ...tus, 'Upload-Defer-Length': '2' }), 400, 'Upload-Defer-Length must be 1'],
      [await make({ ...tus, 'Upload-Defer-Length': '1', 'Upload-Length': '5' }), 400, 'not both'],
      [await make({ ...tus, 'Upload-Concat': 'parts', 'Upload-Length': '5' }), 400, 'got "parts"'],
      [await make({ ...tus, 'Upload-Concat': 'final;' }), 400, 'Upload-Concat must be'],
      [await make({ ...tus, 'Upload-Concat': 'final;/elsewhere/1' }), 400, 'such as http'],
      [await make({ ...tus, 'Upload-Concat': 'final;/tus/A' }), 400, 'such as http'],
      [await patch({ ...tusPart(0), 'Upload-Length': '6' }), 400, 'was 5 before'],
      [await make({ ...tus, 'Upload-Length': '1', 'Upload-Metadata': 'a  b' }), 400, 'Metadata'],
      [await patch({ ...tusPart(0), 'Content-Type': 'text/plain' }), 415, 'offset+octet-stream'],
      [await patch({ ...tusPart(0), 'Upload-Offset': 'x' }), 400, 'Upload-Offset'],
      [await patch(tusPart(3)), 409, '0 bytes have arrived'],
      [await patch(tusPart(0), 'Hello world'), 413, 'only 5 bytes'],
      [await patch({ ...tusPart(0), 'Tus-Resumable': '2' }), 412, '1.0.0'],
    ] as const;
    for (const [response, status, message] of cases) {
      expect([response.status, response.json.message]).toEqual([
        status,
        expect.stringContaining(message),
      ]);
      expect(response.headers['tus-resumable']).toBe('1.0.0');
    }
    const unknown = await send('HEAD /tus/AAAAAAAAAAAAAAAA', { headers: tus });
    expect(unknown.status).toBe(404);
    expect(cases[0][0].headers['tus-version']).toBe('1.0.0');
    expect((await send(`HEAD ${path}`, { headers: tus })).headers['upload-offset']).toBe('0');
  });

  test('stops a body of unknown length at the end of the upload', async () => {
    const send = inOwnSandbox();
    const path = await begin(send, 5);
    const headers = tusPart(0, { 'Transfer-Encoding': 'chunked' });
    const { status } = await send(`PATCH ${path}`, { headers, body: 'Hello world' });
    expect(status).toBe(413);
    expect((await send(`PATCH ${path}`, { headers, body: 'Hello' })).status).toBe(204);
  });

  test('accepts the length later, with the bytes or without', async () => {
    const send = inOwnSandbox();
    const made = await send('POST /tus', { headers: { ...tus, 'Upload-Defer-Length': '1' } });
    expect([made.status, made.json.size]).toEqual([201, null]);
    const path = `/tus/${made.json.id}`;
    await send(`PATCH ${path}`, { headers: tusPart(0), body: 'Hello ' });
    const { headers } = await send(`HEAD ${path}`, { headers: tus });
    expect(headers).toMatchObject({ 'upload-offset': '6', 'upload-defer-length': '1' });
    expect(headers).not.toHaveProperty('upload-length');
    const content = `GET /content/${made.json.id}`;
    expect((await send(content)).status).toBe(409);
    const small = await send(`PATCH ${path}`, { headers: tusPart(6, { 'Upload-Length': '5' }) });
    expect([small.status, small.json.message]).toEqual([400, expect.stringContaining('6 bytes')]);
    const last = tusPart(6, { 'Upload-Length': '11' });
    expect((await send(`PATCH ${path}`, { headers: last, body: 'world' })).status).toBe(204);
    expect((await send(content)).text).toBe('Hello world');
    expect((await send(`HEAD ${path}`, { headers: tus })).headers['upload-length']).toBe('11');
  });

  test('of unknown length has the same limit as others', async () => {
    const send = inOwnSandbox();
    await begin(send, 16 * mebibyte - 4);
    const made = await send('POST /tus', { headers: { ...tus, 'Upload-Defer-Length': '1' } });
    const path = `/tus/${made.json.id}`;
    const full = await send(`PATCH ${path}`, { headers: tusPart(0), body: 'Hello' });
    expect([full.status, full.json.message]).toEqual([
      409,
      expect.stringContaining('Not enough space'),
    ]);
    const large = tusPart(0, { 'Upload-Length': '5' });
    expect((await send(`PATCH ${path}`, { headers: large, body: 'Hell' })).status).toBe(409);
    const right = tusPart(0, { 'Upload-Length': '4' });
    expect((await send(`PATCH ${path}`, { headers: right, body: 'Hell' })).status).toBe(204);
  });

  describe('concatenation', () => {
    type Send = ReturnType<typeof inOwnSandbox>;

    async function part(send: Send, body: string, length = body.length) {
      const headers = { ...tus, 'Upload-Concat': 'partial', 'Upload-Length': String(length) };
      const { headers: made } = await send('POST /tus', { headers });
      const address = made.location ?? '';
      const path = `/tus/${address.split('/').at(-1)}`;
      await send(`PATCH ${path}`, { headers: tusPart(0), body });
      return { address, path };
    }

    function finish(send: Send, addresses: readonly string[], more: Record<string, string> = {}) {
      const concat = `final;${addresses.join(' ')}`;
      return send('POST /tus', { headers: { ...tus, 'Upload-Concat': concat, ...more } });
    }

    test('joins the parts in the order of their URLs', async () => {
      const send = inOwnSandbox();
      const [b, a, empty] = [
        await part(send, 'world'),
        await part(send, 'Hello '),
        await part(send, ''),
      ];
      const head = await send(`HEAD ${a.path}`, { headers: tus });
      expect(head.headers['upload-concat']).toBe('partial');
      const metadata = { 'Upload-Metadata': `filename ${btoa('a.txt')}` };
      const pathname = new URL(b.address).pathname;
      const final = await finish(send, [a.address, empty.address, pathname], metadata);
      expect(final.status).toBe(201);
      expect(final.json).toMatchObject({ name: 'a.txt', size: 11, sha256: sha256('Hello world') });
      expect((await send(`GET /content/${final.json.id}`)).text).toBe('Hello world');
      const range = await send(`GET /content/${final.json.id}`, {
        headers: { Range: 'bytes=4-7' },
      });
      expect([range.status, range.text]).toEqual([206, 'o wo']);
      expect((await send('GET ')).json).toHaveLength(1);
      const path = `/tus/${final.json.id}`;
      const { headers } = await send(`HEAD ${path}`, { headers: tus });
      expect(headers).toMatchObject({
        'upload-length': '11',
        'upload-offset': '11',
        'upload-concat': `final;${[a, empty, b].map(({ address }) => address).join(' ')}`,
      });
      expect((await send(`PATCH ${path}`, { headers: tusPart(11), body: '!' })).status).toBe(403);
      expect((await send(`HEAD ${a.path}`, { headers: tus })).status).toBe(404);
      expect((await send(`DELETE ${path}`, { headers: tus })).status).toBe(204);
      expect((await send('GET ')).json).toEqual([]);
    });

    test('names a part that is not a partial upload', async () => {
      const send = inOwnSandbox();
      const [whole, begun] = [await part(send, 'abc'), await part(send, 'ab', 3)];
      const usual = `${whole.address.slice(0, whole.address.lastIndexOf('/'))}${(await begin(send, 0)).slice(4)}`;
      const unknown = `${usual.slice(0, -3)}AAA`;
      const cases = [
        [await finish(send, [whole.address, begun.address]), 'which is not finished'],
        [await finish(send, [whole.address, usual]), 'which is not a partial upload'],
        [await finish(send, [unknown]), 'which is unknown'],
        [await finish(send, [whole.address, whole.address]), 'more than once'],
        [await finish(send, [whole.address], { 'Upload-Length': '3' }), 'omit Upload-Length'],
        [await finish(send, [whole.address], { 'Upload-Defer-Length': '1' }), 'omit Upload-Length'],
        [await finish(inOwnSandbox(), [whole.address]), 'which is unknown'],
      ] as const;
      for (const [{ status, json }, message] of cases) {
        expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
      }
      expect((await finish(send, [whole.address])).status).toBe(201);
    });

    test('happens once, however many clients request it', async () => {
      const send = inOwnSandbox();
      const { address } = await part(send, 'abc');
      const all = await Promise.all(Array.from({ length: 5 }, () => finish(send, [address])));
      const statuses = all.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, 400, 400, 400, 400]);
      expect((await send('GET ')).json).toHaveLength(1);
    });
  });
});
