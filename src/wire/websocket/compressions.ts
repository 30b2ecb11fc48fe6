/** Compression of WebSocket messages: permessage-deflate, RFC 7692. */

import * as ws from 'ws';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';

// The types of `ws` leave these out.
const { PerMessageDeflate, extension } = ws as unknown as {
  readonly PerMessageDeflate: new (options: object) => Deflate;
  readonly extension: {
    parse(header: string): Readonly<Record<string, readonly Parameters[] | undefined>>;
    format(extensions: object): string;
  };
};

interface Deflate {
  accept(offers: readonly object[]): Readonly<Record<string, number | true | undefined>>;
}

type Parameters = Readonly<Record<string, readonly (string | true)[]>>;

const name = 'permessage-deflate';

export interface AgreedCompression {
  readonly extensions: object;
  readonly header: string;
  release(): void;
}

/** Window size in bits for both directions if the client leaves the choice to the server: 4 KiB. */
const usualWindowBits = 12;
const largestWindowBits = 15;

/** zlib cannot compress with 8 bits, and silently uses 9. */
const smallestDeflateBits = 9;

/** zlib's memory level, from 1 to 9. */
const memLevel = 5;

const chunkSize = 4 * 1024;

/**
 * Memory of two zlib streams without their tables and windows, as measured by `npm run bench --
 * sockets`.
 */
const fixedBytes = 96 * 1024;

/** Compression gets at most this fraction of the body budget. */
const shareOfBodies = 4;

/** Returns the memory of one connection, by the formula in zconf.h and the measured rest. */
function compressionBytes(serverBits: number, clientBits: number): number {
  const deflate = 2 ** (serverBits + 2) + 2 ** (memLevel + 9);
  return deflate + 2 ** clientBits + 2 * chunkSize + fixedBytes;
}

/** Limits the compression of all sockets of a service to one budget. */
export class Compressions {
  readonly #bodies: BodiesInFlight;
  #reservedBytes = 0;

  constructor(bodies: BodiesInFlight) {
    this.#bodies = bodies;
  }

  /**
   * Returns the client's first offer that is well-formed and acceptable (section 7.1). Returns
   * `undefined` if the budget has no room for its windows: a server may always decline.
   */
  agree(sent: string | undefined, maxPayload: number): AgreedCompression | undefined {
    for (const offer of parseOffers(sent)) {
      const agreed = meet(offer, maxPayload);
      if (agreed === undefined) continue;
      const { deflate, parameters, bytes } = agreed;
      if (!this.#reserve(bytes)) return undefined;
      return {
        extensions: { [name]: deflate },
        header: extension.format({ [name]: [parameters] }),
        release: () => {
          this.#reservedBytes -= bytes;
          this.#bodies.release(bytes);
        },
      };
    }
    return undefined;
  }

  #reserve(bytes: number): boolean {
    const isWithinShare = this.#reservedBytes + bytes <= this.#bodies.maxBytes / shareOfBodies;
    if (!isWithinShare || !this.#bodies.reserve(bytes)) return false;
    this.#reservedBytes += bytes;
    return true;
  }
}

/**
 * Ignores a malformed offer, because a server ignores unknown extensions (RFC 6455 section 9.1).
 */
function parseOffers(sent: string | undefined): readonly Parameters[] {
  try {
    return extension.parse(sent ?? '')[name] ?? [];
  } catch {
    return [];
  }
}

function meet(offer: Parameters, maxPayload: number) {
  const asked = Number(offer.server_max_window_bits?.[0] ?? largestWindowBits);
  const serverBits = Math.min(asked, usualWindowBits);
  if (!(serverBits >= smallestDeflateBits)) return undefined;
  const offered = offer.client_max_window_bits?.[0];
  const clientBits = Math.min(
    typeof offered === 'string' ? Number(offered) : largestWindowBits,
    usualWindowBits,
  );
  const deflate = new PerMessageDeflate({
    isServer: true,
    maxPayload,
    serverMaxWindowBits: serverBits,
    ...(offered !== undefined && { clientMaxWindowBits: clientBits }),
    threshold: 64,
    zlibDeflateOptions: { memLevel, chunkSize },
    zlibInflateOptions: { chunkSize },
  });
  try {
    const parameters = deflate.accept([offer]);
    const bytes = compressionBytes(
      serverBits,
      offered === undefined ? largestWindowBits : clientBits,
    );
    return { deflate, parameters, bytes };
  } catch {
    return undefined;
  }
}
