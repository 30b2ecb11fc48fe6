import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { caseCount } from '../support/case-count.js';
import { createService, isProxied, sendableMethods } from '../support/create-service.js';
import { rawExchange } from '../support/raw-exchange.js';
import { send, useService } from '../support/service.js';

const service = useService();
const bins = '/api/webhooks/bins';
const kibibyte = 1024;
let id = '';

async function makeBin(settings: object = {}): Promise<string> {
  return (await service.send(`POST ${bins}`, { json: settings })).json.id;
}
const requests = async (bin = id) => (await service.send(`GET ${bins}/${bin}/requests`)).json;

beforeEach(async () => {
  id = await makeBin();
});

describe('a capture', () => {
  test.each(sendableMethods)('accepts %s', async (method) => {
    const { status, text } = await service.send(`${method} /api/webhooks/${id}/x`, { body: 'b' });
    expect(status).toBe(200);
    const [captured] = await requests();
    if (method !== 'HEAD') {
      expect(JSON.parse(text)).toEqual({ received: true, binId: id, requestId: captured.id });
    }
    // Bytes after the headers of a CONNECT are no body (RFC 9110 section 9.3.6).
    const body = method === 'CONNECT' ? null : 'b';
    expect(captured).toMatchObject({ method, subPath: '/x', body, bodySize: body ? 1 : 0 });
  });

  test.skipIf(isProxied)(
    'keeps the target, the headers in order with repetitions, and the body',
    async () => {
      const response = await rawExchange(
        service.url,
        [
          `POST /api/webhooks/${id}/orders/%C5%BE%2Fx?a=1&a=2&b=%20&&c HTTP/1.1`,
          'Host: shop.example',
          'X-Zeta: 1',
          'x-alpha:   spaced   ',
          'X-ZETA: 2',
          'Cookie: a=b',
          'Cookie: c=d',
          'X-Latin: \u00e9',
          'Content-Type: Text/Plain; Charset=x',
          'Content-Length: 4',
          'Connection: close',
          '',
          '\r\n\0!',
        ].join('\r\n'),
      );
      expect(response.status).toBe(200);
      const [captured] = await requests();
      expect(captured).toMatchObject({
        path: `/api/webhooks/${id}/orders/%C5%BE%2Fx`,
        subPath: '/orders/%C5%BE%2Fx',
        query: { a: ['1', '2'], b: ' ', c: '' },
        queryString: 'a=1&a=2&b=%20&&c',
        contentType: 'Text/Plain; Charset=x',
        body: '\r\n\0!',
        bodySize: 4,
        bodyTruncated: false,
        bodyEncoding: 'utf-8',
        ip: '127.0.0.1',
      });
      expect(
        captured.headers.map(({ name, value }: Record<string, string>) => `${name}: ${value}`),
      ).toEqual([
        'Host: shop.example',
        'X-Zeta: 1',
        'x-alpha: spaced',
        'X-ZETA: 2',
        'Cookie: a=b',
        'Cookie: c=d',
        // UTF-8 bytes as Latin-1, which is how HTTP represents them.
        'X-Latin: Ã©',
        'Content-Type: Text/Plain; Charset=x',
        'Content-Length: 4',
        'Connection: close',
      ]);
    },
  );

  test('returns the exact bytes of any body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        const { json } = await service.send(`PUT /api/webhooks/${id}`, { body: bytes });
        const path = `${bins}/${id}/requests/${json.requestId}`;
        const [captured, body] = await Promise.all([
          service.send(`GET ${path}`),
          service.send(`GET ${path}/body`),
        ]);
        expect(Buffer.compare(body.bytes, bytes)).toBe(0);
        const { bodyEncoding } = captured.json;
        const shown = Buffer.from(
          captured.json.body ?? '',
          bodyEncoding === 'none' ? 'utf8' : bodyEncoding,
        );
        expect(Buffer.compare(shown, bytes)).toBe(0);
      }),
      { numRuns: caseCount(40, 2_000) },
    );
  });

  test('accepts chunked bodies, and requests without a body', async () => {
    await rawExchange(
      service.url,
      `POST /api/webhooks/${id} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n`,
    );
    await service.send(`POST /api/webhooks/${id}`);
    const [second, first] = await requests();
    expect(first).toMatchObject({ body: 'abcde', bodySize: 5 });
    expect(second).toMatchObject({ body: null, bodySize: 0, bodyEncoding: 'none' });
  });

  test('returns a long body unchanged, by itself and in a list', async () => {
    const body = Buffer.from(`${'\u0001ž"'.repeat(20_000)}`);
    const { json } = await service.send(`POST /api/webhooks/${id}`, { body });
    const path = `${bins}/${id}/requests`;
    const one = (await service.send(`GET ${path}/${json.requestId}`)).json;
    expect(one).toMatchObject({ body: body.toString(), bodyEncoding: 'utf-8', ip: '127.0.0.1' });
    expect((await service.send(`GET ${path}`)).json).toEqual([one]);
    expect((await service.send(`GET ${bins}/${id}`)).json.requests).toEqual([one]);
    for (const method of ['GET', 'HEAD']) {
      const given = await service.send(`${method} ${path}/${json.requestId}/body`);
      expect(given.headers['content-length']).toBe(String(body.length));
      if (method === 'GET') expect(Buffer.compare(given.bytes, body)).toBe(0);
    }
  });

  test('is downloaded, never displayed, whatever type its sender declares', async () => {
    const body = '<script>alert(1)</script>';
    const headers = { 'Content-Type': 'text/html' };
    const { json } = await service.send(`POST /api/webhooks/${id}`, { body, headers });
    const response = await service.send(`GET ${bins}/${id}/requests/${json.requestId}/body`);
    expect(response.text).toBe(body);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  test('records preflights, and permits them whatever the response of the bin is', async () => {
    const failing = await makeBin({ response: { status: 500, headers: { 'X-A': '1' } } });
    const headers = {
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'x-mine',
      Origin: 'https://a.example',
    };
    for (const [bin, rest] of [
      [id, ''],
      [id, '/below?status=500&x=1'],
      [failing, ''],
    ] as const) {
      const response = await service.send(`OPTIONS /api/webhooks/${bin}${rest}`, { headers });
      expect(response.status).toBe(204);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': 'https://a.example',
        'access-control-allow-headers': 'x-mine',
        'access-control-allow-methods': expect.stringContaining('PUT'),
      });
      expect(response.headers).not.toHaveProperty('x-a');
      const [captured] = await requests(bin);
      expect(captured).toMatchObject({ method: 'OPTIONS', subPath: rest.split('?')[0] });
      expect(captured.headers.map(({ name }: { name: string }) => name.toLowerCase())).toContain(
        'access-control-request-method',
      );
    }
    const unknown = await service.send(`OPTIONS /api/webhooks/${'A'.repeat(22)}`, { headers });
    expect(unknown.status).toBe(204);
  });

  test('ignores parameters that request faults elsewhere', async () => {
    for (const query of ['error=503', 'delay=9', 'delay=x&error=1', 'error=404&delay=9.5']) {
      const startMs = performance.now();
      const { status, headers } = await service.send(`POST /api/webhooks/${id}?${query}`);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('x-simulated');
      expect(performance.now() - startMs).toBeLessThan(9000);
      expect((await requests())[0]).toMatchObject({ queryString: query });
    }
  });

  test('is dropped when its sender disconnects in the middle', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(`POST /api/webhooks/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await service.send(`POST /api/webhooks/${id}`, { body: 'whole' });
    expect((await requests()).map(({ body }: { body: string }) => body)).toEqual(['whole']);
  });

  test.each([
    ['a path of 8 KiB', `/${'x'.repeat(8000)}`],
    ['many short segments', '/a'.repeat(2000)],
    ['dots and slashes', '/../..//./%2e%2e/'],
    ['odd characters', "/a'b(c)*!$&,;=:@~[]|^`{}"],
    ['a query of 8 KiB', `?${'x=1&'.repeat(2000)}`],
    [
      'names of Object.prototype members',
      '/__proto__/constructor?__proto__=1&constructor[prototype]=2',
    ],
  ])('accepts %s', async (_name, rest) => {
    expect((await service.send(`POST /api/webhooks/${id}${rest}`)).status).toBe(200);
    const [captured] = await requests();
    const query = captured.queryString && `?${captured.queryString}`;
    expect(captured.subPath + query).toBe(rest);
  });
});

