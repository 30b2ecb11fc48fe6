/** Opens the sockets: a server on every address of the host, and ports for TLS. */

import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { normalizeHost } from '#base/normalize-host.js';
import { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import { UnsentBytes } from '../budgets/unsent-bytes.js';
import { type ConnectionLimits, defaultLimits } from '../connections.js';
import { rawResponse } from '../http1/respond-to-client-error.js';
import type { WireService } from '../wire-service.js';
import { closeServer } from './close-server.js';
import {
  ignoreMissing,
  listenRaw,
  type OpenRaw,
  type RawListenPort,
  type RawPorts,
} from './listen-raw.js';
import { listenTls, type TlsPort } from './listen-tls.js';
import { type OpenServer, type ServerOptions, startServer } from './start-server.js';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly service: WireService;
  readonly limits?: Partial<ConnectionLimits>;
  readonly bodies?: BodiesInFlight;
  /** Whether a plain connection may begin with HTTP/2. */
  readonly h2c?: boolean;
  readonly tlsPorts?: readonly TlsPort[];
  /** Further plain ports, each with a service that may receive targets in another form. */
  readonly otherPorts?: readonly OtherPort[];
  /** Further ports, whose connections are not HTTP to the service. */
  readonly rawPorts?: readonly RawListenPort[];
}

export interface OtherPort {
  readonly port: number;
  readonly service: WireService;
}

export interface Listener {
  readonly port: number;
  /** Actual ports for TLS, in order. */
  readonly tlsPorts: readonly number[];
  /** Actual ports of `otherPorts`. */
  readonly otherPorts: readonly number[];
  readonly rawPorts: readonly RawPorts[];
  connections(): number;
  unsentBytes(): number;
  /** Ends each connection with its next response, so that clients move to another service. */
  drain(): void;
  /** Stops accepting, finishes requests in progress, and resolves when all connections are closed. */
  close(): Promise<void>;
  closeNow(): void;
}

/**
 * Listens on all addresses of a host (`localhost` is 127.0.0.1 and ::1). Throws the system's error.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, service, tlsPorts = [], otherPorts = [], rawPorts = [] } = options;
  const { h2c = false } = options;
  const { bodies = new BodiesInFlight(Number.POSITIVE_INFINITY) } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const unsent = new UnsentBytes(limits.maxUnsentBytes, limits.paceMs);
  let isDraining = false;
  const drainable = (given: WireService): WireService => ({
    ...given,
    handle(request, response) {
      if (isDraining) response.shouldKeepAlive = false;
      given.handle(request, response);
    },
  });
  function drain(): void {
    isDraining = true;
  }
  const addresses = await addressesOf(host);
  const listenOn = (given: WireService, port: number) =>
    listenOnAll(addresses, { service: drainable(given), limits, unsent, bodies, h2c, port });
  const servers = await listenOn(service, options.port);
  const port = portOf(servers);
  const actualTlsPorts: number[] = [];
  const actualOtherPorts: number[] = [];
  const openRaw: OpenRaw[] = [];
  try {
    for (const each of tlsPorts) {
      actualTlsPorts.push(await listenTlsOnAll(servers, each, limits, service));
    }
    for (const other of otherPorts) {
      const opened = await listenOn(other.service, other.port);
      servers.push(...opened);
      actualOtherPorts.push(portOf(opened));
    }
    for (const raw of rawPorts) {
      openRaw.push(await listenRaw(raw, { addresses, limits, unsent, service }));
    }
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    for (const raw of openRaw) raw.close();
    throw error;
  }
  return {
    port,
    tlsPorts: actualTlsPorts,
    otherPorts: actualOtherPorts,
    rawPorts: openRaw.map(({ ports }) => ports),
    connections: () => servers.reduce((sum, { sockets }) => sum + sockets.size, 0),
    unsentBytes: () => unsent.total,
    drain,
    async close() {
      drain();
      for (const raw of openRaw) raw.close();
      await Promise.all(servers.map(closeServer));
      unsent.close();
    },
    closeNow: () => servers.forEach(destroySockets),
  };
}

function destroySockets({ sockets, tlsServers }: OpenServer): void {
  for (const socket of sockets) socket.destroy();
  for (const { raw } of tlsServers) for (const socket of raw) socket.destroy();
}

/** Listens at each address; if the first has any free port, the others use the same. */
async function listenOnAll(
  [first, ...others]: readonly [string, ...string[]],
  options: Omit<ServerOptions, 'host'>,
): Promise<OpenServer[]> {
  const servers = [await startServer({ ...options, host: first })];
  const port = portOf(servers);
  try {
    for (const address of others) {
      const server = await startServer({ ...options, host: address, port }).catch(ignoreMissing);
      if (server !== undefined) servers.push(server);
    }
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  return servers;
}

function portOf(servers: readonly OpenServer[]): number {
  const { server } = servers[0] as OpenServer;
  return (server.address() as AddressInfo).port;
}

/** Listens at each address, and returns the port. */
async function listenTlsOnAll(
  servers: readonly OpenServer[],
  tlsPort: TlsPort,
  limits: ConnectionLimits,
  { reject, reportError }: WireService,
): Promise<number> {
  let { port } = tlsPort;
  for (const { server, tlsServers, accept } of servers) {
    const { address } = server.address() as AddressInfo;
    const opened = await listenTls({
      host: address,
      port,
      options: tlsPort.options,
      limits,
      accept,
      reportError,
      rejectPlain: (head) => rawResponse(reject, 400, plainOnTls(head, port)),
    });
    tlsServers.push(opened);
    port = (opened.server.address() as AddressInfo).port;
  }
  return port;
}

function plainOnTls(head: string, port: number): string {
  const sent = /^host: *([^\r\n:[\]]+|\[[^\r\n\]]+\])/im.exec(head)?.[1]?.trim() ?? '';
  const host = normalizeHost(sent, 'https') ?? 'localhost';
  return `This port requires TLS. Send the request to https://${host}:${port}.`;
}

async function addressesOf(host: string): Promise<[string, ...string[]]> {
  const found = await lookup(host, { all: true });
  const [first = host, ...others] = [...new Set(found.map(({ address }) => address))];
  return host === 'localhost' ? [first, ...others] : [first];
}
