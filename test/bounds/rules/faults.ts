/** Limits of simulated failures, and of queues of expensive work. */

import { vi } from 'vitest';
import { plainList } from '../../../src/areas/data/formats/represent.js';
import { Uploads } from '../../../src/areas/http/uploads/uploads.js';
import { IssuerKeys } from '../../../src/areas/oidc/model/issuer-keys.js';
import { FairQueue } from '../../../src/base/shares/fair-queue.js';
import { deliveries } from '../../../src/faults/wire/wire-faults.js';
import { createMemoryState } from '../../../src/state/memory/memory-state.js';
import { ServerSocket } from '../../../src/wire/websocket/server-socket.js';
import { opcodes, openWebSocket, text } from '../../support/raw-web-socket.js';
import { minimalReplay } from './replays.js';
import { isWithout, type Rule } from './rule.js';

const mebibyte = 1024 * 1024;

/** Delivers a response with these pieces, and returns what was sent. */
async function delivered(
  kind: 'duplicate' | 'slow',
  pieces: readonly Buffer[],
  contentType: string,
): Promise<readonly Buffer[]> {
  const sent: Buffer[] = [];
  const left = [...pieces];
  const diverted = {
    isGone: false,
    begin() {},
    next: async () => left.shift(),
    send: async (bytes: Buffer) => void sent.push(bytes),
    finish() {},
  };
  const req = { method: 'GET', httpVersion: '1.1', endConnection() {} };
  await deliveries[kind]({
    response: { req },
    diverted,
    head: { status: 200, headers: { 'content-type': contentType } },
    fault: { slow: 1000 },
    note: async () => {},
    place: undefined,
  } as never);
  return sent;
}

/** Delivers slowly, at a time of this many milliseconds after the beginning. */
async function sentAfter(ms: number): Promise<readonly Buffer[]> {
  let reads = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (reads++ === 0 ? 0 : ms));
  try {
    return await delivered('slow', [Buffer.from('a')], 'text/plain');
  } finally {
    now.mockRestore();
  }
}

/** Returns whether a replay without a response is still awaited after this many milliseconds. */
async function isAwaited(ms: number): Promise<boolean> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let outcome: unknown;
    const replay = minimalReplay(() => {}).then((given) => {
      outcome = given;
    });
    await vi.advanceTimersByTimeAsync(ms);
    const isOver = outcome !== undefined;
    await vi.advanceTimersByTimeAsync(60_000);
    await replay;
    return !isOver;
  } finally {
    vi.useRealTimers();
  }
}

/** Runs work that waits until all was added, and returns whether none of it was rejected. */
async function allWait<Given>(
  count: number,
  add: (number: number) => Promise<Given>,
  isRejected: (given: Given) => boolean,
  result: unknown,
): Promise<boolean> {
  const { run } = FairQueue.prototype;
  let added = 0;
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const spy = vi.spyOn(FairQueue.prototype, 'run');
  spy.mockImplementation(function enqueue(this: FairQueue, owner) {
    if (++added === count) setImmediate(open);
    return run.call(this, owner, () => opened.then(() => result));
  });
  try {
    const all = await Promise.all(Array.from({ length: count }, (_, number) => add(number)));
    return !all.some(isRejected);
  } finally {
    spy.mockRestore();
  }
}

export const faultRules: readonly Rule[] = [
  {
    limit: 'areas/bugs/report-bug.ts#maxWaitingReports',
    value: 100,
    async accepts(size, { send }) {
      const headers = { 'X-Sandbox': 'bounds-of-reports' };
      await send('PUT /api/sandbox/bugs', { headers, json: { level: 'junior', count: 1 } });
      const report = { method: 'GET', path: '/api/Books', expected: 200, actual: 500 };
      // One is judged, the others wait.
      return allWait(
        size + 1,
        (number) =>
          send('POST /api/sandbox/bugs/reports', { headers, json: { ...report, body: number } }),
        ({ status }) => status === 503,
        { verdict: 'cannot tell', reason: 'This is a test.' },
      );
    },
  },
  {
    limit: 'http/sending/max-response-bytes.ts#maxResponseBytes',
    value: 8 * mebibyte,
    accepts(size) {
      const rest = JSON.stringify([{ id: 1, a: '' }]).length;
      const call = { source: { pictures: [] }, request: { baseUrl: '' } };
      const records = [{ id: 1, a: 'x'.repeat(size - rest) }];
      return isWithout(/larger than 8388608 bytes/, () =>
        plainList(call as never, records as never),
      );
    },
  },
  {
    limit: 'areas/http/uploads/uploads.ts#maxPieces',
    value: 1000,
    async accepts(size) {
      const uploads = new Uploads(createMemoryState({ clock: Date.now }).sandbox('s'));
      const given = { name: 'a', type: 'text/plain', size: 5000, isPartial: false };
      const { id } = await uploads.add(given as never);
      return isWithout(/more than 1000 pieces/, () =>
        uploads.write(id, 0, Array(size).fill(Buffer.from('a'))),
      );
    },
  },
  {
    limit: 'areas/http/cookies/malformed.ts#maxPairBytes',
    value: 4096,
    async accepts(size, { send }) {
      const name = size === 4096 ? 'longest' : 'too-long';
      const { headers } = await send(`GET /api/http/cookies/malformed/${name}`);
      const [pair = ''] = String(headers['set-cookie']).split(';');
      if (pair.replace('=', '').length !== size) throw new Error(`It has ${pair.length} bytes.`);
      return name === 'longest';
    },
  },
  {
    limit: 'areas/oidc/model/issuer-keys.ts#maxWaiting',
    value: 32,
    accepts(size) {
      const keys = new IssuerKeys();
      const state = createMemoryState({ clock: Date.now });
      // Keys of one sandbox are generated, and the other sandboxes wait.
      return allWait(
        size + 1,
        (number) => keys.ringOf(state.sandbox(`s${number}`)).catch((error: Error) => error),
        (given) => given instanceof Error,
        { current: [], retired: [] },
      );
    },
  },
  {
    limit: 'faults/wire/wire-faults.ts#maxEventBytes',
    value: mebibyte,
    async accepts(size) {
      const event = Buffer.from(`data: ${'x'.repeat(size - 'data: \n\n'.length)}\n\n`);
      const sent = await delivered('duplicate', [event], 'text/event-stream');
      return Buffer.concat(sent).length === 2 * size;
    },
  },
  {
    limit: 'faults/wire/wire-faults.ts#maxTrickleMs',
    value: 600_000,
    accepts: async (size) => Buffer.concat(await sentAfter(size)).length === 1,
  },
  {
    limit: 'kit/replays/replays.ts#maxMs',
    value: 2000,
    accepts: (size) => isAwaited(size - 1),
  },
  {
    limit: 'wire/websocket/server-socket.ts#maxUnreadBytes',
    value: 4 * mebibyte,
    async accepts(size, { url }) {
      const socket = await openWebSocket(url, '/api/ws/echo');
      const unread = vi.spyOn(ServerSocket.prototype, 'bufferedAmount', 'get');
      unread.mockReturnValue(size);
      try {
        socket.send(text('a'));
        return (await socket.next())?.opcode === opcodes.text;
      } finally {
        unread.mockRestore();
        socket.connection.socket.destroy();
      }
    },
  },
];