describe('the size of a body', () => {
  const limit = 256 * kibibyte;
  /** Each byte differs from its neighbours, so that a shift would show. */
  const bytes = Buffer.from(Array.from({ length: limit + 1 }, (_, place) => 32 + (place % 94)));

  test.each([limit - 1, limit, limit + 1])('%d: the first 256 KiB are kept', async (size) => {
    const { json } = await service.send(`POST /api/webhooks/${id}`, {
      body: bytes.subarray(0, size),
    });
    const [captured] = await requests();
    expect(captured).toMatchObject({ bodySize: size, bodyTruncated: size > limit });
    const kept = await service.send(`GET ${bins}/${id}/requests/${json.requestId}/body`);
    expect(kept.bytes.equals(bytes.subarray(0, Math.min(size, limit)))).toBe(true);
  });

  test('10 MiB is accepted and counted; one byte more is rejected and not captured', async () => {
    const size = 10 * kibibyte * kibibyte;
    const body = Buffer.alloc(size + 1, 'x');
    const taken = await service.send(`POST /api/webhooks/${id}`, { body: body.subarray(0, size) });
    expect(taken.status).toBe(200);
    const rejected = await service.send(`POST /api/webhooks/${id}`, { body });
    expect(rejected.status).toBe(413);
    const chunked = { 'Transfer-Encoding': 'chunked' };
    const late = await service.send(`POST /api/webhooks/${id}`, { body, headers: chunked });
    expect(late.status).toBe(413);
    const all = await requests();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ bodySize: size, bodyTruncated: true });
    expect(all[0].body).toHaveLength(limit);
  });
});

