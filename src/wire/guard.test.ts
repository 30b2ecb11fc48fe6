import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { codeOf, frameTypes, headers, isOf, openFrames } from '../../test/support/http2-frames.js';
import { openConnection } from '../../test/support/raw-connection.js';
import { wireServiceOf } from '../../test/support/wire-service.js';
import { guard, reportErrorsOf } from './guard.js';
import { type Listener, listen } from './servers/listen.js';

const bug = new Error('a bug');

function ownerOf() {
  const owner = { destroy: vi.fn() };
  const report = vi.fn();
  reportErrorsOf(owner, report);
  return { owner, report };
}

test('an error ends the owner and is reported, and other listeners are called', () => {
  const { owner, report } = ownerOf();
  const events = new EventEmitter();
  const other = vi.fn();
  events.on(
    'data',
    guard(owner, () => {
      throw bug;
    }),
  );
  events.on('data', other);
  events.emit('data');
  expect(report).toHaveBeenCalledExactlyOnceWith(bug, undefined);
  expect(owner.destroy).toHaveBeenCalledOnce();
  expect(other).toHaveBeenCalledOnce();
});

test('a rejected promise ends the owner, too', async () => {
  const { owner, report } = ownerOf();
  await guard(owner, () => Promise.reject(bug))()?.catch(() => {});
  expect(report).toHaveBeenCalledOnce();
  expect(owner.destroy).toHaveBeenCalledOnce();
});

test('a connection is reported once, whichever part of it fails', () => {
  const { owner, report } = ownerOf();
  const stream = { socket: owner, destroy: vi.fn() };
  const fail = () => {
    throw bug;
  };
  guard(stream, fail)();
  guard(stream, fail)();
  guard(owner, fail)();
  expect(report).toHaveBeenCalledOnce();
  expect(stream.destroy).toHaveBeenCalledTimes(2);
});

test('a stream that cannot be ended ends its connection, also without a log', () => {
  const socket = { destroy: vi.fn() };
  reportErrorsOf(socket, () => {
    throw bug;
  });
  const owner = {
    socket,
    destroy() {
      throw bug;
    },
  };
  guard(owner, () => {
    throw bug;
  })();
  expect(socket.destroy).toHaveBeenCalledOnce();
});

let listener: Listener | undefined;
afterEach(() => listener?.close());

async function failing() {
  const reportError = vi.fn();
  const service = wireServiceOf((request, response) => {
    if (request.url === '/bug') throw bug;
    response.once(
      'finish',
      guard(request, () => {
        if (request.url === '/late') throw bug;
      }),
    );
    response.end('ok');
  });
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    service: { ...service, reportError },
    h2c: true,
  });
  return { url: `http://127.0.0.1:${listener.port}`, reportError };
}

test.each(['/bug', '/late'])(
  'HTTP/1.1: %s ends the connection, and others are served',
  async (path) => {
    const { url, reportError } = await failing();
    const connection = openConnection(url);
    connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await connection.ended;
    expect(reportError).toHaveBeenCalledExactlyOnceWith(
      bug,
      expect.objectContaining({ url: path }),
    );
    await vi.waitFor(() => expect(listener?.connections()).toBe(0));
    expect(await (await fetch(`${url}/ok`)).text()).toBe('ok');
  },
);

test('HTTP/2: an error ends its stream only', async () => {
  const { url, reportError } = await failing();
  const connection = openFrames(url);
  connection.send(headers(1, [...fieldsOf('/bug')]), headers(3, [...fieldsOf('/ok')]));
  const reset = await connection.until(isOf(frameTypes.rstStream, 1));
  expect(reset && codeOf(reset)).toBe(2);
  expect(await connection.until(isOf(frameTypes.data, 3))).toBeDefined();
  expect(reportError).toHaveBeenCalledOnce();
  connection.socket.destroy();
});

const fieldsOf = (path: string) =>
  [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'localhost'],
    [':path', path],
  ] as const;
