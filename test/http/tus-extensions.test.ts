/** tus: creation-with-upload and expiration (tus.io/protocols/resumable-upload). */

import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
const type = { 'Content-Type': 'application/offset+octet-stream' };

/** Sends requests in a new sandbox. */
function inOwnSandbox() {
  const prefix = `/s/${randomUUID()}`;
  const send = (target: string, { headers = {}, ...options }: SendOptions = {}) =>
    service.send(target.replace(' ', ` ${prefix}/api/http/uploads`), {
      ...options,
      headers: { 'Tus-Resumable': '1.0.0', ...(headers as Record<string, string>) },
    });
  const create = (body: string, more: Readonly<Record<string, string>>) =>
    send('POST /tus', { body, headers: { ...type, ...more } });
  const moveClock = (offsetSeconds: number) =>
    service.send(`PUT ${prefix}/api/sandbox/clock`, { json: { offsetSeconds } });
  return { send, create, moveClock };
}

const idOf = (location: string | undefined) => location?.split('/').at(-1);

test('both extensions are announced', async () => {
  const { headers } = await inOwnSandbox().send('OPTIONS /tus');
  expect(String(headers['tus-extension']).split(',')).toEqual(
    expect.arrayContaining(['creation-with-upload', 'expiration']),
  );
});

describe('creation-with-upload', () => {
  test.each([
    ['all bytes', 'Hello', { 'Upload-Length': '5' }, 5],
    ['the first bytes', 'Hello', { 'Upload-Length': '9' }, null],
    ['bytes of an unknown length', 'Hello', { 'Upload-Defer-Length': '1' }, null],
    ['bytes of a part', 'Hello', { 'Upload-Length': '5', 'Upload-Concat': 'partial' }, 5],
    ['bytes in chunks', 'Hello', { 'Upload-Length': '5', 'Transfer-Encoding': 'chunked' }, 5],
    [
      'bytes with their digest',
      'Hello',
      {
        'Upload-Length': '5',
        'Upload-Checksum': `sha1 ${createHash('sha1').update('Hello').digest('base64')}`,
      },
      5,
    ],
  ])('stores %s', async (_name, body, headers, complete) => {
    const { send, create } = inOwnSandbox();
    const made = await create(body, headers);
    expect([made.status, made.headers['upload-offset']]).toEqual([201, '5']);
    expect(made.json.uploadedBytes).toBe(5);
    expect(made.json.sha256 === null).toBe(complete === null);
    const id = idOf(made.headers.location);
    const head = await send(`HEAD /tus/${id}`);
    expect(head.headers['upload-offset']).toBe('5');
    if (complete === null) {
      const rest = {
        headers: { ...type, 'Upload-Offset': '5', 'Upload-Length': '9' },
        body: ' you',
      };
      expect((await send(`PATCH /tus/${id}`, rest)).status).toBe(204);
    }
    const { text } = await send(`GET /content/${id}`);
    expect(text).toBe(complete === null ? 'Hello you' : 'Hello');
  });

  test.each([
    ['more bytes than the length', 413, { 'Upload-Length': '4' }],
    [
      'more bytes than the length, in chunks',
      413,
      { 'Upload-Length': '4', 'Transfer-Encoding': 'chunked' },
    ],
    ['bytes for an empty file', 413, { 'Upload-Length': '0', 'Transfer-Encoding': 'chunked' }],
    ['another type', 415, { 'Upload-Length': '5', 'Content-Type': 'text/plain' }],
    ['a malformed checksum', 400, { 'Upload-Length': '5', 'Upload-Checksum': 'none' }],
    ['a body of a final upload', 400, { 'Upload-Concat': 'final;/x' }],
  ])('%s is %i, and nothing is created', async (_name, status, headers) => {
    const { send, create } = inOwnSandbox();
    expect((await create('Hello', headers)).status).toBe(status);
    expect((await send('GET ')).json).toEqual([]);
  });

  test('another digest is 460, and nothing is created', async () => {
    const { send, create } = inOwnSandbox();
    const wrong = { 'Upload-Length': '5', 'Upload-Checksum': 'sha1 AAAA' };
    // The status of tus is no registered one, which the tests of all responses reject.
    await expect(create('Hello', wrong)).rejects.toThrow(/460/);
    expect((await send('GET ')).json).toEqual([]);
  });

  test('without a body there is no Upload-Offset', async () => {
    const made = await inOwnSandbox().send('POST /tus', { headers: { 'Upload-Length': '5' } });
    expect([made.status, made.headers['upload-offset']]).toEqual([201, undefined]);
  });
});

