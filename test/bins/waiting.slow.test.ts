import { EventSource } from 'eventsource';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createService, replicas } from '../support/create-service.js';
import { send, useService } from '../support/service.js';

/** The limit on readers of a bin protects each process. */
const mostReaders = 20 * replicas;

const service = useService();
const bins = '/api/webhooks/bins';
let id = '';
const openSources: EventSource[] = [];

beforeEach(async () => {
  id = (await service.send(`POST ${bins}`)).json.id;
});
afterEach(() => {
  for (const source of openSources.splice(0)) source.close();
});

const capture = async (body = '') =>
  Number((await service.send(`POST /api/webhooks/${id}`, { body })).json.requestId);
const soon = () => new Promise((resolve) => setTimeout(resolve, 60));
/**
 * Captures repeatedly until the waiting request has its response: nothing shows when it began to
 * wait.
 */
async function captureUntil<Result>(waiting: Promise<Result>, body: string): Promise<Result> {
  let isWaiting = true;
  waiting.finally(() => {
    isWaiting = false;
  });
  while (isWaiting) {
    await capture(body);
    await soon();
  }
  return waiting;
}
/** A reader may arrive while a probe of `untilFull` has the last place: then it retries. */
async function insist<Result extends { status: number }>(
  read: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const response = await read();
    if (response.status !== 429) return response;
  }
}
/** Opens readers until one is rejected: then there are 20. */
const untilFull = (url = service.url, bin = id) =>
  expect
    .poll(async () => (await send(url, `GET ${bins}/${bin}/requests?wait=0.01`)).status, {
      timeout: 10_000,
    })
    .toBe(429);
const bodies = (list: readonly { body: string }[]) => list.map(({ body }) => body);

