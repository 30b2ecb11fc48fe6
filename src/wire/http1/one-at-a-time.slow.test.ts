import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turns } from '#base/work-in-turns.js';
import { openConnection } from '../../../test/support/raw-connection.js';
import { rawExchange } from '../../../test/support/raw-exchange.js';
import { wireServiceOf } from '../../../test/support/wire-service.js';
import { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { WireRequest } from '../request.js';
import { type Listener, listen } from '../servers/listen.js';

/** A request with a handler that never responds by itself. */
interface Begun {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

let listener: Listener;
let begun: Begun[];
let mostAtOnce: number;
let respondAtOnce: boolean;
let takeBegun: ((begin: Begun) => void) | undefined;
let bodies: BodiesInFlight;
const clients: Socket[] = [];

beforeEach(async () => {
  begun = [];
  mostAtOnce = 0;
  respondAtOnce = false;
  takeBegun = undefined;
  bodies = new BodiesInFlight(64 * 1024 * 1024);
  let atOnce = 0;
  function handle(request: IncomingMessage, response: ServerResponse): void {
    begun.push({ request, response });
    takeBegun?.({ request, response });
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.once('finish', () => atOnce--);
    if (!respondAtOnce) return;
    if (!(request as WireRequest).announcesBody) {
      // A request that waited for its turn may get no further event.
      response.end(`${request.url} 0\n`);
      return;
    }
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end(`${request.url} ${bytes}\n`));
  }
  const service = wireServiceOf(handle);
  listener = await listen({ host: '127.0.0.1', port: 0, service, bodies });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  listener.closeNow();
  await listener.close();
});

function open(): Socket {
  const client = connect(listener.port, '127.0.0.1');
  client.on('error', () => {});
  clients.push(client);
  return client;
}

const url = () => `http://127.0.0.1:${listener.port}`;
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const postInChunks = (path: string, chunks: string[]) => {
  const parts = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${parts.join('')}0\r\n\r\n`;
};

describe('requests that arrive together', () => {
  const count = 900;
  // Bodies contain blank lines, which could be confused with the end of a head.
  const requests = Array.from({ length: count }, (_, index) => {
    if (index % 3 === 0) return post(`/${index}`, '0123\r\n\r\n89\r\n\r\n');
    return index % 3 === 1 ? postInChunks(`/${index}`, ['a', '\r\n\r\n', 'b']) : get(`/${index}`);
  });
  const bytes = `${requests.join('')}${get('/last', 'Connection: close\r\n')}`;
  const bodies = [14, 6, 0];
  const expected = `${requests.map((_, index) => `/${index} ${bodies[index % 3]}\n`).join('')}/last 0\n`;

  test.each([
    ['at once', Number.POSITIVE_INFINITY],
    ['in pieces of 7 bytes', 7],
    ['in pieces of 1,000 bytes', 1000],
  ])('%s get their responses in order, one at a time', async (_how, pieceLength) => {
    respondAtOnce = true;
    let received = '';
    const client = open().setEncoding('latin1').setNoDelay(true);
    client.on('data', (text: string) => {
      received += text;
    });
    const closed = new Promise((resolve) => client.once('close', resolve));
    for (let index = 0; index < bytes.length; index += pieceLength) {
      const isTaken = client.write(bytes.slice(index, index + pieceLength));
      if (!isTaken) await new Promise((resolve) => client.once('drain', resolve));
    }
    await closed;
    expect(
      received
        .match(/^\/\w+ \d+$/gm)
        ?.map((line) => `${line}\n`)
        .join(''),
    ).toBe(expected);
    expect(mostAtOnce).toBe(1);
  });

  test('begin only after the previous response was sent', async () => {
    open().write(get('/1') + get('/2') + get('/3'));
    for (const path of ['/1', '/2', '/3']) {
      await expect.poll(() => begun.at(-1)?.request.url).toBe(path);
      begun.at(-1)?.response.end('ok');
    }
  });

  test('are dropped when the client leaves', async () => {
    const client = open();
    client.write(get('/1').repeat(60));
    await expect.poll(() => begun.length).toBe(1);
    client.destroy();
    await expect.poll(() => listener.connections()).toBe(0);
    expect(begun).toHaveLength(1);
    expect(begun[0]?.response.destroyed).toBe(true);
  });

  test('after a response that ends the connection do not begin', async () => {
    const { body } = await new Promise<{ body: string }>((resolve, reject) => {
      rawExchange(url(), get('/1') + get('/2')).then(resolve, reject);
      expect
        .poll(() => begun.length)
        .toBe(1)
        .then(() => begun[0]?.response.setHeader('connection', 'close').end('last'), reject);
    });
    expect(body).toBe('last');
    expect(begun).toHaveLength(1);
  });

  test('after a response that ends the connection do not make the client lose that response', async () => {
    const connection = openConnection(url());
    clients.push(connection.socket);
    connection.socket.pause();
    connection.send(get('/1'));
    await expect.poll(() => begun.length).toBe(1);
    const { response } = begun[0] as Begun;
    const isSent = new Promise((resolve) => response.once('finish', resolve));
    response.setHeader('connection', 'close').end('last');
    await isSent;
    connection.send(get('/2'));
    // After this exchange, the earlier bytes have arrived and their effects are over.
    await rawExchange(url(), 'no HTTP\r\n\r\n');
    connection.send(get('/3'));
    await rawExchange(url(), 'no HTTP\r\n\r\n');
    connection.socket.resume();
    expect(await connection.ended).toBe('closed');
    expect(connection.received().toString()).toMatch(/\r\n\r\nlast$/);
    connection.socket.end();
    await expect.poll(() => listener.connections()).toBe(0);
    expect(begun).toHaveLength(1);
  });
});

describe('a flood after a held request', () => {
  const flood = Buffer.from(get('/2').repeat(50_000));

  test('is not read, but the server notices when the client leaves', async () => {
    const client = open();
    client.write(get('/1'));
    await expect.poll(() => begun.length).toBe(1);
    for (let sent = 0; sent < 16; sent++) client.write(flood);
    const socket = begun[0]?.request.socket;
    await expect.poll(() => socket?.isPaused()).toBe(true);
    expect(socket?.bytesRead).toBeLessThan(256 * 1024);
    expect(client.writableLength).toBeGreaterThan(flood.length);
    client.resetAndDestroy();
    await expect.poll(() => listener.connections(), { timeout: 10_000 }).toBe(0);
    expect(begun).toHaveLength(1);
  });
});

describe('an unread body', () => {
  test('is not split into objects, and is complete when it is read', async () => {
    const chunks = Array.from({ length: 20_000 }, (_, index) => String(index % 10));
    open().write(postInChunks('/', chunks));
    await expect.poll(() => begun.length).toBe(1);
    const request = begun[0]?.request as IncomingMessage;
    expect(request.readableLength).toBeLessThan(2_000);
    let body = '';
    request.setEncoding('latin1').on('data', (text) => {
      body += text;
    });
    await new Promise((resolve) => request.once('end', resolve));
    expect(body).toBe(chunks.join(''));
  });

  test('does not delay the next request', async () => {
    open().write(postInChunks('/1', Array(5_000).fill('a')) + get('/2'));
    await expect.poll(() => begun.length).toBe(1);
    begun[0]?.response.end('ok');
    await expect.poll(() => begun[1]?.request.url).toBe('/2');
  });
});

describe('bodies in many small chunks', () => {
  const chunkCount = 4_000;
  const connections = 8;

  /** Reads each chunk of a body slowly, and reports the received bytes. */
  function respondSlowly({ request, response }: Begun, onChunk: () => void): void {
    let body = '';
    request.setEncoding('latin1').on('data', (text: string) => {
      body += text;
      onChunk();
      const untilMs = performance.now() + 0.015;
      while (performance.now() < untilMs);
    });
    request.on('end', () => response.end(`${request.url} ${body}\n`));
  }

  test('are parsed a little in each turn of the event loop, each body whole and in order', async () => {
    let thisTurn = 0;
    let mostInATurn = 0;
    let isOver = false;
    function countTurns() {
      thisTurn = 0;
      if (!isOver) setImmediate(countTurns);
    }
    countTurns();
    takeBegun = (begin) =>
      respondSlowly(begin, () => {
        mostInATurn = Math.max(mostInATurn, ++thisTurn);
      });
    const bodyOf = (index: number) =>
      Array.from({ length: chunkCount }, (_, place) => String((place * index) % 10));
    const bodies = Array.from({ length: connections }, (_, index) => bodyOf(index + 1));
    const last = get('/last', 'Connection: close\r\n');
    const responses = bodies.map((body, index) =>
      rawExchange(url(), postInChunks(`/${index}`, body) + get('/next') + last),
    );
    // Other clients send several requests ahead, with small chunks among them.
    const ahead = [get('/a'), postInChunks('/b', ['1', '2', '3']), post('/c', '45'), last];
    const others = bodies.map(() => rawExchange(url(), ahead.join('')));
    for (const [index, response] of (await Promise.all(responses)).entries()) {
      const lines = linesOf(response.body);
      expect(lines).toEqual([`/${index} ${bodies[index]?.join('')}`, '/next ', '/last ']);
    }
    for (const { body } of await Promise.all(others)) {
      expect(linesOf(body)).toEqual(['/a ', '/b 123', '/c 45', '/last ']);
    }
    isOver = true;
    expect(mostAtOnce).toBeLessThanOrEqual(2 * connections);
    // Without turns it would be a whole body, or all bodies if they arrive together.
    expect(mostInATurn).toBeLessThan(0.75 * chunkCount);
  });

  test('are not read far ahead of the parser', async () => {
    let mostHeld = 0;
    takeBegun = (begin) =>
      respondSlowly(begin, () => {
        mostHeld = Math.max(mostHeld, bodies.total);
      });
    const body = new Array(15 * chunkCount).fill('x');
    const { body: response } = await rawExchange(
      url(),
      postInChunks('/long', body) + get('/last', 'Connection: close\r\n'),
    );
    expect(linesOf(response)).toEqual([`/long ${body.join('')}`, '/last ']);
    expect(mostHeld).toBeGreaterThan(0);
    // The rest of one read, and another read.
    expect(mostHeld).toBeLessThanOrEqual(2 * 64 * 1024);
  });

  test('of clients that leave are dropped, and others continue', async () => {
    takeBegun = (begin) => respondSlowly(begin, () => {});
    const body = new Array(chunkCount).fill('x');
    const leaving = Array.from({ length: connections }, () => open());
    for (const client of leaving) client.write(postInChunks('/left', body).slice(0, -5));
    await expect.poll(() => begun.length).toBe(connections);
    const staying = rawExchange(
      url(),
      postInChunks('/stayed', body) + get('/last', 'Connection: close\r\n'),
    );
    for (const client of leaving) client.resetAndDestroy();
    expect(linesOf((await staying).body)).toEqual([`/stayed ${body.join('')}`, '/last ']);
    await expect.poll(() => listener.connections()).toBe(0);
    expect(turns.size).toBe(0);
    expect(bodies.total).toBe(0);
  });
});

/** Returns the body lines of our responses, without their heads. */
function linesOf(responses: string): string[] {
  return responses.match(/^\/\w+ \w*$/gm) ?? [];
}
