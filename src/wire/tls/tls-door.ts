/** A port where TLS is spoken: which of the protocols below it is decided by ALPN (RFC 7301). */

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { lazily } from '../../base/lazily.js';
import { type ConnectionRules, Connections } from '../connections.js';

/** One of the ports. */
export interface TlsDoor {
  /** 0 takes any free one. */
  readonly port: number;
  /** Asked for when the first client comes. */
  readonly options: () => Promise<TlsOptions>;
}

export interface DoorLimits extends ConnectionRules {
  readonly headersMs: number;
}

export interface OpenDoor {
  readonly server: Server;
  /** Connections whose handshake is not over, or that never got that far. */
  readonly raw: ReadonlySet<Socket>;
}

/** The first byte of a handshake (RFC 8446 section 5.1). */
const handshakeRecord = 0x16;

/** Of a request that came without TLS so much is looked at. */
const maxPlainBytes = 16 * 1024;

/**
 * Listens at an address. `accept` gets each connection that has been encrypted; `refusePlain` the beginning of what
 * comes without TLS, and its answer ends the connection.
 */
export function openDoor(
  host: string,
  { port, options }: TlsDoor,
  limits: DoorLimits,
  accept: (socket: TLSSocket) => void,
  rejectPlain: (head: string, socket: Socket) => string,
): Promise<OpenDoor> {
  const { headersMs } = limits;
  const connections = new Connections(limits);
  const encrypting = lazily(async () => {
    const server = createTlsServer({ ...(await options()), handshakeTimeout: headersMs });
    server.on('secureConnection', accept);
    // A client that does not trust us says so and leaves.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    return server;
  });
  function encrypt(socket: Socket): void {
    encrypting().then(
      (server) => {
        if (!socket.destroyed) server.emit('connection', socket);
      },
      () => socket.destroy(),
    );
  }
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    if (!connections.admit(socket)) return;
    socket.on('error', () => socket.destroy());
    lookAtFirstBytes(socket);
  });

  function lookAtFirstBytes(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), headersMs);
    socket.once('close', () => clearTimeout(timer));
    let seen: Buffer = Buffer.alloc(0);
    const look = (chunk: Buffer) => {
      const isFirst = seen.length === 0;
      if (isFirst && chunk[0] === handshakeRecord) {
        socket.off('data', look).pause();
        clearTimeout(timer);
        socket.unshift(chunk);
        encrypt(socket);
        return;
      }
      seen = Buffer.concat([seen, chunk]);
      if (!seen.includes('\r\n\r\n') && seen.length < maxPlainBytes) return;
      socket.off('data', look).resume();
      socket.once('end', () => socket.destroy());
      socket.end(rejectPlain(seen.toString('latin1'), socket));
    };
    socket.once('end', () => socket.end());
    socket.on('data', look).resume();
  }

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ server, raw: connections.sockets });
    });
  });
}
