/** Streams of a session that a client resumes by `Last-Event-ID`. */

import { afterEach, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';
import { messagesIn, openSession, type Session } from './mcp.js';

const service = useService();

test('each stream is resumed, also after the last message of an earlier one', async () => {
  const path = '/s/resuming/mcp';
  const session = await openSession(service, '2025-11-25', { path });
  for (let index = 0; index < 3; index += 1) {
    const { text } = await session.request('tools/call', { name: 'test_reconnection' });
    const [, id = ''] = /^id: (.+)$/m.exec(text) ?? [];
    const resumed = await service.send(`GET ${path}`, {
      headers: { ...session.headers, accept: 'text/event-stream', 'last-event-id': id },
    });
    const [message] = messagesIn(resumed.text);
    expect(message.result.content[0].text).toContain('after the stream was resumed');
  }
});

const opened: ReturnType<typeof openConnection>[] = [];

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});

/** Opens a stream by GET, and waits for its head. */
async function listen(path: string, session: Session, headers: Record<string, string> = {}) {
  const connection = openConnection(service.url);
  opened.push(connection);
  const { accept: _accept, ...others } = session.headers;
  const all = { ...others, Accept: 'text/event-stream', ...headers };
  connection.send(requestText(`GET ${path}`, all));
  await connection.until('\r\n\r\n');
  await connection.until('\n\n');
  return connection;
}

const idsIn = (connection: ReturnType<typeof openConnection>) =>
  [...`${connection.received()}`.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);

const subscribed = async (path: string) => {
  const session = await openSession(service, '2025-11-25', { path });
  await session.request('resources/subscribe', { uri: 'practice://books/1' });
  return session;
};

const change = (sandbox: string) =>
  service.send(`PATCH /s/${sandbox}/api/Books/1`, { json: { price: 10 } });

const updatesIn = (connection: ReturnType<typeof openConnection>) =>
  `${connection.received()}`.split('notifications/resources/updated').length - 1;

test('a message is on one stream: on the newest, and on an older one after that has ended', async () => {
  const path = '/s/one-stream/mcp';
  const session = await subscribed(path);
  const older = await listen(path, session);
  const newer = await listen(path, session);
  await change('one-stream');
  await newer.until('notifications/resources/updated');
  const count = async () => (await service.send('GET /s/one-stream/api/sandbox/mcp')).json.streams;
  await expect.poll(count).toBe(2);
  newer.socket.destroy();
  await expect.poll(count).toBe(1);
  expect(updatesIn(older)).toBe(0);
  await change('one-stream');
  await older.until('notifications/resources/updated');
  expect([updatesIn(older), updatesIn(newer)]).toEqual([1, 1]);
});

test('many changes while streams come and go are each reported once', async () => {
  const path = '/s/each-once/mcp';
  const session = await subscribed(path);
  const streams = [await listen(path, session)];
  for (let count = 0; count < 5; count++) {
    const [stream] = await Promise.all([
      listen(path, session),
      change('each-once'),
      change('each-once'),
    ]);
    streams.push(stream);
  }
  const updates = () => streams.reduce((sum, each) => sum + updatesIn(each), 0);
  await expect.poll(updates).toBe(10);
});

test('ids of events are unique in a session, also at the start of a resumed stream', async () => {
  const path = '/s/unique-ids/mcp';
  const session = await subscribed(path);
  const streams = [await listen(path, session), await listen(path, session)];
  await change('unique-ids');
  await streams[1]?.until('notifications/resources/updated');
  const last = idsIn(streams[1] as (typeof streams)[0]).at(-1) ?? '';
  streams[1]?.socket.destroy();
  const resumed = await listen(path, session, { 'Last-Event-ID': last });
  streams.push(resumed);
  await change('unique-ids');
  await resumed.until('notifications/resources/updated');
  const ids = streams.flatMap(idsIn);
  expect(ids.length).toBeGreaterThan(3);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a stream that another connection resumes ends on the earlier one', async () => {
  const path = '/s/resumed-twice/mcp';
  const session = await subscribed(path);
  const first = await listen(path, session);
  const [id = ''] = idsIn(first);
  const second = await listen(path, session, { 'Last-Event-ID': id });
  await first.until('0\r\n\r\n');
  await change('resumed-twice');
  await second.until('notifications/resources/updated');
  expect(updatesIn(first)).toBe(0);
});

test('a twenty-first stream of a session ends the oldest', async () => {
  const path = '/s/many-streams/mcp';
  const session = await openSession(service, '2025-11-25', { path });
  const first = await listen(path, session);
  for (let count = 1; count < 20; count++) await listen(path, session);
  expect(`${first.received()}`).not.toContain('0\r\n\r\n');
  await listen(path, session);
  await first.until('0\r\n\r\n');
});
