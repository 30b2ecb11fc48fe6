import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { readGauges } from '../../lab/harness/gauges.js';
import type { Fault, GivenRule } from '../../src/faults/plan/fault-plan.js';
import { useDirectService } from '../support/direct-service.js';
import {
  openConnection,
  type RawConnection,
  requestText,
  splitResponse,
} from '../support/raw-connection.js';

const service = useDirectService({ metrics: 'on', heldRequests: 60 });
const { send } = service;

const open: RawConnection[] = [];
function connection(): RawConnection {
  const made = openConnection(service.url);
  open.push(made);
  return made;
}
function leaveAll(): void {
  for (const { socket } of open.splice(0)) socket.destroy();
}

async function plan(...rules: GivenRule[]) {
  const headers = { 'X-Sandbox': `attack-${randomUUID()}` };
  const { status, text } = await send('PUT /api/sandbox/faults', { headers, json: { rules } });
  expect(status, text).toBe(200);
  return headers;
}
const always = (fault: Fault) => plan({ sequence: [fault], then: 'last' });

async function gauges() {
  const response = await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } });
  const { connections, ...others } = readGauges(await response.text(), false);
  return others;
}

/** The count while no other client is active: this scrape. */
const idle = { requests_in_flight: 1, held_requests: 0, body_bytes: 0, unsent_bytes: 0 };

afterEach(async () => {
  leaveAll();
  await expect.poll(gauges).toEqual(expect.objectContaining(idle));
});

const book = 'GET /api/Books/1';

const all: Fault[] = [
  { status: 503 },
  { status: 503, after: true },
  { delayMs: 10_000 },
  { slow: 1 },
  { hang: true },
  { hang: true, after: true },
  { empty: true },
  { empty: true, after: true },
  { reset: true },
  { reset: true, after: true },
  { truncate: 5 },
  { cutChunk: 5 },
  { badChunk: true },
  { contentType: 'text/plain' },
  { invalidJson: true },
  { corruptEncoding: 'gzip' },
  { closeAfter: true },
  { duplicate: true },
];

describe('the count of held requests returns to zero', () => {
  test.each(all)('after %j, with a body and pipelined', async (fault) => {
    const headers = await always(fault);
    for (let index = 0; index < 5; index++) {
      const made = connection();
      made.ended.catch(() => {});
      const body = 'x'.repeat(index * 2000);
      made.send(requestText('POST /api/methods/any', headers, body || 'x').repeat(3));
    }
    const { headers: known } = await send('GET /api/sandbox/faults', { headers });
    expect(known['x-request-id']).toBeTruthy();
    await expect
      .poll(async () => (await send('GET /api/sandbox/faults', { headers })).json.rules[0].acted)
      .toBeGreaterThanOrEqual(5);
  });

  test('after streams that are duplicated, slow and cut', async () => {
    for (const fault of [
      { duplicate: true },
      { slow: 3 },
      { truncate: 500 },
      { delayMs: 9000 },
    ] satisfies Fault[]) {
      const headers = await plan({
        match: { path: '/api/webhooks/bins/:id/events' },
        sequence: [fault],
        then: 'last',
      });
      const { json: bin } = await send('POST /api/webhooks/bins', { headers });
      const made = connection();
      made.ended.catch(() => {});
      made.send(requestText(`GET /api/webhooks/bins/${bin.id}/events`, headers));
      await expect
        .poll(async () => (await send('GET /api/sandbox/faults', { headers })).json.rules[0].acted)
        .toBe(1);
    }
  });
});

test('every method supports every fault, with and without a body', async () => {
  const every: Fault[] = [...all].filter(({ hang, slow, delayMs }) => !hang && !slow && !delayMs);
  const headers = await plan({ sequence: every, then: 'repeat' });
  const targets = ['/api/methods/any', '/graphql'];
  for (const method of METHODS) {
    for (const target of targets) {
      const made = connection();
      made.ended.catch(() => {});
      const request = requestText(`${method} ${target}`, headers, 'x'.repeat(10));
      made.send(request.repeat(every.length));
      await Promise.race([made.ended.catch(() => {}), made.until(1)]);
    }
    leaveAll();
  }
  expect((await send('GET /api/methods/get')).status).toBe(200);
});

