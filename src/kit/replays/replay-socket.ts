/** A connection without a network, which keeps what is written to it. */

import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

const shown = ['remoteAddress', 'remotePort', 'localAddress', 'localPort'] as const;

export class ReplaySocket extends Duplex {
  readonly pieces: Buffer[] = [];
  readonly #maxBytes: number;
  #bytes = 0;
  isTooLarge = false;

  /** Has the addresses of another connection. */
  constructor(like: Socket, maxBytes: number) {
    // Everything is accepted at once: without a server, nothing would announce more room.
    super({ writableHighWaterMark: 2 * maxBytes });
    this.#maxBytes = maxBytes;
    for (const name of shown) Object.defineProperty(this, name, { value: like[name] });
    const { encrypted } = like as Partial<TLSSocket>;
    if (encrypted) Object.defineProperty(this, 'encrypted', { value: true });
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) this.pieces.push(chunk);
    else {
      this.isTooLarge = true;
      this.destroy();
    }
    done();
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
