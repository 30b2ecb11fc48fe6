import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Fault, Match } from '../../src/faults/plan/fault-plan.js';
import { useDirectService } from '../support/direct-service.js';
import {
  openConnection,
  type RawConnection,
  requestText,
  splitResponse,
} from '../support/raw-connection.js';

const service = useDirectService({ metrics: 'on' });

const open: RawConnection[] = [];
function connection(): RawConnection {
  const made = openConnection(service.url);
  open.push(made);
  return made;
}
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

/** A sandbox whose requests meet these faults in turn, and then succeed. */
const plan = (...sequence: Fault[]) => planFor({}, sequence);

async function planFor(match: Match, sequence: readonly Fault[]) {
  const headers = { 'X-Sandbox': `wire-${randomUUID()}` };
  const { status, text } = await service.send('PUT /api/sandbox/faults', {
    headers,
    json: { rules: [{ name: 'wire', match, sequence }] },
  });
  expect(status, text).toBe(200);
  return headers;
}

const book = 'GET /api/Books/1';
let bookBytes: Buffer;
beforeAll(async () => {
  bookBytes = (await service.send(book)).bytes;
});

/** The bytes that one request got, and how its connection ended. */
async function ask(headers: Record<string, string>, target = book, body = '') {
  const made = connection();
  made.send(requestText(target, headers, body));
  const ending = await made.ended;
  return { ending, bytes: made.received(), ...splitResponse(made.received()) };
}

const marks = { 'x-simulated': 'true', 'x-fault': 'wire#1' };

describe('on the wire', () => {
  test('empty closes the connection without a byte', async () => {
    expect(await ask(await plan({ empty: true }))).toMatchObject({
      ending: 'closed',
      bytes: Buffer.alloc(0),
    });
  });

  test('reset resets the connection without a byte', async () => {
    expect(await ask(await plan({ reset: true }))).toMatchObject({
      ending: 'reset',
      bytes: Buffer.alloc(0),
    });
  });

  test.each([0, 1, 20])('truncate after %i bytes announces all of them', async (truncate) => {
    const { ending, status, headers, rest } = await ask(await plan({ truncate }));
    expect([ending, status]).toEqual(['closed', 200]);
    expect(headers).toMatchObject({ ...marks, 'content-length': String(bookBytes.length) });
    expect(headers.connection).toBe('keep-alive');
    expect(rest).toEqual(bookBytes.subarray(0, truncate));
  });

  test('truncate beyond the end sends everything, and closes', async () => {
    const { ending, headers, rest } = await ask(await plan({ truncate: 1_000_000 }));
    expect(ending).toBe('closed');
    expect(headers['content-length']).toBe(String(bookBytes.length));
    expect(rest).toEqual(bookBytes);
  });

  test.each([
    [0, ''],
    [20, '14\r\n'],
  ])('cutChunk after %i bytes leaves the body without its end', async (cutChunk, size) => {
    const { ending, headers, rest } = await ask(await plan({ cutChunk }));
    expect(ending).toBe('closed');
    expect(headers).toMatchObject({ ...marks, 'transfer-encoding': 'chunked' });
    expect(headers).not.toHaveProperty('content-length');
    const body = bookBytes.toString('latin1', 0, cutChunk);
    expect(rest.toString('latin1')).toBe(cutChunk === 0 ? '' : `${size}${body}\r\n`);
  });

  test('cutChunk beyond the end sends everything except the end', async () => {
    const { rest } = await ask(await plan({ cutChunk: 1_000_000 }));
    const size = bookBytes.length.toString(16);
    expect(rest.toString('latin1')).toBe(`${size}\r\n${bookBytes.toString('latin1')}\r\n`);
  });

  test('badChunk has half of the body, and then an invalid chunk size', async () => {
    const { ending, headers, rest } = await ask(await plan({ badChunk: true }));
    expect(ending).toBe('closed');
    expect(headers).toMatchObject({ ...marks, 'transfer-encoding': 'chunked' });
    const half = bookBytes.length >> 1;
    const [first, second] = [bookBytes.subarray(0, half), bookBytes.subarray(half)];
    const expected = `${half.toString(16)}\r\n${first.toString('latin1')}\r\nzz\r\n${second.toString('latin1')}`;
    expect(rest.toString('latin1')).toBe(expected);
  });

  test('contentType changes the type and leaves the body unchanged', async () => {
    const headers = await plan({ contentType: 'text/html' });
    const response = await service.send(book, { headers });
    expect(response.headers).toMatchObject({ ...marks, 'content-type': 'text/html' });
    expect(response.headers['content-security-policy']).toMatch(/^sandbox/);
    expect(response.bytes).toEqual(bookBytes);
  });

  test('invalidJson is the first half, as a complete message', async () => {
    const headers = await plan({ invalidJson: true });
    const response = await service.send(book, { headers });
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject(marks);
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
    expect(bookBytes.subarray(0, response.bytes.length)).toEqual(response.bytes);
    expect(response.bytes.length).toBeGreaterThan(10);
    expect(() => response.json).toThrow(SyntaxError);
  });

  test('corruptEncoding begins like gzip, and cannot be decoded', async () => {
    const headers = await plan({ corruptEncoding: 'gzip' });
    const response = await service.send(book, { headers });
    expect(response.headers).toMatchObject({ ...marks, 'content-encoding': 'gzip' });
    expect(response.bytes.subarray(0, 3)).toEqual(Buffer.from([0x1f, 0x8b, 8]));
    expect(() => gunzipSync(response.bytes)).toThrow();
  });

  test('closeAfter sends a right response with keep-alive, and closes the connection', async () => {
    const { ending, headers, rest } = await ask(await plan({ closeAfter: true }));
    expect(ending).toBe('closed');
    expect(headers).toMatchObject({ ...marks, connection: 'keep-alive' });
    expect(rest).toEqual(bookBytes);
  });

  test('slow sends the full response at the given pace', async () => {
    const bytesPerSecond = bookBytes.length;
    const headers = await plan({ slow: bytesPerSecond });
    const made = connection();
    made.send(requestText(book, headers));
    await made.until('\r\n\r\n');
    const startedAt = performance.now();
    const { rest: early } = splitResponse(made.received());
    expect(early.length).toBeLessThan(bookBytes.length / 2);
    await made.until(bookBytes.toString('latin1').slice(-10));
    expect(performance.now() - startedAt).toBeGreaterThan(800);
    const { headers: sent, rest } = splitResponse(made.received());
    expect(sent).toMatchObject({ ...marks, 'content-length': String(bookBytes.length) });
    expect(rest).toEqual(bookBytes);
  });

  test('delayMs waits, and then sends the normal response', async () => {
    const headers = await plan({ delayMs: 300 });
    const startedAt = performance.now();
    const response = await service.send(book, { headers });
    expect(performance.now() - startedAt).toBeGreaterThan(290);
    expect(response.headers).toMatchObject(marks);
    expect(response.bytes).toEqual(bookBytes);
  });

  test('delayMs can be combined with another fault', async () => {
    const headers = await plan({ delayMs: 200, reset: true }, { delayMs: 200, truncate: 1 });
    for (const [ending, length] of [
      ['reset', 0],
      ['closed', 1],
    ] as const) {
      const startedAt = performance.now();
      const response = await ask(headers);
      expect(performance.now() - startedAt).toBeGreaterThan(190);
      expect([response.ending, response.bytes.length && response.rest.length]).toEqual([
        ending,
        length,
      ]);
    }
  });

  test('hang sends nothing while this test waits', async () => {
    const made = connection();
    made.send(requestText(book, await plan({ hang: true })));
    const outcome = await Promise.race([
      made.ended,
      new Promise((resolve) => setTimeout(resolve, 500, 'waiting')),
    ]);
    expect(outcome).toBe('waiting');
    expect(made.received()).toHaveLength(0);
  });
});

