/** Resumable uploads by draft-ietf-httpbis-resumable-upload, interop version 9. */

import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/kit/verdict/verdict.js';
import { isProxied } from '../support/create-service.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService({ tls: true });
const version = { 'Upload-Draft-Interop-Version': '9' };
const partial = { 'Content-Type': 'application/partial-upload' };
const mebibyte = 1024 * 1024;

type Headers = Readonly<Record<string, string>>;

/** Sends requests in a new sandbox. */
function inOwnSandbox() {
  const prefix = `/s/${randomUUID()}`;
  const path = `${prefix}/api/http/resumable`;
  const send = (target: string, { headers = {}, ...options }: SendOptions = {}) =>
    service.send(target.replace(' ', ` ${path}`), {
      ...options,
      headers: { ...version, ...(headers as Headers) },
    });
  const create = (body: string, headers: Headers) => send('POST ', { body, headers });
  const append = (id: string, offset: number, body: string, headers: Headers = {}) =>
    send(`PATCH /${id}`, {
      body,
      headers: { ...partial, 'Upload-Offset': `${offset}`, 'Upload-Complete': '?0', ...headers },
    });
  const contentOf = async (id: string) =>
    (await service.send(`GET ${prefix}/api/http/uploads/content/${id}`)).text;
  const files = async () => (await service.send(`GET ${prefix}/api/http/uploads`)).json;
  const moveClock = (offsetSeconds: number) =>
    service.send(`PUT ${prefix}/api/sandbox/clock`, { json: { offsetSeconds } });
  const outcomes = async (): Promise<Readonly<Record<string, Verdict['outcome']>>> => {
    const verdicts: readonly Verdict[] = (await send('GET /requests')).json.verdicts;
    const reached = verdicts.filter(({ outcome }) => outcome !== 'not-reached');
    return Object.fromEntries(reached.map(({ rule, outcome }) => [rule, outcome]));
  };
  return { path, send, create, append, contentOf, files, moveClock, outcomes };
}

const idOf = (location: string | undefined) => location?.split('/').at(-1) ?? '';
const limits = 'max-size=16777216, min-size=0, max-append-size=10485760';

test('OPTIONS shows the limits', async () => {
  const { status, headers } = await inOwnSandbox().send('OPTIONS ');
  expect([status, headers['upload-limit']]).toEqual([204, limits]);
});

