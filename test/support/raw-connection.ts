/** A connection that tests read byte for byte: the received bytes, and how it ends. */

import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

export type Ending = 'closed' | 'reset';

export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** All received bytes so far. */
  received(): Buffer;
  /** The number of response heads in it, with any status or a given one. */
  responses(status?: number): number;
  /** Resolves when this many bytes, or the text, have arrived. */
  until(what: string | number): Promise<void>;
  /** How the other side ended it. */
  readonly ended: Promise<Ending>;
}

export function openConnection(baseUrl: string): RawConnection {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  let chunks: Buffer[] = [];
  const waiting = new Set<() => void>();
  const received = () => {
    if (chunks.length !== 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] as Buffer;
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    for (const look of waiting) look();
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    socket.on('end', () => resolve('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') resolve('reset');
      else reject(error);
    });
  });
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    received,
    responses: (status) =>
      received()
        .toString('latin1')
        .split(`HTTP/1.1 ${status ?? ''}`).length - 1,
    until: (what) =>
      new Promise((resolve) => {
        function look(): void {
          const bytes = received();
          if (typeof what === 'number' ? bytes.length < what : !bytes.includes(what)) return;
          waiting.delete(look);
          resolve();
        }
        waiting.add(look);
        look();
      }),
    ended,
  };
}

/**
 * Sends requests one after another on one connection, and waits until each has a response of that
 * status.
 */
export async function sendAll(
  baseUrl: string,
  requests: readonly string[],
  status: number,
): Promise<void> {
  const connection = openConnection(baseUrl);
  connection.send(requests.join(''));
  // Searching a mebibyte of responses is slow, so it is not repeated too often.
  const often = { interval: 500, timeout: 120_000 };
  await expect.poll(() => connection.responses(status), often).toBe(requests.length);
  connection.socket.destroy();
}

/** The text of a request, with the required parts of HTTP/1.1. */
export function requestText(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all = {
    Host: 'localhost',
    ...headers,
    ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

export interface RawParts {
  readonly status: number;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** All bytes after the head, unchanged. */
  readonly rest: Buffer;
}

/** The first response among the bytes, and the bytes after its head. */
export function splitResponse(bytes: Buffer): RawParts {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    rest: bytes.subarray(end + 4),
  };
}
