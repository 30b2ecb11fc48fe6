/** Opens a TLS port. ALPN (RFC 7301) determines the protocol inside. */

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { lazily } from '#base/lazily.js';
import { type ConnectionRules, Connections } from '../connections.js';
import { guard, type ReportError, reportErrorsOf } from '../guard.js';
import { readBeginning } from '../read-beginning.js';

export interface TlsPort {
  readonly port: number;
  /** Called for the first client. */
  readonly options: () => Promise<TlsOptions>;
}

interface TlsServerOptions extends TlsPort {
  readonly host: string;
  readonly limits: ConnectionRules & { readonly headersMs: number };
  /** Called with each connection after its handshake. */
  readonly accept: (socket: TLSSocket) => void;
  /** Returns the response to a request without TLS; the connection ends with it. */
  readonly rejectPlain: (head: string) => string;
  readonly reportError: ReportError;
}

export interface OpenTlsServer {
  readonly server: Server;
  /** TCP connections, also before and during the TLS handshake. */
  readonly raw: ReadonlySet<Socket>;
}

/** The first byte of a handshake (RFC 8446 section 5.1). */
const handshakeRecord = 0x16;

/** Limit of a request head without TLS. */
const maxPlainBytes = 16 * 1024;

/** Listens at an address. Throws the system's error. */
export function listenTls(options: TlsServerOptions): Promise<OpenTlsServer> {
  const { host, port, limits, accept, rejectPlain, reportError } = options;
  const connections = new Connections(limits);
  const tlsServer = lazily(async () => {
    const server = createTlsServer({
      ...(await options.options()),
      handshakeTimeout: limits.headersMs,
    });
    server.on('secureConnection', (socket) => guard(socket, accept)(socket));
    // A client that does not trust the certificate leaves.
    server.on('tlsClientError', (_error, socket) => guard(socket, () => socket.destroy())());
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
  function reject(socket: Socket, seen: Buffer): void {
    const end = guard(socket, () => socket.destroy());
    socket.once('end', end).resume();
    socket.end(rejectPlain(seen.toString('latin1')));
  }
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true });
  function begin(socket: Socket): void {
    reportErrorsOf(socket, reportError);
    if (!connections.admit(socket)) return;
    socket.on(
      'error',
      guard(socket, () => socket.destroy()),
    );
    readBeginning(socket, limits.headersMs, (seen) => {
      if (seen[0] === handshakeRecord) {
        return () => {
          socket.unshift(seen);
          encrypt(socket);
        };
      }
      const isWhole = seen.includes('\r\n\r\n') || seen.length >= maxPlainBytes;
      return isWhole ? () => reject(socket, seen) : undefined;
    });
  }
  server.on('connection', (socket) => guard(socket, begin)(socket));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ server, raw: connections.sockets });
    });
  });
}