describe('creation', () => {
  test('with the whole content', async () => {
    const { create, send, contentOf } = inOwnSandbox();
    const made = await create('Hello', {
      'Upload-Complete': '?1',
      'Content-Type': 'text/plain',
      'Content-Disposition': 'inline; filename="a.txt"',
    });
    expect(made.status).toBe(201);
    expect(made.headers).toMatchObject({ 'upload-complete': '?1', 'upload-offset': '5' });
    expect(made.json).toMatchObject({ name: 'a.txt', type: 'text/plain', size: 5 });
    const { id } = made.json;
    expect(made.headers.location).toMatch(new RegExp(`/api/http/uploads/${id}$`));
    expect(await contentOf(id)).toBe('Hello');
    const head = await send(`HEAD /${id}`);
    expect(head.status).toBe(204);
    expect(head.headers).toMatchObject({
      ...{ 'upload-complete': '?1', 'upload-offset': '5', 'upload-length': '5' },
      ...{ 'upload-limit': limits, 'cache-control': 'no-store' },
    });
  });

  test.each([
    ['nothing', '', {}, '0', undefined],
    ['nothing of a known length', '', { 'Upload-Length': '11' }, '0', '11'],
    ['the first bytes', 'Hello ', { 'Upload-Length': '11' }, '6', '11'],
    ['the first bytes in chunks', 'Hello ', { 'Transfer-Encoding': 'chunked' }, '6', undefined],
    ['parameters of the items', 'Hello ', { 'Upload-Length': '11;a=b' }, '6', '11'],
    ['a malformed length, which is ignored', 'Hello ', { 'Upload-Length': '"11"' }, '6', undefined],
    ['all bytes, not marked as complete', 'Hello ', { 'Upload-Length': '6' }, '6', '6'],
  ])('with %s, the upload continues', async (_name, body, headers, offset, length) => {
    const { create, append, send, contentOf } = inOwnSandbox();
    const made = await create(body, { 'Upload-Complete': '?0', ...headers });
    expect(made.status).toBe(201);
    expect(made.headers).toMatchObject({ 'upload-complete': '?0', 'upload-offset': offset });
    expect(made.headers['upload-limit']).toMatch(new RegExp(`^${limits}, max-age=86\\d{3}$`));
    const id = idOf(made.headers.location);
    const head = await send(`HEAD /${id}`);
    expect(head.headers['upload-offset']).toBe(offset);
    expect(head.headers['upload-length']).toBe(length);
    expect(head.headers['upload-complete']).toBe('?0');
    const rest = 'Hello world'.slice(Number(offset), Number(length ?? 11));
    const done = await append(id, Number(offset), rest, { 'Upload-Complete': '?1' });
    expect([done.status, done.headers['upload-complete']]).toEqual([201, '?1']);
    expect(await contentOf(id)).toBe('Hello world'.slice(0, Number(length ?? 11)));
  });

  test('without Upload-Complete, it is an ordinary upload', async () => {
    const { create, contentOf } = inOwnSandbox();
    const made = await create('Hello', {});
    expect([made.status, made.headers['upload-complete']]).toEqual([201, '?1']);
    expect(await contentOf(made.json.id)).toBe('Hello');
  });

  test.each([
    ['8', 'is 8. The only known version is 9.'],
    ['10', 'is 10. The only known version is 9.'],
    ['"9"', 'is no integer. The only known version is 9.'],
  ])('the interop version %s is rejected with the known one', async (sent, message) => {
    const { send, files } = inOwnSandbox();
    const headers = { 'Upload-Draft-Interop-Version': sent, 'Upload-Complete': '?1' };
    const { status, json, headers: got } = await send('POST ', { body: 'x', headers });
    expect([status, json.versions, got['upload-draft-interop-version']]).toEqual([400, [9], '9']);
    expect(json.message).toBe(`Upload-Draft-Interop-Version ${message}`);
    expect(await files()).toEqual([]);
  });

  test.each([
    ['two lengths', 400, { 'Upload-Complete': '?1', 'Upload-Length': '6' }],
    ['more than the length', 400, { 'Upload-Complete': '?0', 'Upload-Length': '4' }],
    ['a coding', 415, { 'Upload-Complete': '?1', 'Content-Encoding': 'gzip' }],
    ['a length beyond the limit', 413, { 'Upload-Complete': '?0', 'Upload-Length': '16777217' }],
  ])('%s: %i, and nothing is stored', async (_name, status, headers) => {
    const { create, files } = inOwnSandbox();
    const made = await create('Hello', headers);
    expect(made.status).toBe(status);
    if (status === 413) expect(made.headers['upload-limit']).toBe(limits);
    if (status === 400) {
      expect(made.headers['content-type']).toBe('application/problem+json');
      expect(made.headers['upload-complete']).toBe('?0');
      expect(made.json.type).toBe(
        'https://iana.org/assignments/http-problem-types#inconsistent-upload-length',
      );
    }
    expect(await files()).toEqual([]);
  });

  test('in chunks, fewer bytes than the length are inconsistent', async () => {
    const { create } = inOwnSandbox();
    const headers = { 'Upload-Complete': '?1', 'Upload-Length': '9' };
    const made = await create('Hello', { ...headers, 'Transfer-Encoding': 'chunked' });
    expect([made.status, made.json.detail]).toEqual([
      400,
      'The upload is complete with 5 bytes, but its length is 9.',
    ]);
  });

  test('the shared sandbox stores nothing', async () => {
    const headers = { ...version, 'Upload-Complete': '?1' };
    const target = 'POST /api/http/resumable';
    expect((await service.send(target, { body: 'x', headers })).status).toBe(403);
    expect((await service.send('GET /api/http/resumable/requests')).status).toBe(403);
  });
});