describe('held requests', () => {
  test('are limited: beyond the limit requests are rejected with the reason, and others are served', async () => {
    const headers = await always({ hang: true });
    const made = Array.from({ length: 40 }, () => {
      const each = connection();
      each.ended.catch(() => {});
      each.send(requestText(book, headers));
      return each;
    });
    await expect.poll(async () => (await gauges()).held_requests).toBe(20);
    await expect.poll(() => made.filter((each) => each.received().length > 0).length).toBe(20);
    const rejected = made.find((each) => each.received().length > 0);
    const { status, headers: sent } = splitResponse(rejected?.received() ?? Buffer.alloc(0));
    expect([status, sent['retry-after']]).toEqual([503, '5']);
    expect((await send(book)).status).toBe(200);
  });

  test('are released when their clients leave, all at once', async () => {
    const headers = await always({ slow: 1 });
    for (let index = 0; index < 15; index++) {
      const made = connection();
      made.ended.catch(() => {});
      made.send(requestText(book, headers));
    }
    await expect.poll(async () => (await gauges()).held_requests).toBe(15);
    expect((await gauges()).unsent_bytes).toBeGreaterThan(1000);
    leaveAll();
    await expect.poll(async () => (await gauges()).held_requests).toBe(0);
  });
});

test('a slow response is not cut for being slow, and waiting requests are counted', async () => {
  const headers = await always({ slow: 100 });
  const made = connection();
  made.send(requestText(book, headers));
  const expected = (await send(book)).bytes;
  await made.until(expected.subarray(-20).toString('latin1'));
  expect(splitResponse(made.received()).rest).toEqual(expected);
});

/** A few more than the log keeps. */
const flood = 1200;

test('a flood of attempts leaves a thousand in the log, and the service responsive', {
  timeout: 120_000,
}, async () => {
  const headers = await always({});
  const made = connection();
  made.send(requestText('GET /api/methods/get', headers).repeat(flood));
  await expect.poll(() => made.responses(200), { timeout: 110_000 }).toBe(flood);
  const { json } = await send('GET /api/sandbox/faults/log', { headers });
  expect(json.attempts).toHaveLength(1000);
  expect(json.series).toHaveLength(1000);
});

test('long polls are held requests like others', async () => {
  const headers = await always({});
  const waiting = Array.from({ length: 25 }, () => {
    const made = connection();
    made.ended.catch(() => {});
    made.send(requestText('GET /api/sandbox/faults/log?wait=50', headers));
    return made;
  });
  await expect.poll(() => waiting.filter((each) => each.received().includes('503')).length).toBe(5);
});

describe('a request that was aborted', () => {
  test.each<Fault>([{ status: 503 }, { reset: true }, { truncate: 1 }, { delayMs: 50 }, {}])(
    'in the middle of its body meets %j and leaves nothing behind',
    async (fault) => {
      const headers = { ...(await always(fault)), 'Content-Length': '5000' };
      const made = connection();
      made.ended.catch(() => {});
      made.send(`${requestText('POST /api/methods/any', headers)}half`);
      await expect.poll(async () => (await gauges()).requests_in_flight).toBeGreaterThan(1);
      made.socket.destroy();
    },
  );
});

test('without its body gets a response in limited time', async () => {
  const headers = { ...(await always({ status: 503 })), 'Content-Length': '5' };
  const made = connection();
  made.ended.catch(() => {});
  made.send(requestText('POST /api/methods/any', headers));
  await expect.poll(async () => (await gauges()).requests_in_flight).toBeGreaterThan(1);
});