describe('the newest 50 captures', () => {
  test('are kept: capture 51 drops the first', async () => {
    for (let count = 1; count <= 50; count++) {
      await service.send(`POST /api/webhooks/${id}`, { body: String(count) });
    }
    const bodies = async () => (await requests()).map(({ body }: { body: string }) => Number(body));
    const newestFirst = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => to - index);
    expect(await bodies()).toEqual(newestFirst(1, 50));
    const { json } = await service.send(`POST /api/webhooks/${id}`, { body: '51' });
    expect(json.requestId).toBe('51');
    expect(await bodies()).toEqual(newestFirst(2, 51));
    expect((await service.send(`GET ${bins}/${id}/requests/1`)).status).toBe(404);
    expect((await service.send(`GET ${bins}/${id}`)).json).toMatchObject({ requestCount: 50 });
  });

  test('are whole and in order after 1,000 concurrent requests', async () => {
    const sizeOf = (index: number) => 1 + ((index * 7919) % 20_000);
    const bodyOf = (index: number) => String(index).padEnd(sizeOf(index), `<${index}>`);
    const sent = Array.from({ length: 1000 }, async (_, index) => {
      const { status, json } = await service.send(`POST /api/webhooks/${id}/${index}`, {
        body: bodyOf(index),
      });
      expect(status).toBe(200);
      return [Number(json.requestId), index] as const;
    });
    const indexById = new Map(await Promise.all(sent));
    expect([...indexById.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index + 1),
    );
    const held = await requests();
    expect(held.map((request: { id: string }) => Number(request.id))).toEqual(
      Array.from({ length: 50 }, (_, index) => 1000 - index),
    );
    for (const captured of held) {
      const index = Number(captured.subPath.slice(1));
      expect(indexById.get(Number(captured.id))).toBe(index);
      expect(captured.body).toBe(bodyOf(index));
    }
  });

  test('of two bins stay separate when both capture concurrently', async () => {
    const other = await makeBin();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const target = index % 2 === 0 ? id : other;
        return service.send(`POST /api/webhooks/${target}`, { body: target });
      }),
    );
    for (const bin of [id, other]) {
      const bodies = (await requests(bin)).map(({ body }: { body: string }) => body);
      expect(bodies).toEqual(Array(50).fill(bin));
    }
  });
});

test('beyond CAPTURE_BYTES the oldest capture of any bin is dropped', async () => {
  const small = await createService({ captureBytes: kibibyte * kibibyte });
  try {
    const make = async () => (await send(small.url, `POST ${bins}`)).json.id;
    const [first, second] = [await make(), await make()];
    const body = 'x'.repeat(250 * kibibyte);
    for (const bin of [first, second, first, second, first]) {
      expect((await send(small.url, `POST /api/webhooks/${bin}`, { body })).status).toBe(200);
    }
    const ids = async (bin: string) =>
      (await send(small.url, `GET ${bins}/${bin}/requests`)).json.map(
        (request: { id: string }) => request.id,
      );
    expect(await ids(first)).toEqual(['3', '2']);
    expect(await ids(second)).toEqual(['2', '1']);
  } finally {
    await small.close();
  }
});

