/** The sockets: a server on every address of the host, and ports for TLS beside them. */

import { lookup } from 'node:dns/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isBelow } from '../http/is-below.js';
import { BodiesInFlight } from './budgets/bodies-in-flight.js';
import { UnsentBytes } from './budgets/unsent-bytes.js';
import { closeServer } from './close-server.js';
import { type ConnectionLimits, defaultLimits } from './connection-limits.js';
import { countRequest } from './connection-requests.js';
import type { RequestListener } from './http1/handle-framed.js';
import { keepBytes } from './http1/one-at-a-time.js';
import { rawResponse } from './http1/raw-response.js';
import { normalizeHost } from './normalize-host.js';
import { originForm } from './origin-form.js';
import { type OpenServer, startServer } from './start-server.js';
import { openDoor, type TlsDoor } from './tls/tls-door.js';

/** What else is listened on, or spoken. */
export interface ListenOptions {
  /** Whether a plain connection may begin in HTTP/2. */
  readonly h2c?: boolean;
  /** Ports for TLS. */
  readonly doors?: readonly TlsDoor[];
}

export interface Listener {
  readonly port: number;
  /** Where the doors are, in their order. */
  readonly doorPorts: readonly number[];
  /** How many connections are open. */
  connections(): number;
  /** How many bytes of answers clients have yet to take. */
  unsentBytes(): number;
  /** Goes on as before, but ends each connection with its next answer, so that clients move away. */
  drain(): void;
  /** Stops accepting, lets what is in flight finish, and resolves when every connection is gone. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  closeNow(): void;
}

/** Listens on all addresses of a host (`localhost` is 127.0.0.1 and ::1); throws the system's error. */
export async function listen(
  host: string,
  port: number,
  handleRequest: RequestListener,
  changedLimits: Partial<ConnectionLimits> = {},
  bodies = new BodiesInFlight(Number.POSITIVE_INFINITY),
  rawPaths: readonly string[] = [],
  { h2c = false, doors = [] }: ListenOptions = {},
): Promise<Listener> {
  const limits = { ...defaultLimits, ...changedLimits };
  const unsent = new UnsentBytes(limits.maxUnsentBytes, limits.paceMs);
  let isDraining = false;
  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (isDraining) response.shouldKeepAlive = false;
    countRequest(request.socket);
    const path = originForm(request.url ?? '');
    if (rawPaths.some((each) => isBelow(path, each))) keepBytes(request, response);
    handleRequest(request, response);
  }
  const [first, ...others] = await addressesOf(host);
  const main = await startServer(first, port, handle, limits, unsent, bodies, h2c);
  const servers = [main];
  const actualPort = (main.server.address() as AddressInfo).port;
  for (const address of others) {
    try {
      servers.push(await startServer(address, actualPort, handle, limits, unsent, bodies, h2c));
    } catch (error) {
      // A machine without IPv6 still resolves ::1; anything else is a fault worth hearing of.
      if ((error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL') continue;
      await Promise.all(servers.map(closeServer));
      throw error;
    }
  }
  const doorPorts: number[] = [];
  try {
    for (const door of doors) doorPorts.push(await openOnAll(servers, door, limits));
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  return {
    port: actualPort,
    doorPorts,
    connections: () => servers.reduce((sum, { sockets }) => sum + sockets.size, 0),
    unsentBytes: () => unsent.total,
    drain() {
      isDraining = true;
    },
    async close() {
      isDraining = true;
      await Promise.all(servers.map(closeServer));
      unsent.close();
    },
    closeNow() {
      for (const { sockets, doors } of servers) {
        for (const socket of sockets) socket.destroy();
        for (const { raw } of doors) for (const socket of raw) socket.destroy();
      }
    },
  };
}

/** Opens a door at each address that is listened on, and says at which port. */
async function openOnAll(
  servers: readonly OpenServer[],
  door: TlsDoor,
  limits: ConnectionLimits,
): Promise<number> {
  let { port } = door;
  for (const { server, doors, accept } of servers) {
    const { address } = server.address() as AddressInfo;
    const rejectPlain = (head: string) => plainOnTls(head, port);
    const opened = await openDoor(address, { ...door, port }, limits, accept, rejectPlain);
    doors.push(opened);
    port = (opened.server.address() as AddressInfo).port;
  }
  return port;
}

/** What comes in plain HTTP to a port for TLS is told where it should have gone. */
function plainOnTls(head: string, port: number): string {
  const sent = /^host: *([^\r\n:[\]]+|\[[^\r\n\]]+\])/im.exec(head)?.[1]?.trim() ?? '';
  const host = normalizeHost(sent, 'https') ?? 'localhost';
  const message = `TLS is spoken on this port, and the request came without. Send it to https://${host}:${port}.`;
  return rawResponse(400, message);
}

async function addressesOf(host: string): Promise<[string, ...string[]]> {
  const found = await lookup(host, { all: true });
  const [first = host, ...others] = [...new Set(found.map(({ address }) => address))];
  return host === 'localhost' ? [first, ...others] : [first];
}
