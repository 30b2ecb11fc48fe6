/**
 * Clients of a killed replica resume on another one: all acknowledged messages exist, once and in
 * order.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { openStream, type TestEvent } from '../support/event-source.js';
import { testsWith } from '../support/foreign-program.js';
import { openWebSocket, type RawWebSocket, text } from '../support/raw-web-socket.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { endPrograms, type Program, runProgram } from '../support/run-program.js';
import { send } from '../support/service.js';

endPrograms();

interface RoomEvent {
  readonly id: number;
  readonly type: 'join' | 'leave' | 'message';
  readonly from: string;
  readonly text: string;
}

const room = '/s/killed/api/ws/room/all';
const names = ['ann', 'ben', 'cem', 'dua', 'eli'];
const acknowledgedFirst = 150;

testsWith('redis').describe('a replica that is killed', () => {
  let redis: RedisServer;
  let lasting: Service;
  let mortal: Program;
  const opened: RawWebSocket[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    const statePrefix = newPrefix();
    lasting = await createService({ stateUrl: redis.url, statePrefix });
    const environment = { STATE_URL: redis.url, STATE_PREFIX: statePrefix };
    mortal = runProgram(['--port', '0', '--host', '127.0.0.1'], environment);
  });
  afterAll(async () => {
    for (const { connection } of opened) connection.socket.destroy();
    await lasting.close();
    await redis.close();
  });

  async function join(url: string, query: string): Promise<RawWebSocket> {
    const socket = await openWebSocket(url, `${room}?${query}`);
    opened.push(socket);
    return socket;
  }

  async function hear(socket: RawWebSocket): Promise<RoomEvent | undefined> {
    const frame = await socket.next();
    return frame && JSON.parse(frame.payload.toString());
  }

  /**
   * Sends, waits for the echo, and repeats, while the replica runs; returns the received messages.
   */
  async function talk(url: string, from: string, onEcho: () => void): Promise<RoomEvent[]> {
    const socket = await join(url, `from=${from}`);
    const received: RoomEvent[] = [];
    let sent = 0;
    for (let event = await hear(socket); event !== undefined; event = await hear(socket)) {
      received.push(event);
      if (event.from !== from) continue;
      if (event.type === 'message') onEcho();
      socket.send(text(String(sent++)));
    }
    return received;
  }

  /** Returns the messages up to the first after the replica was killed. */
  async function receiveSince(since: number): Promise<RoomEvent[]> {
    const socket = await join(lasting.url, `since=${since}&from=late`);
    const received: RoomEvent[] = [];
    for (let event = await hear(socket); event !== undefined; event = await hear(socket)) {
      if (event.text === 'the end') return received;
      received.push(event);
    }
    throw new Error('The lasting replica ended the connection.');
  }

  interface Watched {
    readonly seen: readonly TestEvent[];
    readonly renamed: readonly string[];
  }

  /** Renames a book repeatedly, and follows the reported changes, while the replica runs. */
  async function rename(url: string): Promise<Watched> {
    const stream = await openStream(url, '/s/killed/api/sse/changes?collection=books', {
      method: 'GET',
    });
    const seen: TestEvent[] = [];
    const renamed: string[] = [];
    const following = (async () => {
      for (let event = await stream.next(); event; event = await stream.next()) seen.push(event);
    })();
    const renaming = (async () => {
      for (let turn = 0; ; turn++) {
        const title = `Title ${turn}`;
        const { status } = await send(url, 'PATCH /s/killed/api/Books/1', { json: { title } });
        if (status === 200) renamed.push(title);
      }
    })();
    await Promise.allSettled([following, renaming]);
    return { seen, renamed };
  }

  test('loses no acknowledged message, and its clients resume by id on another', async () => {
    const url = await mortal.started;
    let echoes = 0;
    function count(): void {
      if (++echoes === acknowledgedFirst) mortal.process.kill('SIGKILL');
    }
    const [watched, ...talks] = await Promise.all([
      rename(url),
      ...names.map((name) => talk(url, name, count)),
    ]);
    const { signal } = await mortal.ended;
    expect(signal).toBe('SIGKILL');

    const last = await join(lasting.url, 'from=last');
    last.send(text('the end'));
    const all = await receiveSince(0);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const byId = new Map(all.map((event) => [event.id, event]));
    for (const [index, received] of talks.entries()) {
      // Each event exists, as it was received, so each echo does.
      for (const event of received) expect(byId.get(event.id)).toEqual(event);
      const from = names[index];
      const kept = all.filter((event) => event.type === 'message' && event.from === from);
      const echoed = received.filter((event) => event.type === 'message' && event.from === from);
      // Once and in order; the message in transit may exist or not.
      expect(kept.map((event) => event.text)).toEqual(kept.map((_, place) => String(place)));
      expect(kept.length - echoed.length).toBeOneOf([0, 1]);

      const seen = received.at(-1)?.id ?? 0;
      const resumed = (await receiveSince(seen)).filter(({ from: who }) => who !== 'late');
      const missing = all.filter(({ id, from: who }) => id > seen && who !== 'late');
      expect(resumed).toEqual(missing);
    }

    await checkChanges(watched);
  });

  /**
   * The changes reported before and those reported on resuming are complete, in order, and each is
   * sent once.
   */
  async function checkChanges({ seen, renamed }: Watched): Promise<void> {
    await send(lasting.url, 'PATCH /s/killed/api/Books/1', { json: { title: 'The end' } });
    const stream = await openStream(
      lasting.url,
      '/s/killed/api/sse/changes?collection=books&lastEventId=0',
      { method: 'GET', headers: { 'Last-Event-ID': seen.at(-1)?.id ?? '0' } },
    );
    const resumed: TestEvent[] = [];
    for (let event = await stream.next(); event; event = await stream.next()) {
      resumed.push(event);
      if (event.data.record.title === 'The end') break;
    }
    stream.close();
    const both = [...seen, ...resumed];
    const ids = both.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, place) => (ids[0] ?? 0) + place));
    const titles = both.map(({ data }) => data.record.title);
    expect(renamed.length).toBeGreaterThan(0);
    expect(titles.slice(0, renamed.length)).toEqual(renamed);
    // Beside them the change in transit may exist, and the last.
    expect(titles.length - renamed.length).toBeOneOf([1, 2]);
  }
});
