/** Bins in the state: URLs that accept any request and store it. */

import { randomBytes } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import {
  type GivenHeaders,
  type HeaderEncoding,
  headerPairs,
} from '#http/headers/settable-headers.js';
import { HttpError } from '#http/http-error.js';
import type { Sandboxes } from '#kit/services.js';
import { heapBytes } from '#state/rows/heap-bytes.js';
import { givenNameOf, type LogSpace, ownerOf, type Sandbox } from '#state/state.js';
import type { CapturedItem } from './captures.js';

export interface BinResponse {
  readonly status: number;
  readonly headers: GivenHeaders;
  readonly headerEncoding?: HeaderEncoding;
  readonly body: string;
  /** Instead of `body`. */
  readonly bodyBase64?: string;
}

export interface Bin {
  readonly id: string;
  readonly name: string | null;
  readonly createdAtMs: number;
  /** The response to captured requests; null for a short confirmation. */
  readonly response: BinResponse | null;
}

export const maxRequestsPerBin = 50;

export const binsSpace: LogSpace<Bin, CapturedItem> = {
  name: 'webhook-bins',
  maxKeys: 100,
  maxEntries: maxRequestsPerBin,
  isFindable: true,
};

/** 132 random bits, so that strangers cannot guess ids. */
export function newBinId(): string {
  return randomBytes(17).toString('base64url').slice(0, 22);
}

export function isBinId(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** Returns the size of a bin in memory, without its captures. Header names count, because callers choose them. */
export function binBytes(bin: Bin): number {
  const { response } = bin;
  return heapBytes({
    ...bin,
    response: response && { ...response, headers: headerPairs(response.headers) },
  });
}

export type FindBin = ReturnType<typeof binFinder>;

/** Returns a function that finds the bin with an id, and throws 404 unless the caller may see it. */
export function binFinder({ sandboxHolding }: Sandboxes) {
  return async ({ sandbox: own }: Request, id: string) => {
    const found = await binIn(own, id);
    if (found !== undefined) return found;
    // A caller without a sandbox may use any bin by its id, but not one in a sandbox of another account.
    const holder = givenNameOf(own.name) === '' ? await sandboxHolding(binsSpace, id) : undefined;
    const isReachable = holder !== undefined && ownerOf(holder.name) === ownerOf(own.name);
    const held = isReachable ? await binIn(holder, id) : undefined;
    if (held === undefined) throw unknownBin();
    return held;
  };
}

async function binIn(sandbox: Sandbox, id: string) {
  const bin = await sandbox.read(binsSpace, id);
  return bin && { bin, sandbox, log: sandbox.log(binsSpace, id) };
}

export function unknownBin(): HttpError {
  return new HttpError(
    404,
    'There is no bin with this id. It may have been deleted or evicted. POST /api/webhooks/bins creates one.',
  );
}