/** A creation of 700 KB, with the interim responses that it gets. */
const large = 'x'.repeat(700_000);

describe.skipIf(isProxied)('104 (Upload Resumption Supported)', () => {
  interface Interim {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
  }

  const overHttp1 = (path: string, headers: Headers) =>
    new Promise<{ interim: Interim[]; location: unknown }>((resolve, reject) => {
      const interim: Interim[] = [];
      const request = httpRequest(service.url + path, { method: 'POST', headers });
      request.on('information', ({ statusCode, headers: sent, statusMessage }) => {
        expect(statusMessage).toBe('Upload Resumption Supported');
        interim.push({ status: statusCode, headers: sent });
      });
      request.on('response', (response) => {
        response.resume();
        resolve({ interim, location: response.headers.location });
      });
      request.on('error', reject).end(large);
    });

  const overHttp2 = (path: string, headers: Headers) =>
    new Promise<{ interim: Interim[]; location: unknown }>((resolve, reject) => {
      const session = connect(service.tlsUrl ?? '', { rejectUnauthorized: false });
      const interim: Interim[] = [];
      const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
      stream.on('headers', (sent) =>
        interim.push({ status: Number(sent[':status']), headers: sent }),
      );
      stream.on('response', ({ location }) => {
        stream.resume();
        stream.on('close', () => session.close());
        resolve({ interim, location });
      });
      stream.on('error', reject).end(large);
    });

  test.each([
    ['HTTP/1.1', overHttp1],
    ['HTTP/2', overHttp2],
  ])('over %s it has the URL, and then the progress', async (_name, post) => {
    const { path } = inOwnSandbox();
    const sent = { ...version, 'Upload-Complete': '?0' };
    const { interim, location } = await post(path, sent);
    const [first, ...progress] = interim;
    expect(first).toMatchObject({
      status: 104,
      headers: { location, 'upload-draft-interop-version': '9' },
    });
    expect(String(first?.headers['upload-limit'])).toContain(limits);
    expect(progress.length).toBeGreaterThan(0);
    for (const { status, headers } of progress) {
      expect([status, headers.location]).toEqual([104, undefined]);
      expect(Number(headers['upload-offset'])).toBeGreaterThan(0);
    }
  });

  test.each([
    ['the interop version', { 'Upload-Complete': '?0' }],
    ['Upload-Complete', { ...version }],
  ])('without %s there is none', async (_name, headers) => {
    const { path } = inOwnSandbox();
    expect((await overHttp1(path, headers)).interim).toEqual([]);
  });

  test('an interrupted creation is resumed at the offset that HEAD returns', async () => {
    const { path, send, append, contentOf, outcomes } = inOwnSandbox();
    const connection = openConnection(service.url);
    const headers = { ...version, 'Upload-Complete': '?1', 'Content-Length': '11' };
    connection.send(requestText(`POST ${path}`, headers));
    connection.send('Hello ');
    await connection.until('Upload-Limit');
    await connection.until('\r\n\r\n');
    const [, location] = /Location: (\S+)/i.exec(connection.received().toString()) ?? [];
    const id = idOf(location);
    connection.socket.destroy();
    const noticed = async () => (await send('GET /requests')).json.requests[0]?.interrupted;
    await expect.poll(noticed).toBe(true);
    expect((await send(`HEAD /${id}`)).headers['upload-offset']).toBe('6');
    const done = await append(id, 6, 'world', { 'Upload-Complete': '?1' });
    expect([done.status, done.json.sha256]).toEqual([201, expect.stringMatching(/^64ec88ca/)]);
    expect(await contentOf(id)).toBe('Hello world');
    const found = await outcomes();
    expect(Object.values(found)).not.toContain('broken');
    expect(found['known-offset']).toBe('kept');
  });

  test('a new request ends an earlier request that is still writing', async () => {
    const { path, send, append, outcomes } = inOwnSandbox();
    const made = await send('POST ', { headers: { 'Upload-Complete': '?0' } });
    const id = idOf(made.headers.location);
    const hanging = openConnection(service.url);
    const patch = { ...version, ...partial, 'Upload-Offset': '0', 'Upload-Complete': '?0' };
    hanging.send(requestText(`PATCH ${path}/${id}`, { ...patch, 'Content-Length': '11' }));
    hanging.send('Hello');
    // The old request has the lock once the service has read its head.
    await expect.poll(async () => (await append(id, 0, 'Good ')).status).toBe(204);
    expect((await send(`HEAD /${id}`)).headers['upload-offset']).toBe('5');
    hanging.send(' world');
    await hanging.until('HTTP/1.1 4');
    hanging.socket.destroy();
    expect((await send(`HEAD /${id}`)).headers['upload-offset']).toBe('5');
    expect(Object.values(await outcomes())).not.toContain('broken');
  });
});

