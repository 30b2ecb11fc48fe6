/** Third-party clients of sockets and events. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { WebSocket } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'practice-api-realtime-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const curl = foreignProgram('curl');
const websockets = foreignProgram('websockets');

interface Conversation {
  readonly messages: readonly unknown[];
  readonly code: number;
  readonly reason: string;
  readonly protocol: string;
}

/** Sends a text where one is given, and closes once it has been echoed. */
function converse(path: string, text?: string, protocols: string[] = []): Promise<Conversation> {
  const address = `${service.url.replace('http', 'ws')}/s/undici/api/ws/${path}`;
  const socket = new WebSocket(address, protocols);
  const messages: unknown[] = [];
  return new Promise((resolve) => {
    socket.onopen = () => {
      if (text !== undefined) socket.send(text);
    };
    socket.onmessage = ({ data }) => {
      messages.push(data);
      if (data === text) socket.close(1000);
    };
    socket.onclose = ({ code, reason }) => {
      resolve({ messages, code, reason, protocol: socket.protocol });
    };
  });
}

test("Node's WebSocket, which is undici's, sends, receives and closes, and fails on broken frames", async () => {
  const large = 'a large text '.repeat(50_000);
  expect((await converse('echo', large)).messages).toEqual([large]);
  const pushed = await converse('push?interval=0&count=3');
  expect([pushed.messages.length, pushed.code, pushed.reason]).toEqual([
    3,
    1000,
    'All 3 were sent.',
  ]);
  expect(await converse('close?code=4321&reason=bye')).toMatchObject({ code: 4321, reason: 'bye' });
  expect((await converse('close?abrupt=true')).code).toBe(1006);
  expect((await converse('protocols', '1', ['none', 'chat.v1'])).protocol).toBe('chat.v1');
  expect((await converse('refuse/503')).code).toBe(1006);
  for (const kind of [
    'reserved-bits',
    'long-control',
    'wrong-accept',
    'orphan-continuation',
    'masked',
    'close-one-byte',
    'close-reserved-code',
    'close-invalid-reason',
  ]) {
    const { messages, code } = await converse(`broken/${kind}`);
    expect([kind, messages, [1002, 1006].includes(code)]).toEqual([kind, [], true]);
  }
});

curl.test('curl prints events as they arrive, and resumes by id', async () => {
  const clock = `${service.url}/api/sse/clock?count=3&interval=0`;
  expect((await curl.run('-sN', clock)).match(/^id: \d$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3']);
  const rest = await curl.run('-sN', '-H', 'Last-Event-ID: 2', clock);
  expect(rest.match(/^id: \d$/gm)).toEqual(['id: 3']);
  await expect(curl.run('-s', `${service.url}/api/sse/variants/error-middle`)).rejects.toThrow();
});

testsWith('websockets', 'aiohttp').test("Python's websockets and aiohttp", async () => {
  const lines = (await websockets.run(script('realtime.py'), service.url)).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ['echo', ['text', [0, 255], 'fragment']],
    ['deflate', ['permessage-deflate']],
    ['push', [1, 2, 3]],
    ['close', [4321, 'bye']],
    ['protocol', 'json'],
    ['refused', 401],
    ['refused', 503],
    ['reserved-bits', 1002],
    // The client stops reading early, so the close code is 1009, 1002 or none.
    ['bad-length', expect.any(Number)],
    ['invalid-utf8', 1007],
    ['long-control', 1002],
    ['orphan-continuation', 1002],
    ['masked', 1002],
    ['close-one-byte', 1002],
    ['close-reserved-code', 1002],
    ['close-undefined-code', 1002],
    ['close-invalid-reason', 1007],
    ['wrong-accept', 'refused'],
    ['aiohttp echo', 500],
    ['aiohttp fragments', 'abcdef'],
    ['aiohttp events', ['text/event-stream', 'data: [DONE]']],
    [
      'subscription',
      ['connection_ack', { data: { countdown: 1 } }, { data: { countdown: 0 } }, 'complete'],
    ],
    ['aiohttp subscription', ['event: next', 'event: next', 'event: complete']],
  ]);
});

testsWith('gorilla-websocket').test("Go's gorilla/websocket and net/http", async () => {
  const program = join(folder, 'realtime');
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') };
  await run('go', ['build', '-o', program, script('realtime.go')], {
    env: { ...process.env, ...go },
  });
  const { stdout } = await run(program, [service.url]);
  expect(stdout.trim().split('\n')).toEqual([
    'echo 101 1 true',
    'close websocket: close 4321: bye',
    'protocol chat.v2',
    'rejected 503',
    'reserved-bits true',
    'long-control true',
    'orphan-continuation true',
    'masked true',
    'close-invalid-reason true',
    'wrong-accept true',
    'events 3',
  ]);
});

testsWith('httpclient5').test("Java's HttpClient", async () => {
  const { stdout } = await run('java', [script('Realtime.java'), service.url]);
  expect(stdout.trim().split('\n')).toEqual([
    'echo hello',
    'close 4321 bye',
    'reserved-bits error',
    'invalid-utf8 error',
    'orphan-continuation error',
    'masked error',
    'close-one-byte error',
    'events 3',
  ]);
});
