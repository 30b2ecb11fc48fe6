/**
 * State of the HTTP lab and of fault plans, with each request sent to either of two services over
 * one Redis.
 */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { type SendOptions, send } from '../support/service.js';

testsWith('redis').describe('two services with a shared state', () => {
  let redis: RedisServer;
  let services: readonly [Service, Service];

  beforeAll(async () => {
    redis = await startRedis();
    const options = { stateUrl: redis.url, statePrefix: newPrefix() };
    services = await Promise.all([createService(options), createService(options)]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.close()));
    await redis.close();
  });

  const urlOf = (index: number) => services[index % 2 === 0 ? 0 : 1].url;
  const ask = (index: number, target: string, options?: SendOptions) =>
    send(urlOf(index), target, options);

  /** All bytes that one of them sends to a request. */
  async function wire(index: number, target: string, headers: Record<string, string> = {}) {
    const connection = openConnection(urlOf(index));
    connection.send(requestText(target, { ...headers, Connection: 'close' }));
    await connection.ended;
    connection.socket.destroy();
    return connection.received().toString('latin1');
  }

  test('share the last expectation', async () => {
    const expecting = { Expect: '100-continue' };
    for (const [index, behaviour, status] of [
      [0, 'continue', 202],
      [1, 'final', 401],
      [0, 'silent', 200],
    ] as const) {
      const path = `POST /s/expecting/api/http/expect/${behaviour}?status=${status}`;
      const head = requestText(path, { ...expecting, 'Content-Length': '5', Connection: 'close' });
      const connection = openConnection(urlOf(index));
      connection.send(head);
      if (behaviour === 'continue') await connection.until('100 Continue');
      if (behaviour !== 'final') connection.send('hello');
      await connection.ended;
      connection.socket.destroy();
      const { json } = await ask(index + 1, 'GET /s/expecting/api/http/expect/last');
      expect(json).toMatchObject({ behaviour, status });
    }
  });

  const tus = '/s/concatenated/api/http/uploads/tus';
  const version = { 'Tus-Resumable': '1.0.0' };
  const offsetType = 'application/offset+octet-stream';

  /** Creates a finished partial upload, each step on the other service. */
  async function makePart(bytes: Buffer, sizeHeader: Record<string, string>) {
    const created = await ask(0, `POST ${tus}`, {
      headers: { ...version, 'Upload-Concat': 'partial', ...sizeHeader },
    });
    expect(created.status).toBe(201);
    const path = new URL(String(created.headers.location), 'http://a').pathname;
    const half = bytes.length >> 1;
    for (const [index, offset, piece] of [
      [1, 0, bytes.subarray(0, half)],
      [0, half, bytes.subarray(half)],
    ] as const) {
      const length = 'Upload-Length' in sizeHeader ? {} : { 'Upload-Length': String(bytes.length) };
      const { status } = await ask(index, `PATCH ${path}`, {
        body: piece,
        headers: {
          ...version,
          ...length,
          'Content-Type': offsetType,
          'Upload-Offset': String(offset),
        },
      });
      expect(status).toBe(204);
    }
    return path;
  }

  test('concatenate partial uploads once, even with many concurrent requests', async () => {
    const [first, second] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(200_001, 'b')];
    const parts = [
      await makePart(first, { 'Upload-Length': String(first.length) }),
      await makePart(second, { 'Upload-Defer-Length': '1' }),
    ];
    const headers = { ...version, 'Upload-Concat': `final;${parts.join(' ')}` };
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask(index, `POST ${tus}`, { headers })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(400)]);
    const made = responses.find(({ status }) => status === 201)?.json;
    const whole = Buffer.concat([first, second]);
    for (const index of [0, 1]) {
      const { bytes } = await ask(index, `GET ${tus.replace('/tus', '')}/content/${made.id}`);
      expect(createHash('sha256').update(bytes).digest()).toEqual(
        createHash('sha256').update(whole).digest(),
      );
      const list = await ask(index, `GET ${tus.replace('/tus', '')}`);
      expect(list.json).toHaveLength(1);
    }
  });

  test('send stored headers in the letter case and encoding of the other', async () => {
    const response = { headerEncoding: 'utf-8', headers: { 'x-MIXED-Case': '안녕' } };
    await ask(0, 'PUT /s/mixed/api/http/responses/own', { json: response });
    const { json: bin } = await ask(0, 'POST /s/mixed/api/webhooks/bins', { json: { response } });
    const rules = [{ sequence: [{ status: 503, ...response }, { head: 'lf' }] }];
    await ask(0, 'PUT /s/mixed-faults/api/sandbox/faults', { json: { rules } });
    const line = `x-MIXED-Case: ${Buffer.from('안녕').toString('latin1')}\r\n`;
    expect(await wire(1, 'GET /s/mixed/api/http/responses/own')).toContain(line);
    expect(await wire(1, `GET /api/webhooks/${bin.id}`)).toContain(line);
    expect(await wire(1, 'GET /s/mixed-faults/api/Books/1')).toContain(line);
    expect(await wire(0, 'GET /s/mixed-faults/api/Books/1')).not.toContain('\r');
  });
});
