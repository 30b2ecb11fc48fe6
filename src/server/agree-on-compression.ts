/** Which compression of messages a socket gets: permessage-deflate, RFC 7692. */

import * as ws from 'ws';
import type { BodiesInFlight } from './bodies-in-flight.js';

const { PerMessageDeflate, extension } = ws as unknown as Inside;

interface Inside {
  readonly PerMessageDeflate: new (options: object) => Deflate;
  readonly extension: {
    parse(header: string): Readonly<Record<string, readonly Parameters[] | undefined>>;
    format(extensions: object): string;
  };
}

interface Deflate {
  accept(offers: readonly object[]): Readonly<Record<string, number | true | undefined>>;
}

type Parameters = Readonly<Record<string, readonly (string | true)[]>>;

const name = 'permessage-deflate';

export interface AgreedCompression {
  /** As `ws` has them. */
  readonly extensions: object;
  /** What the answer says. */
  readonly header: string;
  /** Gives back what was set aside for it. */
  release(): void;
}

/** The windows on both sides, in bits, where the client leaves us the choice: 4 KiB. */
const usualWindowBits = 12;
const largestWindowBits = 15;

/** zlib has none of 8 bits to compress with, and would take one of 9 without a word. */
const smallestDeflateBits = 9;

/** How much zlib keeps to find repetitions by: of 1 to 9. */
const memLevel = 5;

/** What zlib hands out at once. */
const chunkSize = 4 * 1024;

/** What two streams of zlib cost beside their tables and windows, as measured by `npm run bench -- sockets`. */
const fixedBytes = 96 * 1024;

/** What compression may take of what bodies may. */
const shareOfBodies = 4;

const taken = new WeakMap<BodiesInFlight, number>();

/** What zlib keeps for a connection, by its own formula (zconf.h) and what was measured beside. */
export function compressionBytes(serverBits: number, clientBits: number): number {
  const deflate = 2 ** (serverBits + 2) + 2 ** (memLevel + 9);
  return deflate + 2 ** clientBits + 2 * chunkSize + fixedBytes;
}

/**
 * The first of the client's offers that is well-formed and can be met (section 7.1); none where there is no room
 * for its windows, as a server may always do.
 */
export function agreeOnCompression(
  sent: string | undefined,
  maxPayload: number,
  bodies: BodiesInFlight,
): AgreedCompression | undefined {
  for (const offer of parseOffers(sent)) {
    const agreed = meet(offer, maxPayload);
    if (agreed === undefined) continue;
    const { deflate, parameters, bytes } = agreed;
    const before = taken.get(bodies) ?? 0;
    if (before + bytes > bodies.maxBytes / shareOfBodies || !bodies.reserve(bytes))
      return undefined;
    taken.set(bodies, before + bytes);
    return {
      extensions: { [name]: deflate },
      header: extension.format({ [name]: [parameters] }),
      release() {
        taken.set(bodies, (taken.get(bodies) ?? 0) - bytes);
        bodies.release(bytes);
      },
    };
  }
  return undefined;
}

/** What is malformed is no offer of ours to refuse: a server passes over what it does not know (RFC 6455 section 9.1). */
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