describe('the response to a capture', () => {
  const isolation = {
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };

  test('is as configured, byte for byte, and cannot run scripts in a browser', async () => {
    const response = {
      status: 418,
      headers: { 'Content-Type': 'text/html', 'X-Reply': 'tea', 'x-latin': 'é' },
      body: '<script>alert("ž")</script>',
    };
    const bin = await makeBin({ response });
    for (const method of ['GET', 'POST', 'QUERY']) {
      // The error is not from the service, so it lacks the service's error shape.
      const received = await fetch(`${service.url}/api/webhooks/${bin}`, { method });
      expect(received.status).toBe(418);
      expect(await received.text()).toBe(response.body);
      expect(Object.fromEntries(received.headers)).toMatchObject({
        'content-type': 'text/html',
        'x-reply': 'tea',
        'x-latin': 'é',
        ...isolation,
        // Scripts of other origins may read all headers.
        'access-control-allow-origin': '*',
        'access-control-expose-headers': '*',
      });
    }
  });

  test('cannot run scripts in a browser by default either', async () => {
    const { headers } = await service.send(`GET /api/webhooks/${id}`);
    expect(headers).toMatchObject(isolation);
  });

  test('repeats a header as often as configured, as bytes', async () => {
    const headers = [
      ['X-A', '1'],
      ['Link', '</a>; rel="next"'],
      ['x-a', '\u00e9'],
      ['LINK', '</b>; rel="prev"'],
    ];
    const bin = await makeBin({ response: { headers } });
    for (const status of [200, 204]) {
      const request = `GET /api/webhooks/${bin}?status=${status} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const { hostname, port } = new URL(service.url);
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(request);
      const chunks = await socket.toArray();
      const lines = Buffer.concat(chunks).toString('latin1').split('\r\n');
      // The proxy sends names in lower case.
      const valuesOf = (name: string) =>
        lines.flatMap((line) => {
          const [written, value] = line.split(': ');
          return written === (isProxied ? name.toLowerCase() : name) ? [value] : [];
        });
      expect(valuesOf('X-A')).toEqual(['1', '\u00e9']);
      expect(valuesOf('Link')).toEqual(['</a>; rel="next"', '</b>; rel="prev"']);
    }
  });

  test('may be cached where the bin says so', async () => {
    const bin = await makeBin({ response: { headers: { 'Cache-Control': 'max-age=60' } } });
    const { headers } = await service.send(`GET /api/webhooks/${bin}`);
    expect(headers).toMatchObject({ ...isolation, 'cache-control': 'max-age=60' });
  });

  test('has the status that ?status= requests', async () => {
    for (const status of [201, 204, 205, 302, 304, 400, 429, 503, 599]) {
      const response = await fetch(`${service.url}/api/webhooks/${id}?status=${status}`, {
        method: 'POST',
        body: 'x',
        redirect: 'manual',
      });
      expect(response.status).toBe(status);
      const text = await response.text();
      if ([204, 205, 304].includes(status)) expect(text).toBe('');
      else expect(JSON.parse(text)).toMatchObject({ received: true, binId: id });
    }
    expect(await requests()).toHaveLength(9);
  });

  test('keeps the connection usable after statuses without a body', async () => {
    const request = (status: string, more = '') =>
      `POST /api/webhooks/${id}?status=${status} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n${more}\r\n`;
    const bytes =
      request('205') + request('204') + request('304') + request('200', 'Connection: close\r\n');
    const { head, body } = await rawExchange(service.url, bytes);
    const responses = `${head}\r\n\r\n${body}`.split(/(?=HTTP\/1\.1 )/);
    for (const response of responses.slice(0, 3)) {
      expect(response).toMatch(/\r\n\r\n$/);
      expect(response).not.toMatch(/^content-(?:type|length: [1-9])/im);
    }
    expect(responses.map((response) => response.slice(0, 12))).toEqual([
      'HTTP/1.1 205',
      'HTTP/1.1 204',
      'HTTP/1.1 304',
      'HTTP/1.1 200',
    ]);
  });
});

test('odd requests never make the service fail', async () => {
  const header = fc.tuple(
    fc.constantFrom(
      'x-a',
      'content-type',
      'stripe-signature',
      'x-hub-signature-256',
      'webhook-id',
      'webhook-signature',
      '__proto__',
      'last-event-id',
      'cookie',
    ),
    fc.string({ maxLength: 50 }).map((text) => text.replaceAll(/[^\t\x20-\x7e]/g, '')),
  );
  const segment = fc
    .string({ unit: 'binary', maxLength: 20 })
    .map((text) => encodeURIComponent(text));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sendableMethods),
      fc.array(segment, { maxLength: 4 }),
      segment,
      fc.array(header, { maxLength: 5 }),
      fc.uint8Array({ maxLength: 200 }),
      async (method, segments, query, headers, body) => {
        const path = `/api/webhooks/${id}/${segments.join('/')}?${query}`;
        const { status } = await service.send(`${method} ${path}`, { headers, body });
        expect(status).toBe(200);
        expect((await service.send(`GET ${bins}/${id}/requests?limit=1`)).status).toBe(200);
      },
    ),
    { numRuns: caseCount(60, 2_000) },
  );
});
