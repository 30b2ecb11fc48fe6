/** Event streams over HTTP: the sent bytes, the events of a client, and how it resumes. */

import { EventSource, type FetchLike } from 'eventsource';
import { describe, expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const idsOf = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);

describe('the clock', () => {
  test('ticks at the requested interval, with the requested ids, type and retry', async () => {
    const { headers, text } = await send(
      'GET /api/sse/clock?count=3&interval=0&retry=50&event=tick',
    );
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(text).toMatch(/^retry: 50\n\nid: 1\nevent: tick\ndata: \{"n":1,"of":3,"at":".*"\}\n\n/);
    expect(idsOf(text)).toEqual(['1', '2', '3']);
  });

  test.each([
    ['by the header', {}, { 'Last-Event-ID': '2' }],
    ['by the query', { lastEventId: '2' }, {}],
    ['by the header rather than the query', { lastEventId: '3' }, { 'Last-Event-ID': '2' }],
    ['by the query, where the header is empty', { lastEventId: '2' }, { 'Last-Event-ID': '' }],
  ])('continues after the last seen event, %s', async (_name, query, headers) => {
    const search = new URLSearchParams({ count: '4', interval: '0', ...query });
    const { text } = await send(`GET /api/sse/clock?${search}`, { headers });
    expect(idsOf(text)).toEqual(['3', '4']);
  });

  test('is 204 for a client that has seen all, and 400 for an unknown id', async () => {
    const ask = (id: string) =>
      send('GET /api/sse/clock?count=4', { headers: { 'Last-Event-ID': id } });
    expect([(await ask('4')).status, (await ask('9')).status]).toEqual([204, 204]);
    expect((await ask('four')).json.errors[0].field).toMatch(/last-event-id/i);
  });

  test.each([
    'interval=-1',
    'interval=61',
    'count=0',
    'count=x',
    'retry=1.5',
    'event=a%0Ab',
    'dropAfter=0',
    'unknown=1',
  ])('%s is rejected', async (query) => {
    const name = query.split('=')[0];
    const { status, json } = await send(`GET /api/sse/clock?${query}`);
    expect([status, json.errors[0].field]).toEqual([400, name]);
  });

  test('closes after dropAfter events, and a client that reconnects sees each once', async () => {
    const { headers, text } = await send('GET /api/sse/clock?count=5&interval=0&dropAfter=2');
    expect([headers.connection, idsOf(text)]).toEqual(['close', ['1', '2']]);
    const statuses: number[] = [];
    const noting: FetchLike = async (url, init) => {
      const response = await fetch(url, init as RequestInit);
      statuses.push(response.status);
      return response as never;
    };
    const url = `${service.url}/s/drops/api/sse/clock?count=5&interval=0&dropAfter=2&retry=1`;
    const source = new EventSource(url, { fetch: noting });
    const ids: string[] = [];
    source.onmessage = ({ lastEventId }) => ids.push(lastEventId);
    await expect.poll(() => source.readyState).toBe(source.CLOSED);
    expect(ids).toEqual(['1', '2', '3', '4', '5']);
    expect(statuses).toEqual([200, 200, 200, 204]);
  });

  test('HEAD has the headers, and holds no stream open', async () => {
    const { status, headers } = await send('HEAD /api/sse/clock');
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  test('ends cleanly at a stop after a last retry', async () => {
    const own = await createService();
    const connection = openConnection(own.url);
    connection.send(requestText('GET /api/sse/clock?interval=60'));
    await connection.until('"n":1');
    await own.close();
    expect(await connection.ended).toBe('closed');
    expect(connection.received().toString()).toMatch(/\r\nretry: 1000\n\n\r\n0\r\n\r\n$/);
  });
});

test('tokens are sent as language models send them', async () => {
  const { text } = await send('GET /api/sse/tokens?text=Hello%20there&interval=0');
  expect(text).toBe(
    'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\ndata: {"choices":[{"delta":{"content":" there"}}]}\n\ndata: [DONE]\n\n',
  );
});

describe('variants', () => {
  /** The events that a third-party client reads from a stream. */
  function eventsOf(kind: string): Promise<string[]> {
    const source = new EventSource(`${service.url}/api/sse/variants/${kind}`);
    const data: string[] = [];
    return new Promise((resolve) => {
      source.onmessage = (event) => data.push(event.data);
      source.addEventListener('end', () => {
        source.close();
        resolve(data);
      });
      source.onerror = () => {
        source.close();
        resolve(data);
      };
    });
  }

  test.each([
    ['comments', ['first\nsecond']],
    ['multiline', ['first\nsecond\n third, with a space\n']],
    ['cr', ['first\nsecond']],
    ['lf', ['first\nsecond']],
    ['crlf', ['first\nsecond']],
    ['bom', ['after the mark']],
    ['no-colon', ['', '\n']],
    ['empty-data', ['']],
    ['nul-id', ['first', 'second']],
    ['bad-retry', ['after them']],
    ['split-utf8', ['😀 é']],
    ['long-line', ['x'.repeat(1024 * 1024)]],
    ['wrong-type', []],
    ['error-before', []],
    ['error-middle', ['first']],
  ])('%s', async (kind, data) => {
    expect(await eventsOf(kind)).toEqual(data);
  });

  test('fail: before, in the middle without a last chunk, by their type', async () => {
    expect((await send('GET /api/sse/variants/error-before')).status).toBe(503);
    const cut = await rawExchange(service.url, requestText('GET /api/sse/variants/error-middle'));
    expect(cut.body).toContain('data: cut o');
    expect(cut.body).not.toMatch(/\r\n0\r\n\r\n$/);
    const { headers } = await send('GET /api/sse/variants/wrong-type');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('end permanently once all events were seen, and there are no others', async () => {
    const seen = { headers: { 'Last-Event-ID': 'last' } };
    expect((await send('GET /api/sse/variants/cr', seen)).status).toBe(204);
    const { status, json } = await send('GET /api/sse/variants/none');
    expect(status).toBe(404);
    expect(json.message).toContain('comments, multiline');
  });
});
