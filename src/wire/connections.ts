/**
 * The open connections of a listening socket. Beyond their limit, a new connection replaces one of
 * the address with most, so that no address excludes others. Connections of pupils count for their addresses too: who
 * owns a class is known only with a request.
 */

import type { Socket } from 'node:net';
import { addressOwner, type Owner } from '#base/shares/owner.js';
import { Shares } from '#base/shares/shares.js';
import { paceWindowMs } from './budgets/pace.js';
import { guard } from './guard.js';
import { currentResponse } from './internals/current-response.js';
import { hasParser } from './internals/http-parser.js';
import { connectionsThatFit } from './open-files.js';
import type { IsTrusted } from './trusted-proxies.js';

/** Maximum number of connections of an address that are checked for an idle one. */
const maxChecked = 16;

export interface ConnectionRules {
  /** Limit of open connections of each listening address. */
  readonly maxConnections: number;
  /**
   * Connections of a proxy carry requests of many clients, so they count but are never replaced.
   */
  readonly isTrusted?: IsTrusted | undefined;
}

/** Limits of connections, against slow or silent clients. Times are in milliseconds. */
export interface ConnectionLimits extends ConnectionRules {
  readonly headersMs: number;
  readonly requestMs: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction, as if a client does not read its response. */
  readonly idleSocketMs: number;
  /** Interval of checks of the first two. */
  readonly checkIntervalMs: number;
  /** Window in which a client must read 1 KiB a second on average. */
  readonly paceMs: number;
  /** Bytes of responses that all clients together may leave unread. */
  readonly maxUnsentBytes: number;
}

export const defaultLimits: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 120_000,
  keepAliveMs: 65_000,
  idleSocketMs: 120_000,
  checkIntervalMs: 2_000,
  maxConnections: 10_000,
  paceMs: paceWindowMs,
  maxUnsentBytes: 256 * 1024 * 1024,
};

/** Maximum size of request line and headers, on HTTP/1.1. */
export const maxHeaderBytes = 16 * 1024;

export class Connections {
  /** The connections of all listeners, which share the file descriptors of the process. */
  static readonly #ofProcess = new Connections({ maxConnections: connectionsThatFit() });

  readonly sockets = new Set<Socket>();
  readonly #limit: number;
  readonly #isTrusted: IsTrusted;
  readonly #shares: Shares<Socket>;
  readonly #owners = new Map<Socket, Owner>();

  constructor({ maxConnections, isTrusted = () => false }: ConnectionRules) {
    this.#limit = maxConnections;
    this.#isTrusted = isTrusted;
    this.#shares = new Shares(maxConnections);
  }

  /** Counts a connection until it is closed. Destroys it and returns false if there is no room. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const owner = this.#isTrusted(address) ? undefined : ownerOf(address);
    // A connection with TLS is counted before its handshake already.
    const isCounted = 'encrypted' in socket || Connections.#ofProcess.sockets.has(socket);
    return (isCounted || Connections.#ofProcess.#add(socket, owner)) && this.#add(socket, owner);
  }

  #add(socket: Socket, owner: Owner | undefined): boolean {
    if (this.sockets.size >= this.#limit && !this.#displace(owner)) {
      socket.destroy();
      return false;
    }
    this.sockets.add(socket);
    if (owner !== undefined) {
      this.#owners.set(socket, owner);
      this.#shares.add(owner, socket);
    }
    socket.once(
      'close',
      guard(socket, () => this.release(socket)),
    );
    return true;
  }

  release(socket: Socket): void {
    this.sockets.delete(socket);
    const owner = this.#owners.get(socket);
    if (owner === undefined) return;
    this.#owners.delete(socket);
    this.#shares.remove(owner, socket);
  }

  #displace(owner: Owner | undefined): boolean {
    const rivals = this.#shares.rivalsOf(owner);
    if (rivals === undefined) return false;
    const displaced = this.#idleOf(rivals);
    if (displaced === undefined) return false;
    this.release(displaced);
    displaced.destroy();
    return true;
  }

  /** Returns the oldest idle connection among the first few, or else the oldest connection. */
  #idleOf(sockets: ReadonlySet<Socket>): Socket | undefined {
    let checked = 0;
    for (const socket of sockets) {
      if (isBetweenRequests(socket)) return socket;
      if (++checked === maxChecked) break;
    }
    const [oldest] = sockets;
    return oldest;
  }
}

function ownerOf(address: string): Owner {
  return { name: addressOwner(address), part: '' };
}

/** Returns whether a connection waits for its next request. Connections of other protocols may always be in use. */
function isBetweenRequests(socket: Socket): boolean {
  return hasParser(socket) && currentResponse(socket) === undefined;
}