describe('waiting for the next capture', () => {
  const list = (query: string) => service.send(`GET ${bins}/${id}/requests?${query}`);

  test('ends with the capture, above the existing ones', async () => {
    await capture('before');
    const { json } = await captureUntil(list('wait=20'), 'next');
    expect(bodies(json)[0]).toBe('next');
    expect(bodies(json).at(-1)).toBe('before');
  });

  test('after a known capture returns only newer ones', async () => {
    const known = await capture('known');
    const waiting = list(`wait=20&after=${known}`);
    await soon();
    await capture('next');
    expect(bodies((await waiting).json)).toEqual(['next']);
  });

  test('responds at once if a capture exists already', async () => {
    const known = await capture('known');
    await capture('missed');
    expect(bodies((await list(`wait=20&after=${known}`)).json)).toEqual(['missed']);
  });

  test('ends without a capture when the time is over', async () => {
    await capture('before');
    expect(bodies((await list('wait=0.1')).json)).toEqual(['before']);
    expect((await list('wait=0.1&after=1')).json).toEqual([]);
  });

  test('continues when the bin is emptied, and is 404 when it is deleted', async () => {
    await capture('before');
    const waiting = Promise.all([list('wait=20'), list('wait=20&after=1')]);
    await soon();
    await service.send(`DELETE ${bins}/${id}/requests`);
    await soon();
    for (const { json } of await captureUntil(waiting, 'next')) {
      expect(new Set(bodies(json))).toEqual(new Set(['next']));
    }
    const gone = list('wait=20');
    await soon();
    await service.send(`DELETE ${bins}/${id}`);
    expect((await gone).status).toBe(404);
  });

  test('ends for all waiting clients', async () => {
    const waiting = Array.from({ length: mostReaders }, () => insist(() => list('wait=20')));
    await untilFull();
    await capture('next');
    for (const { json } of await Promise.all(waiting)) expect(bodies(json)).toEqual(['next']);
  });

  test('loses nothing from one request to the next', async () => {
    const seen: number[] = [];
    const sending = (async () => {
      for (let count = 0; count < 40; count++) await capture(String(count));
    })();
    let after = 0;
    while (seen.length < 40) {
      const { json } = await list(`wait=5&after=${after}`);
      for (const request of json.reverse()) seen.push(Number(request.body));
      after = Number(json.at(-1)?.id ?? after);
    }
    await sending;
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  test.each([
    'wait=x',
    'wait=-1',
    'wait=61',
    'after=x',
    'after=-1',
    'after=1&after=2',
    'limit=0',
    'limit=51',
    'limit=1.5',
  ])('rejects %s', async (query) => {
    const { status, json } = await list(query);
    expect(status).toBe(400);
    expect(json.errors[0].field).toMatch(/^(wait|after|limit)/);
  });

  test('returns the requested number of captures, the newest', async () => {
    for (const body of ['a', 'b', 'c', 'd']) await capture(body);
    expect(bodies((await list('limit=2')).json)).toEqual(['d', 'c']);
    expect(bodies((await list('limit=2&after=1')).json)).toEqual(['d', 'c']);
    expect(bodies((await list('after=2')).json)).toEqual(['d', 'c']);
    expect(bodies((await list('after=99')).json)).toEqual([]);
  });
});

test('at most 20 readers wait on a bin; each that leaves makes room', async () => {
  const url = `${service.url}${bins}/${id}/requests?wait=20`;
  const [last, ...others] = Array.from({ length: mostReaders }, () => new AbortController());
  const waiting = [last, ...others].map((controller) =>
    insist(() => fetch(url, { signal: controller?.signal ?? null })).catch(() => {}),
  );
  await untilFull();
  const rejected = await service.send(`GET ${bins}/${id}/requests?wait=1`);
  expect(rejected.status).toBe(429);
  expect(rejected.json.retryAfter).toBe(Number(rejected.headers['retry-after']));
  expect((await service.send(`GET ${bins}/${id}/events`)).status).toBe(429);
  expect((await service.send(`GET ${bins}/${id}/requests`)).status).toBe(200);
  last?.abort();
  await expect
    .poll(async () => (await service.send(`GET ${bins}/${id}/requests?wait=0.01`)).status)
    .toBe(200);
  for (const controller of others) controller.abort();
  await Promise.all(waiting);
});

describe('the stream of captures', () => {
  interface Seen {
    readonly type: string;
    readonly id: string;
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
    readonly data: any;
  }

  /** Collects events; resolves once the stream is open. */
  async function follow(
    query = '',
  ): Promise<{ seen: Seen[]; source: EventSource; until: (count: number) => Promise<void> }> {
    const source = new EventSource(`${service.url}${bins}/${id}/events${query}`);
    openSources.push(source);
    const seen: Seen[] = [];
    for (const type of ['message', 'cleared', 'deleted']) {
      source.addEventListener(type, ({ lastEventId, data }) => {
        seen.push({ type, id: lastEventId, data: JSON.parse(data) });
      });
    }
    await new Promise((resolve, reject) => {
      source.addEventListener('open', resolve);
      source.addEventListener('error', reject);
    });
    const until = (count: number) =>
      expect.poll(() => seen.length, { timeout: 5000 }).toBeGreaterThanOrEqual(count);
    return { seen, source, until };
  }

  test('has the headers of an event stream, and supports HEAD', async () => {
    const { headers, text } = await service.send(`HEAD ${bins}/${id}/events`);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(text).toBe('');
  });

  test('begins with the next capture and has each in the form of the list', async () => {
    await capture('before');
    const { seen, until } = await follow();
    const first = await capture('a\nb\r\n\r\ndata: ž');
    const second = await capture('c');
    await until(2);
    const { json } = await service.send(`GET ${bins}/${id}/requests?limit=2`);
    expect(seen).toEqual([
      { type: 'message', id: String(first), data: json[1] },
      { type: 'message', id: String(second), data: json[0] },
    ]);
  });

  test('resumes after the last event that a client has', async () => {
    for (const body of ['1', '2', '3', '4', '5', '6', '7']) await capture(body);
    const { seen, until } = await follow('?lastEventId=2');
    await until(5);
    expect(seen.map(({ data }) => data.body)).toEqual(['3', '4', '5', '6', '7']);

    const response = await fetch(`${service.url}${bins}/${id}/events`, {
      headers: { 'Last-Event-ID': '6' },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('"body":"7"')) text += (await reader?.read())?.value ?? '';
    expect(text).not.toContain('"body":"6"');
    expect(text).toMatch(/^retry: \d+\n\n/);
    expect(text).toMatch(/\nid: 7\ndata: \{/);
    await reader?.cancel();
  });

  test('begins with the next capture after an unknown id', async () => {
    const { seen, until } = await follow('?lastEventId=1000');
    await capture('next');
    await until(1);
    expect(seen[0]?.data.body).toBe('next');
  });

  test('loses nothing while captures arrive fast, to any number of readers', async () => {
    const readers = await Promise.all([follow(), follow(), follow()]);
    for (let count = 0; count < 200; count += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => capture(String(count + index))));
      for (const { until } of readers) await until(count + 20);
    }
    for (const { seen } of readers) {
      expect(seen.map((event) => Number(event.id))).toEqual(
        Array.from({ length: 200 }, (_, index) => index + 1),
      );
    }
  });

  test('reports that the bin was emptied, and continues', async () => {
    const { seen, until } = await follow();
    await capture('a');
    await until(1);
    await service.send(`DELETE ${bins}/${id}/requests`);
    await until(2);
    await capture('b');
    await until(3);
    expect(seen.map(({ type, data }) => [type, data.body])).toEqual([
      ['message', 'a'],
      ['cleared', undefined],
      ['message', 'b'],
    ]);
  });

  test('reports to a reconnecting client that the bin was emptied meanwhile', async () => {
    await capture('a');
    await service.send(`DELETE ${bins}/${id}/requests`);
    await capture('b');
    const { seen, until } = await follow('?lastEventId=1');
    await until(2);
    expect(seen.map(({ type, id: place, data }) => [type, place, data.body])).toEqual([
      ['cleared', '2', undefined],
      ['message', '3', 'b'],
    ]);
    const later = await follow('?lastEventId=3');
    await capture('c');
    await later.until(1);
    expect(later.seen.map(({ data }) => data.body)).toEqual(['c']);
  });

  test('reports that the bin was deleted, and ends', async () => {
    const response = fetch(`${service.url}${bins}/${id}/events`).then((opened) => opened.text());
    await soon();
    await service.send(`DELETE ${bins}/${id}`);
    expect(await response).toMatch(/event: deleted\ndata: \{\}\n\n$/);
  });

  test.each(['x', '-1', '1.5', '9'.repeat(16)])('rejects Last-Event-ID %s', async (value) => {
    const headers = { 'Last-Event-ID': value };
    const { status, json } = await service.send(`GET ${bins}/${id}/events`, { headers });
    expect(status).toBe(400);
    expect(json.message).toMatch(/^The header last-event-id must be an integer from 0 to /);
  });

  test('to a reader that does not read costs no other client anything', async () => {
    const stuck = new AbortController();
    const response = await fetch(`${service.url}${bins}/${id}/events`, { signal: stuck.signal });
    const { seen, until } = await follow();
    const body = 'x'.repeat(200_000);
    for (let count = 1; count <= 60; count++) await capture(body);
    await until(60);
    expect(seen).toHaveLength(60);
    stuck.abort();
    await response.body?.cancel().catch(() => {});
  });
});

test('a stop ends waiting requests with a response, and streams, at once', async () => {
  const stopping = await createService();
  const { json } = await send(stopping.url, `POST ${bins}`);
  const path = `${bins}/${json.id}`;
  const streams = await Promise.all(
    Array.from({ length: 3 }, () => fetch(`${stopping.url}${path}/events`)),
  );
  const waiting = Array.from({ length: mostReaders - 3 }, () =>
    insist(() => send(stopping.url, `GET ${path}/requests?wait=60`)),
  );
  await untilFull(stopping.url, json.id);
  await stopping.close();
  // Connections that are cut get no response.
  for (const { status, json: list } of await Promise.all(waiting)) {
    expect(status).toBe(200);
    expect(list).toEqual([]);
  }
  for (const stream of streams) expect(await stream.text()).toMatch(/^(?:retry: \d+\n\n){2}$/);
});
