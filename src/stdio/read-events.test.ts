import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readEvents } from './read-events.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Starts a server with one endless stream; `left` resolves when its client leaves. */
async function startStream() {
  const server = createServer();
  const left = new Promise<void>((resolve) => {
    server.on('request', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('id: 7\nevent: first\ndata: 1\n\n');
      const beats = setInterval(() => response.write(': beat\n\n'), 20);
      response.on('close', () => {
        clearInterval(beats);
        resolve();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, left, stop: () => server.close() };
}

async function readAll(
  url: string,
  signal: AbortSignal,
  onEvent: () => void,
): Promise<readonly string[]> {
  const reader = readEvents(await fetch(url, { signal, redirect: 'error' }), signal);
  const seen: string[] = [];
  try {
    for await (const data of reader.events) {
      seen.push(`${reader.lastName} ${data}`);
      onEvent();
    }
  } catch (error) {
    expect(error).toMatchObject({ name: 'AbortError' });
  }
  return [...seen, `id ${reader.lastId}`];
}

test('an aborted signal ends the stream, also after garbage was collected', async () => {
  const { url, left, stop } = await startStream();
  const controller = new AbortController();
  let reading: Promise<readonly string[]> | undefined;
  await new Promise<void>((resolve) => {
    reading = readAll(url, controller.signal, resolve);
  });
  for (let turn = 0; turn < 5; turn++) {
    collectGarbage();
    await sleep(50);
  }
  controller.abort();
  expect(await reading).toEqual(['first 1', 'id 7']);
  await left;
  stop();
});

test('a reader that stops early closes the stream', async () => {
  const { url, left, stop } = await startStream();
  const { signal } = new AbortController();
  for await (const data of readEvents(await fetch(url), signal).events) {
    expect(data).toBe('1');
    break;
  }
  await left;
  stop();
});
