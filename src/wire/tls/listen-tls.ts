/** A port for TLS. ALPN (RFC 7301) decides the protocol inside. */

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { lazily } from '../../base/lazily.js';
import { type ConnectionRules, Connections } from '../connections.js';

export interface TlsPort {
  /** 0 is any free port. */
  readonly port: number;
  /** Called when the first client comes. */
  readonly options: () => Promise<TlsOptions>;
}

interface TlsServerOptions extends TlsPort {
  readonly host: string;
  readonly limits: ConnectionRules & { readonly headersMs: number };
  /** Gets each connection after its handshake. */
  readonly accept: (socket: TLSSocket) => void;
  /** Returns the response to the beginning of a request without TLS; the connection ends with it. */
  readonly rejectPlain: (head: string) => string;
}

export interface OpenTlsServer {
  readonly server: Server;
  /** Connections under TLS, also before and during the handshake. */
  readonly raw: ReadonlySet<Socket>;
}

/** The first byte of a handshake (RFC 8446 section 5.1). */
const handshakeRecord = 0x16;

/** A head without TLS is read up to this size. */
const maxPlainBytes = 16 * 1024;

/** Listens at an address. Throws the error of the system. */
export function listenTls(options: TlsServerOptions): Promise<OpenTlsServer> {
  const { host, port, limits, accept, rejectPlain } = options;
  const connections = new Connections(limits);
  const tlsServer = lazily(async () => {
    const server = createTlsServer({
      ...(await options.options()),
      handshakeTimeout: limits.headersMs,
    });
    server.on('secureConnection', accept);
    // A client that does not trust the certificate leaves.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    return server;
  });
  async function encrypt(socket: Socket): Promise<void> {
    try {
      const server = await tlsServer();
      if (!socket.destroyed) server.emit('connection', socket);
    } catch {
      socket.destroy();
    }
  }
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    if (!connections.admit(socket)) return;
    socket.on('error', () => socket.destroy());
    readFirstBytes(socket, limits.headersMs, encrypt, rejectPlain);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ server, raw: connections.sockets });
    });
  });
}

function readFirstBytes(
  socket: Socket,
  timeoutMs: number,
  encrypt: (socket: Socket) => void,
  rejectPlain: TlsServerOptions['rejectPlain'],
): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  let seen: Buffer = Buffer.alloc(0);
  const look = (chunk: Buffer) => {
    if (seen.length === 0 && chunk[0] === handshakeRecord) {
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
    socket.end(rejectPlain(seen.toString('latin1')));
  };
  socket.once('end', () => socket.end());
  socket.on('data', look).resume();
}