describe('responses without a body', () => {
  test.each(['truncate', 'cutChunk'] as const)('%s acts as a reset', async (kind) => {
    const headers = await plan({ [kind]: 5 }, { [kind]: 5 }, { [kind]: 5 });
    expect(await ask(headers, 'HEAD /api/Books/1')).toMatchObject({
      ending: 'reset',
      bytes: Buffer.alloc(0),
    });
    expect(await ask(headers, 'DELETE /api/Books/2')).toMatchObject({
      ending: 'reset',
      bytes: Buffer.alloc(0),
    });
    const { headers: tagged } = await service.send(book);
    const ifNoneMatch = { ...headers, 'If-None-Match': String(tagged.etag) };
    expect(await ask(ifNoneMatch)).toMatchObject({ ending: 'reset', bytes: Buffer.alloc(0) });
  });

  test.each<[string, Fault]>([['badChunk', { badChunk: true }]])(
    '%s acts as a reset, too',
    async (_name, fault) => {
      expect((await ask(await plan(fault), 'HEAD /api/Books/1')).ending).toBe('reset');
    },
  );

  test.each<[string, Fault]>([
    ['contentType', { contentType: 'text/html' }],
    ['invalidJson', { invalidJson: true }],
    ['corruptEncoding', { corruptEncoding: 'gzip' }],
    ['slow', { slow: 1 }],
    ['duplicate', { duplicate: true }],
    ['delayMs', { delayMs: 1 }],
    ['closeAfter', { closeAfter: true }],
    ['status', { status: 503, body: 'x' }],
    ['status after the work', { status: 503, body: 'x', after: true }],
  ])('%s leaves a response without a body', async (_name, fault) => {
    const headers = { ...(await plan(fault)), Connection: 'close' };
    const { status, headers: sent, rest } = await ask(headers, 'HEAD /api/Books/1');
    expect(status).toBe(fault.status ?? 200);
    expect(sent).toMatchObject(marks);
    expect(rest).toHaveLength(0);
  });
});

