/**
 * The open connections of a listening socket. Beyond their limit, a new one takes the place of one of the address
 * with most, so that no address keeps others out.
 */

import type { Socket } from 'node:net';
import { addressOwner } from '../base/address-block.js';
import { Shares } from '../base/shares.js';
import type { IsTrusted } from './trusted-proxies.js';

/** At most so many connections of an address are checked for an idle one. */
const maxChecked = 16;

export interface ConnectionRules {
  /** Open connections of each listening address. */
  readonly maxConnections: number;
  /** Connections of a proxy carry the requests of many clients: they count, but are never displaced. */
  readonly isTrusted?: IsTrusted | undefined;
}

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

  /** Stops counting a connection. */
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