describe('append', () => {
  async function begun(headers: Headers = {}) {
    const sandbox = inOwnSandbox();
    const made = await sandbox.create('Hello', { 'Upload-Complete': '?0', ...headers });
    return { ...sandbox, id: idOf(made.headers.location) };
  }

  test('another offset is a problem with both offsets', async () => {
    const { append, id } = await begun();
    const { status, headers, json } = await append(id, 7, 'x');
    expect(status).toBe(409);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'application/problem+json', 'upload-offset': '5' },
      'upload-complete': '?0',
    });
    expect(json).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#mismatching-upload-offset',
      ...{ status: 409, 'expected-offset': 5, 'provided-offset': 7 },
    });
  });

  test.each<[string, number, Headers]>([
    ['another type', 415, { 'Content-Type': 'application/offset+octet-stream' }],
    ['no offset', 400, { 'Upload-Offset': 'none' }],
    ['a negative offset', 400, { 'Upload-Offset': '-1' }],
    ['no Upload-Complete', 400, { 'Upload-Complete': 'true' }],
    ['another length', 400, { 'Upload-Length': '12' }],
    ['a length below the offset', 400, { 'Upload-Length': '3' }],
    ['another interop version', 400, { 'Upload-Draft-Interop-Version': '7' }],
  ])('%s is %i, and nothing is appended', async (_name, status, headers) => {
    const { append, send, id } = await begun({ 'Upload-Length': '11' });
    const response = await append(id, 5, ' worl', headers);
    expect(response.status).toBe(status);
    if (status === 415) expect(response.headers['accept-patch']).toBe('application/partial-upload');
    expect((await send(`HEAD /${id}`)).headers['upload-offset']).toBe('5');
  });

  test('more bytes than the length end the upload', async () => {
    const { append, send, id } = await begun({ 'Upload-Length': '7' });
    const { status, json } = await append(id, 5, ' world', { 'Transfer-Encoding': 'chunked' });
    expect([status, json.type]).toEqual([
      400,
      expect.stringMatching(/inconsistent-upload-length$/),
    ]);
    expect((await send(`HEAD /${id}`)).status).toBe(404);
  });

  test('an empty request completes the upload, and its response can be had again', async () => {
    const { append, id, contentOf } = await begun();
    const end = { 'Upload-Complete': '?1' };
    const done = await append(id, 5, '', end);
    expect([done.status, done.json.size]).toEqual([201, 5]);
    const again = await append(id, 5, '', end);
    expect([again.status, again.text]).toEqual([201, done.text]);
    expect((await append(id, 5, 'x')).status).toBe(400);
    expect((await append(id, 0, 'x')).status).toBe(409);
    expect(await contentOf(id)).toBe('Hello');
  });

  test('a request has at most 10 MiB', async () => {
    const { append, id, send } = await begun();
    const body = 'x'.repeat(10 * mebibyte);
    expect((await append(id, 5, `${body}x`)).status).toBe(413);
    const chunked = { 'Transfer-Encoding': 'chunked' };
    const tooLarge = await append(id, 5, `${body}x`, chunked);
    expect([tooLarge.status, tooLarge.headers['upload-limit']]).toEqual([413, limits]);
    const offset = Number((await send(`HEAD /${id}`)).headers['upload-offset']);
    expect(offset).toBeGreaterThan(5);
    expect(offset).toBeLessThanOrEqual(5 + 10 * mebibyte);
  });

  test.each(['HEAD', 'PATCH', 'DELETE'])('%s of an unknown upload is 404', async (method) => {
    const { send, append } = await begun();
    const { status } =
      method === 'PATCH' ? await append('none', 0, 'x') : await send(`${method} /none`);
    expect(status).toBe(404);
  });

  test('DELETE cancels the upload', async () => {
    const { send, append, id, files } = await begun();
    expect((await send(`DELETE /${id}`)).status).toBe(204);
    expect((await append(id, 5, 'x')).status).toBe(404);
    expect(await files()).toEqual([]);
  });

  test('an unfinished upload expires by the clock of the sandbox', async () => {
    const { send, append, id, moveClock } = await begun();
    await moveClock(3600);
    const { headers } = await send(`HEAD /${id}`);
    expect(Number(/max-age=(\d+)/.exec(String(headers['upload-limit']))?.[1])).toBeLessThan(82_801);
    await moveClock(100_000);
    expect((await send(`HEAD /${id}`)).status).toBe(410);
    expect((await append(id, 5, 'x')).status).toBe(410);
    expect((await send(`DELETE /${id}`)).status).toBe(410);
  });

  test('of simultaneous requests at one offset, one is appended', async () => {
    const { append, send, id, contentOf } = await begun();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, place) => append(id, 5, `-${place}`)),
    );
    const accepted = responses.filter(({ status }) => status === 204);
    expect(accepted.length).toBeLessThanOrEqual(1);
    const offset = Number((await send(`HEAD /${id}`)).headers['upload-offset']);
    await append(id, offset, '', { 'Upload-Complete': '?1' });
    expect(await contentOf(id)).toMatch(/^Hello(?:-\d)?$/);
  });
});

