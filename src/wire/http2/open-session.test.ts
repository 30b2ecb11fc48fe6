import { EventEmitter, once } from 'node:events';
import { connect, createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { OpenSession } from './open-session.js';

test('after its session has ended, nothing throws', async () => {
  const http2 = createServer();
  const tcp = createTcpServer((socket) => http2.emit('connection', socket)).listen(0);
  await once(tcp, 'listening');
  const accepted = once(tcp, 'connection') as Promise<[Socket]>;
  const opened = once(http2, 'session') as Promise<[ServerHttp2Session]>;
  const client = connect(`http://localhost:${(tcp.address() as AddressInfo).port}`);
  const [[socket], [session]] = await Promise.all([accepted, opened]);
  const view = new OpenSession(session, socket);
  const stream = new EventEmitter() as ServerHttp2Stream;
  const ofSession = { stream, place: -1, close: () => {} };
  view.streamOpened(ofSession);
  session.destroy();
  expect(() => session.goaway()).toThrow();

  view.check();
  view.goAway(0);
  view.ignoreNewStreams();
  view.leaveBefore(stream);
  view.announceLeaving();
  view.leaveSoon();
  view.streamClosed(ofSession, false);
  view.streamClosed(ofSession, true);
  view.end();
  client.destroy();
  tcp.close();
});