describe('expiration', () => {
  const day = 24 * 60 * 60;
  const expiry = (header: unknown) => Date.parse(String(header)) / 1000;

  test('an unfinished upload expires a day after its last bytes, by the clock of the sandbox', async () => {
    const { send, create, moveClock } = inOwnSandbox();
    const made = await create('Hello', { 'Upload-Length': '9' });
    const id = idOf(made.headers.location);
    const first = expiry(made.headers['upload-expires']);
    expect(Math.abs(first - Date.now() / 1000 - day)).toBeLessThan(60);
    await moveClock(day - 600);
    const headers = { ...type, 'Upload-Offset': '5' };
    const patched = await send(`PATCH /tus/${id}`, { headers, body: ' y' });
    expect(patched.status).toBe(204);
    const second = expiry(patched.headers['upload-expires']);
    expect(second - first).toBeGreaterThan(day - 700);
    const head = await send(`HEAD /tus/${id}`);
    expect(expiry(head.headers['upload-expires'])).toBe(second);
    await moveClock(3 * day);
    for (const request of [`HEAD /tus/${id}`, `GET /${id}`, `DELETE /tus/${id}`]) {
      expect([request, (await send(request)).status]).toEqual([request, 410]);
    }
    const late = { headers: { ...type, 'Upload-Offset': '7' }, body: 'ou' };
    expect((await send(`PATCH /tus/${id}`, late)).status).toBe(410);
    expect((await send('GET ')).json).toEqual([]);
  });

  test('it exists until the last second of the day', async () => {
    const nowMs = Date.now();
    const held = await createService({ now: () => nowMs });
    const own = `${held.url}/s/held/api`;
    const tus = { 'Tus-Resumable': '1.0.0' };
    const made = await fetch(`${own}/http/uploads/tus`, {
      method: 'POST',
      headers: { ...tus, 'Upload-Length': '1' },
    });
    const statusAt = async (offsetSeconds: number) => {
      await fetch(`${own}/sandbox/clock`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ offsetSeconds }),
      });
      const url = made.headers.get('location') ?? '';
      return (await fetch(url, { method: 'HEAD', headers: tus })).status;
    };
    expect(await statusAt(day - 1)).toBe(200);
    expect(await statusAt(day)).toBe(410);
    await held.close();
  });

  test('a finished upload does not expire', async () => {
    const { send, create, moveClock } = inOwnSandbox();
    const made = await create('Hello', { 'Upload-Length': '5' });
    const id = idOf(made.headers.location);
    expect(made.headers['upload-expires']).toBeUndefined();
    await moveClock(30 * day);
    expect((await send(`GET /content/${id}`)).text).toBe('Hello');
    const head = await send(`HEAD /tus/${id}`);
    expect([head.status, head.headers['upload-expires']]).toEqual([200, undefined]);
  });

  test('a new upload gets the space of expired ones', async () => {
    const { send, moveClock } = inOwnSandbox();
    const whole = { headers: { 'Upload-Length': String(16 * 1024 * 1024) } };
    const made = await send('POST /tus', whole);
    expect((await send('POST /tus', whole)).status).toBe(409);
    await moveClock(2 * day);
    expect((await send('POST /tus', whole)).status).toBe(201);
    expect((await send(`HEAD /tus/${idOf(made.headers.location)}`)).status).toBe(404);
  });
});
