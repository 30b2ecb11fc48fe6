/** Opens a port whose connections are served as bytes, with the limits of all connections. */

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { UnsentBytes } from '../budgets/unsent-bytes.js';
import { unsentBytesOn } from '../budgets/unsent-bytes.js';
import { type ConnectionLimits, Connections } from '../connections.js';
import { guard, reportErrorsOf } from '../guard.js';
import type { WireService } from '../wire-service.js';
import { listenTls, type OpenTlsServer, type TlsPort } from './listen-tls.js';

export interface RawListenPort {
  readonly port: number;
  /** The port with TLS, if there is one. */
  readonly tls: TlsPort | undefined;
  /** Called with each connection, after its TLS handshake if it has one. */
  readonly accept: (socket: Socket) => void;
}

/** Actual ports. */
export interface RawPorts {
  readonly plain: number;
  readonly tls: number | undefined;
}

export interface OpenRaw {
  readonly ports: RawPorts;
  /** Stops listening, and ends all connections. */
  close(): void;
}

interface RawContext {
  readonly addresses: readonly string[];
  readonly limits: ConnectionLimits;
  readonly unsent: UnsentBytes;
  readonly service: Pick<WireService, 'reportError'>;
}

const onlyTls = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Listens at each address. Throws the system's error. */
export async function listenRaw(
  { port, tls, accept }: RawListenPort,
  { addresses, limits, unsent, service }: RawContext,
): Promise<OpenRaw> {
  const connections = new Connections(limits);
  const { reportError } = service;
  function begin(socket: Socket): void {
    reportErrorsOf(socket, reportError);
    socket.on(
      'error',
      guard(socket, () => socket.destroy()),
    );
    if (!connections.admit(socket)) return;
    unsent.watch(socket);
    accept(socket);
  }
  const servers: Server[] = [];
  const tlsServers: OpenTlsServer[] = [];
  let [plainPort, tlsPort] = [port, tls?.port];
  for (const host of addresses) {
    const server = createServer({ noDelay: true }, (socket) => guard(socket, begin)(socket));
    const opened = await listenAt(server, host, plainPort).catch(ignoreMissing);
    if (opened === undefined) continue;
    plainPort = opened;
    servers.push(server);
    if (tls === undefined) continue;
    const rest = { limits, accept: begin, rejectPlain: () => onlyTls, reportError };
    const openedTls = await listenTls({ ...tls, ...rest, host, port: tlsPort ?? 0 });
    tlsPort = (openedTls.server.address() as AddressInfo).port;
    tlsServers.push(openedTls);
  }
  return {
    ports: { plain: plainPort, tls: tlsPort },
    close() {
      for (const server of [...servers, ...tlsServers.map(({ server }) => server)]) server.close();
      for (const { raw } of tlsServers) for (const socket of raw) socket.destroy();
      for (const socket of connections.sockets) socket.destroy();
    },
  };
}

/** Ignores that ::1 cannot be used on a machine without IPv6. Throws all other errors. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EADDRNOTAVAIL') throw error;
}

/** Returns the actual port. */
function listenAt(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Counts the bytes that a client has not read. Call after each write. */
export function noteUnsent(socket: Socket): void {
  unsentBytesOn(socket)?.note(socket, 0);
}
