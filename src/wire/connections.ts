/**
 * The open connections of a listening socket. Beyond their limit, a new one takes the place of one of the address
 * with most, so that no address keeps others out.
 */

import type { Socket } from 'node:net';
import { addressOwner } from '../base/address-block.js';
import { Shares } from '../base/shares/shares.js';
import { paceWindowMs } from './budgets/pace.js';
import type { IsTrusted } from './trusted-proxies.js';

/** At most so many connections of an address are checked for an idle one. */
const maxChecked = 16;

export interface ConnectionRules {
  /** Open connections of each listening address. */
  readonly maxConnections: number;
  /** Connections of a proxy carry the requests of many clients: they count, but are never displaced. */
  readonly isTrusted?: IsTrusted | undefined;
}

/** Limits of connections. Times are in milliseconds, against clients that are slow or silent. */
export interface ConnectionLimits extends ConnectionRules {
  readonly headersMs: number;
  readonly requestMs: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction, as with a client that does not read its response. */
  readonly idleSocketMs: number;
  /** Between two checks of the first two. */
  readonly checkIntervalMs: number;
  /** The window in which a client must read 1 KiB a second. */
  readonly paceMs: number;
  /** The bytes of responses that all clients together may leave unread. */
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

/** The largest request line with headers, on HTTP/1.1. */
export const maxHeaderBytes = 16 * 1024;

export class Connections {
  readonly sockets = new Set<Socket>();
  readonly #limit: number;
  readonly #isTrusted: IsTrusted;
  readonly #isIdle: (socket: Socket) => boolean;
  readonly #shares: Shares<Socket>;
  readonly #owners = new Map<Socket, string>();

  constructor(
    { maxConnections, isTrusted = () => false }: ConnectionRules,
    isIdle: (socket: Socket) => boolean = () => true,
  ) {
    this.#limit = maxConnections;
    this.#isTrusted = isTrusted;
    this.#isIdle = isIdle;
    this.#shares = new Shares(maxConnections);
  }

  /** Counts a connection until it is closed. Destroys it and returns false when there is no room. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const owner = this.#isTrusted(address) ? undefined : addressOwner(address);
    if (this.sockets.size >= this.#limit && !this.#displace(owner)) {
      socket.destroy();
      return false;
    }
    this.sockets.add(socket);
    if (owner !== undefined) {
      this.#owners.set(socket, owner);
      this.#shares.add(owner, socket);
    }
    socket.once('close', () => this.release(socket));
    return true;
  }

  release(socket: Socket): void {
    this.sockets.delete(socket);
    const owner = this.#owners.get(socket);
    if (owner === undefined) return;
    this.#owners.delete(socket);
    this.#shares.remove(owner, socket);
  }

  #displace(owner: string | undefined): boolean {
    const rivals = this.#shares.rivalsOf(owner);
    if (rivals === undefined) return false;
    const displaced = this.#idleOf(rivals);
    if (displaced === undefined) return false;
    this.release(displaced);
    displaced.destroy();
    return true;
  }

  /** Returns the oldest idle connection among the first, or the oldest. */
  #idleOf(sockets: ReadonlySet<Socket>): Socket | undefined {
    let checked = 0;
    for (const socket of sockets) {
      if (this.#isIdle(socket)) return socket;
      if (++checked === maxChecked) break;
    }
    const [oldest] = sockets;
    return oldest;
  }
}
