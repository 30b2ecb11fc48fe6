import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rawExchange } from '../../../test/support/raw-exchange.js';
import { type BodyReader, DirectBodyRequest } from './direct-body.js';

/** Records the calls of a reader, as in `abc|end`. */
class Notes implements BodyReader {
  text = '';

  read(chunk: Buffer): void {
    this.text += chunk.toString('latin1');
  }
  end(): void {
    this.text += '|end';
  }
  abort(): void {
    this.text += '|aborted';
  }
}

let server: Server;
let handle: (request: DirectBodyRequest, response: ServerResponse) => void;
let url: string;

beforeEach(async () => {
  server = createServer({ IncomingMessage: DirectBodyRequest as typeof IncomingMessage });
  server.on('request', (request, response) => handle(request as DirectBodyRequest, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const get = (headers = '') => `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const post = (body: string) =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const last = get('Connection: close\r\n');

describe('the reader of a body', () => {
  test('gets the body as it arrives', async () => {
    const notes = new Notes();
    handle = (request, response) => {
      if (request.method === 'GET') response.end();
      else {
        request.readBy(notes);
        response.on('finish', () => expect(request.readableEnded).toBe(true));
        void expect
          .poll(() => notes.text)
          .toBe('abc|end')
          .then(() => response.end());
      }
    };
    await rawExchange(url, post('abc') + last);
    expect(notes.text).toBe('abc|end');
  });

  test('gets earlier bytes once', async () => {
    const notes = new Notes();
    handle = (request, response) => {
      if (request.method === 'GET') response.end();
      else {
        setTimeout(() => {
          expect(request.complete).toBe(true);
          request.readBy(notes);
          request.on('end', () => response.end());
        }, 20);
      }
    };
    await rawExchange(url, post('abc') + last);
    expect(notes.text).toBe('abc|end');
  });

  test('is followed by another, which gets the rest', async () => {
    const [first, second] = [new Notes(), new Notes()];
    handle = (request, response) => {
      request.readBy({
        read(chunk) {
          first.read(chunk);
          request.readBy(second);
        },
        end: () => first.end(),
        abort: () => first.abort(),
      });
      void expect
        .poll(() => second.text)
        .toBe('bc|end')
        .then(() => response.end());
    };
    const chunks =
      'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n';
    await rawExchange(url, chunks);
    expect([first.text, second.text]).toEqual(['a', 'bc|end']);
  });

  test('is notified if the client leaves in the middle', async () => {
    const notes = new Notes();
    handle = (request) => request.readBy(notes);
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.write(post('abcdef').slice(0, -3));
    await expect.poll(() => notes.text).toBe('abc');
    client.destroy();
    await expect.poll(() => notes.text).toBe('abc|aborted');
  });
});

describe('a late reader', () => {
  test('is notified that the client has left in the middle', async () => {
    const notes = new Notes();
    handle = (request) => request.on('close', () => setImmediate(() => request.readBy(notes)));
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.write(post('abcdef').slice(0, -3), () => setTimeout(() => client.destroy(), 20));
    await expect.poll(() => notes.text).toBe('|aborted');
  });
});

describe('without a reader', () => {
  test('a stream gets the body, and its end', async () => {
    handle = (request, response) => {
      let body = '';
      request.setEncoding('latin1').on('data', (text) => {
        body += text;
      });
      request.on('end', () => response.end(`[${body}]`));
    };
    const { body } = await rawExchange(url, post('abc') + last);
    expect(body.match(/\[\w*\]/g)).toEqual(['[abc]', '[]']);
  });

  test('an unread body is dropped, and the next request gets its response', async () => {
    let count = 0;
    handle = (_request, response) => response.end(`[${++count}]`);
    const { body } = await rawExchange(url, post('x'.repeat(300_000)) + get() + last);
    expect(body.match(/\[\d\]/g)).toEqual(['[1]', '[2]', '[3]']);
  });

  test('a request without a body ends without an event, and reports that it has ended', async () => {
    const events: unknown[] = [];
    handle = (request, response) => {
      request.emit = (event: string | symbol) => {
        events.push(event);
        return false;
      };
      setImmediate(() => {
        expect([request.complete, request.readableEnded]).toEqual([true, true]);
        response.end();
      });
    };
    await rawExchange(url, last);
    expect(events).toEqual([]);
  });
});
