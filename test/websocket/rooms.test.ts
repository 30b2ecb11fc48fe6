/** Sockets that use the state: rooms, and tickets. */

import { describe, expect, test } from 'vitest';
import {
  closeFrame,
  frame,
  opcodes,
  openWebSocket,
  type RawWebSocket,
  text,
} from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';
import { useWebSockets } from '../support/web-sockets.js';

const service = useService();
const { send } = service;

const { open, rejection } = useWebSockets(service);

describe('auth', () => {
  const right = { Authorization: 'Bearer demo-user-token' };
  const ticketOf = async (prefix = '') =>
    (await send(`POST ${prefix}/api/ws/tickets`, { headers: right })).json.ticket;

  test('accepts right credentials', async () => {
    const ticket = await ticketOf('/s/tickets');
    for (const [path, headers] of [
      ['/api/ws/auth', right],
      ['/api/ws/auth', { 'Sec-WebSocket-Protocol': 'bearer.demo-user-token' }],
      [`/s/tickets/api/ws/auth?ticket=${ticket}`, {}],
    ] as const) {
      const socket = await open(path, headers);
      expect(JSON.parse(await socket.text())).toEqual({ type: 'welcome', user: 'user' });
    }
  });

  test('wrong credentials are 401 with a challenge, and so are used tickets and tickets of other sandboxes', async () => {
    const ticket = await ticketOf('/s/tickets');
    await open(`/s/tickets/api/ws/auth?ticket=${ticket}`);
    const other = await ticketOf('/s/tickets');
    for (const [path, headers] of [
      ['/api/ws/auth', { Authorization: 'Bearer wrong' }],
      ['/api/ws/auth', { Authorization: 'Basic dTpw' }],
      ['/api/ws/auth', { 'Sec-WebSocket-Protocol': 'bearer.wrong' }],
      [`/s/tickets/api/ws/auth?ticket=${ticket}`, {}],
      [`/s/others/api/ws/auth?ticket=${other}`, {}],
    ] as const) {
      const { status, headers: received } = await rejection(path, headers);
      expect([status, received['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('invalid_token'),
      ]);
    }
  });

  test('a ticket is valid for 60 s of the clock of its sandbox', async () => {
    const ticket = await ticketOf('/s/late');
    await send('PUT /s/late/api/sandbox/clock', { json: { offsetSeconds: 61 } });
    expect((await rejection(`/s/late/api/ws/auth?ticket=${ticket}`)).status).toBe(401);
    expect((await send('POST /api/ws/tickets')).status).toBe(401);
  });

  test('without any, the socket requests the token in the first message', async () => {
    const socket = await open('/api/ws/auth');
    socket.send(text('{"type":"auth","token":"demo-admin-token"}'), text('hello'));
    expect(JSON.parse(await socket.text()).user).toBe('admin');
    expect(await socket.text()).toBe('hello');
    for (const first of ['hello', '{"type":"auth"}', '{"type":"auth","token":"wrong"}', 'null']) {
      const rejected = await open('/api/ws/auth');
      rejected.send(text(first));
      expect((await rejected.closed())[0]).toBe(4401);
    }
  });
});

describe('rooms', () => {
  async function join(path: string): Promise<RawWebSocket> {
    const socket = await open(path);
    expect(JSON.parse(await socket.text()).type).toBe('join');
    return socket;
  }
  const event = async (socket: RawWebSocket) => JSON.parse(await socket.text());

  test('send each message to all, the sender too, in one order, across replicas', async () => {
    const one = await join('/s/rooms/api/ws/room/all?from=one');
    const two = await join('/s/rooms/api/ws/room/all?from=two');
    expect(await event(one)).toMatchObject({ type: 'join', from: 'two' });
    one.send(text('hello é'));
    const got = [await event(one), await event(two)];
    expect(got[0]).toEqual({
      id: expect.any(Number),
      type: 'message',
      from: 'one',
      text: 'hello é',
      at: expect.stringMatching(/Z$/),
    });
    expect(got[1]).toEqual(got[0]);
    two.send(closeFrame(1000));
    expect(await event(one)).toMatchObject({ type: 'leave', from: 'two', id: got[0].id + 1 });
  });

  test('report a member before its first message, and a member that left', async () => {
    const socket = await openWebSocket(service.url, '/s/early/api/ws/room/a', {}, text('at once'));
    expect((await event(socket)).type).toBe('join');
    expect((await event(socket)).text).toBe('at once');
    for (let count = 0; count < 5; count++) {
      const brief = await openWebSocket(service.url, '/s/early/api/ws/room/a?from=brief');
      brief.connection.socket.destroy();
    }
    const types: string[] = [];
    while (types.length < 10) types.push((await event(socket)).type);
    expect(types.filter((type) => type === 'join')).toHaveLength(5);
    socket.connection.socket.destroy();
  });

  test('are separate by name and sandbox', async () => {
    const one = await join('/s/rooms-1/api/ws/room/a');
    for (const path of ['/s/rooms-2/api/ws/room/a', '/s/rooms-1/api/ws/room/b']) await join(path);
    one.send(text('mine'));
    expect((await event(one)).text).toBe('mine');
  });

  test('?since= returns later messages, of the newest thousand', async () => {
    const one = await join('/s/since/api/ws/room/a?from=one');
    const ids: number[] = [];
    for (const each of ['a', 'b', 'c']) {
      one.send(text(each));
      ids.push((await event(one)).id);
    }
    const later = await open(`/s/since/api/ws/room/a?since=${ids[0]}`);
    expect([(await event(later)).text, (await event(later)).text]).toEqual(['b', 'c']);
    expect((await event(later)).type).toBe('join');
  });

  test('keep a thousand messages: the ids show a client what it has missed', async () => {
    const one = await join('/s/lost/api/ws/room/a?from=one');
    const texts = Array.from({ length: 1010 }, (_, n) => String(n));
    one.send(...texts.map((each) => text(each)));
    let last = 0;
    for (const each of texts) {
      const got = await event(one);
      expect(got.text).toBe(each);
      last = got.id;
    }
    const late = await open('/s/lost/api/ws/room/a?since=1&from=late');
    const first = await event(late);
    // It has joined by then, which is one more.
    expect([first.id, first.text]).toEqual([last + 2 - 1000, '11']);
    for (let id = first.id + 1; id <= last; id++) expect((await event(late)).id).toBe(id);
    expect(await event(late)).toMatchObject({ id: last + 1, type: 'join', from: 'late' });
  });

  test('return all kept messages for an unknown id', async () => {
    const one = await join('/s/never/api/ws/room/a?from=one');
    const late = await open('/s/never/api/ws/room/a?since=900000&from=late');
    expect((await event(late)).from).toBe('one');
    expect((await event(late)).from).toBe('late');
    one.send(text('now'));
    expect((await event(late)).text).toBe('now');
  });

  test('continue after a reset of their sandbox', async () => {
    const one = await join('/s/reset/api/ws/room/a');
    await send('DELETE /s/reset/api/sandbox');
    one.send(text('again'));
    expect((await event(one)).text).toBe('again');
  });

  test('accept text of at most 64 KiB, and valid names', async () => {
    const one = await join('/s/limits/api/ws/room/a');
    one.send(frame(opcodes.binary, 'a'));
    expect((await one.closed())[0]).toBe(1003);
    const two = await open('/s/limits/api/ws/room/b');
    await two.text();
    two.send(text('x'.repeat(64 * 1024 + 1)));
    expect((await two.closed())[0]).toBe(1009);
    expect((await rejection('/s/limits/api/ws/room/a%20b')).json.errors[0].field).toBe('name');
  });
});