describe('verdicts', () => {
  test('a right client that sends parts breaks nothing', async () => {
    const { create, append, outcomes, send } = inOwnSandbox();
    const made = await create('Hel', { 'Upload-Complete': '?0', 'Upload-Length': '5' });
    const id = idOf(made.headers.location);
    await append(id, 3, 'l', { 'Content-Type': 'Application/Partial-Upload; a=b' });
    await send(`HEAD /${id}`);
    await append(id, 4, 'o', { 'Upload-Complete': '?1' });
    expect(await outcomes()).toEqual({
      ...{ 'interop-version': 'kept', 'media-type': 'kept', 'append-offset': 'kept' },
      ...{ 'append-complete': 'kept', 'consistent-length': 'kept', 'append-limits': 'kept' },
      ...{ 'known-offset': 'kept', 'one-transfer': 'kept', completed: 'kept' },
    });
  });

  test.each<[string, Verdict['outcome'], number, Headers]>([
    ['media-type', 'broken', 5, { 'Content-Type': 'text/plain' }],
    ['append-offset', 'broken', 5, { 'Upload-Offset': '' }],
    ['append-complete', 'broken', 5, { 'Upload-Complete': 'false' }],
    ['consistent-length', 'broken', 5, { 'Upload-Length': '3' }],
    ['interop-version', 'broken', 5, { 'Upload-Draft-Interop-Version': 'nine' }],
    ['interop-version', 'unclear', 5, { 'Upload-Draft-Interop-Version': '8' }],
    ['known-offset', 'against-advice', 7, {}],
  ])('%s is %s', async (rule, outcome, offset, headers) => {
    const { create, append, outcomes, send } = inOwnSandbox();
    const made = await create('Hello', { 'Upload-Complete': '?0' });
    const id = idOf(made.headers.location);
    await append(id, offset, 'x', headers);
    expect((await outcomes())[rule]).toBe(outcome);
    const other = (await send('GET /requests?upload=other')).json;
    expect(other.requests).toEqual([]);
    expect((await send(`GET /requests?upload=${id}`)).json.requests[0]).toMatchObject({
      method: 'POST',
      upload: id,
      status: 201,
      complete: false,
    });
  });
});