describe('a client of HTTP/1.0', () => {
  const old = async (fault: Fault) => {
    const { 'X-Sandbox': sandbox } = await plan(fault);
    const made = connection();
    made.send(`GET /api/Books/1 HTTP/1.0\r\nX-Sandbox: ${sandbox}\r\n\r\n`);
    await made.ended;
    return splitResponse(made.received());
  };
  test.each<[Fault, number]>([
    [{ cutChunk: 7 }, 7],
    [{ truncate: 7 }, 7],
    [{ badChunk: true }, Number.NaN],
  ])('gets %j as a truncated body', async (fault, expected) => {
    const { headers, rest } = await old(fault);
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(headers['content-length']).toBe(String(bookBytes.length));
    expect(rest).toEqual(bookBytes.subarray(0, expected || bookBytes.length >> 1));
  });
});

describe('a pipeline', () => {
  const rest = requestText('GET /api/methods/get?second', {});

  test.each<[string, Fault, string]>([
    ['reset', { reset: true }, 'reset'],
    ['empty', { empty: true }, 'closed'],
    ['truncate', { truncate: 3 }, 'closed'],
    ['cutChunk', { cutChunk: 3 }, 'closed'],
    ['badChunk', { badChunk: true }, 'closed'],
    ['closeAfter', { closeAfter: true }, 'closed'],
  ])('gets the responses up to %s, and no more', async (_name, fault, ending) => {
    const headers = await plan(fault);
    const made = connection();
    const first = requestText('GET /api/methods/get?first', {});
    made.send(first + requestText(book, headers) + rest.repeat(20));
    // Node's client reports a reset that arrives together with bytes as an end.
    expect(['closed', ending]).toContain(await made.ended);
    const text = made.received().toString('latin1');
    expect(text).toContain('"query":{"first":""}');
    expect(text).not.toContain('second');
  });

  test.each<[string, Fault]>([
    ['a status', { status: 503 }],
    ['a status after the work', { status: 503, after: true }],
    ['a delay', { delayMs: 50 }],
    ['a slow response', { slow: 100_000 }],
    ['truncated JSON', { invalidJson: true }],
    ['damaged gzip', { corruptEncoding: 'gzip' }],
    ['another type', { contentType: 'text/plain' }],
  ])('continues after %s', async (_name, fault) => {
    const headers = await plan(fault);
    const made = connection();
    made.send(requestText(book, headers) + rest.repeat(3) + requestText(`${book}?last`, headers));
    await made.until('wire#1');
    await expect.poll(() => made.responses()).toBe(5);
  });
});

describe('an event stream', () => {
  async function stream(fault: Fault) {
    const headers = await planFor({ path: '/api/webhooks/bins/:id/events' }, [fault]);
    const { json: bin } = await service.send('POST /api/webhooks/bins', { headers });
    const made = connection();
    made.send(requestText(`GET /api/webhooks/bins/${bin.id}/events`, headers));
    return { made, id: bin.id as string };
  }
  const capture = (id: string, name: string) => service.send(`POST /api/webhooks/${id}?${name}`);

  test('delivers its first event twice, and others once', async () => {
    const { made, id } = await stream({ duplicate: true });
    await made.until('retry: 1000');
    await capture(id, 'first');
    await capture(id, 'second');
    await made.until('"second":""');
    const text = made.received().toString('utf8');
    expect(text.match(/^id: \d+$/gm)).toEqual([
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ]);
    const [first, again, second] = text.match(/^id: \d+$/gm) ?? [];
    expect(again).toBe(first);
    expect(second).not.toBe(first);
    expect(text).toContain('x-fault: wire#1');
  });

  test('is cut after the given number of bytes', async () => {
    const { made } = await stream({ truncate: 5 });
    expect(await made.ended).toBe('closed');
    const { headers, rest } = splitResponse(made.received());
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(rest.toString('latin1')).toBe('5\r\nretry\r\n');
  });

  test('can be slow', async () => {
    const { made } = await stream({ slow: 20 });
    const startedAt = performance.now();
    await made.until('\n\n\r\n');
    expect(performance.now() - startedAt).toBeGreaterThan(500);
  });

  test.each<Fault>([{ invalidJson: true }, { corruptEncoding: 'gzip' }])(
    'ends with %j',
    async (fault) => {
      const { made } = await stream(fault);
      await made.until('content-length');
      expect(splitResponse(made.received()).headers).toMatchObject(marks);
    },
  );
});

test('other connections and other sandboxes are unaffected', async () => {
  const faults: Fault[] = [
    { reset: true },
    { empty: true },
    { truncate: 3 },
    { cutChunk: 3 },
    { badChunk: true },
    { closeAfter: true },
    { invalidJson: true },
    { hang: true },
    { slow: 50 },
  ];
  const faulty = faults.map(async (fault) => {
    const made = connection();
    made.send(requestText(book, await plan(fault)));
    return made;
  });
  const right = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const headers = { 'X-Sandbox': `right-${index % 3}` };
      return service.send(book, index % 2 === 0 ? { headers } : {});
    }),
  );
  for (const response of right) {
    expect(response.bytes).toEqual(bookBytes);
    expect(response.headers).not.toHaveProperty('x-fault');
    expect(response.headers).not.toHaveProperty('x-simulated');
  }
  await Promise.all(faulty);
});
