import { expect, test } from 'vitest';
import { isQuiet, writeEvent } from './event-stream.js';

test.each([
  ['data alone', { data: 'a' }, 'data: a\n\n'],
  ['everything', { id: 7, event: 'tick', data: 'a' }, 'id: 7\nevent: tick\ndata: a\n\n'],
  ['several lines', { data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  ['no data', { data: '' }, 'data: \n\n'],
  ['an empty id', { id: '', data: 'a' }, 'id: \ndata: a\n\n'],
])('an event with %s', (_name, event, text) => {
  expect(writeEvent(event)).toBe(text);
});

test('it waits until there are events, or the client leaves', async () => {
  const never = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const client = new AbortController();
  expect(await isQuiet(never, client.signal, 1)).toBe(true);
  expect(await isQuiet(async () => {}, client.signal)).toBe(false);
  const waiting = isQuiet(never, client.signal);
  client.abort();
  expect(await waiting).toBe(false);
});
