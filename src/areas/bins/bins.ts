/** Bins as the state holds them: addresses that take any request and keep what came. */

import { randomBytes } from 'node:crypto';
import { type GivenHeaders, headerPairs } from '../../http/headers/settable-headers.js';
import { heapBytes } from '../../state/rows/heap-bytes.js';
import type { LogSpace } from '../../state/state.js';
import type { CapturedItem } from './capture-request.js';

export interface BinResponse {
  readonly status: number;
  /** As they were given. */
  readonly headers: GivenHeaders;
  readonly body: string;
}

export interface Bin {
  readonly id: string;
  readonly name: string | null;
  readonly createdAtMs: number;
  /** The response to a capture; without one, a short confirmation. */
  readonly response: BinResponse | null;
}

export const maxBins = 100;
export const maxRequestsPerBin = 50;

/** How much of a body is kept; the rest is counted. */
export const keptBodyBytes = 256 * 1024;

export const binsSpace: LogSpace<Bin, CapturedItem> = {
  name: 'webhook-bins',
  maxKeys: maxBins,
  maxEntries: maxRequestsPerBin,
  isFindable: true,
};

/** 132 random bits: who was not told an id cannot find one. */
export function newBinId(): string {
  return randomBytes(17).toString('base64url').slice(0, binIdLength);
}

const binIdLength = 22;
const binId = /^[\w-]{22}$/;

export function isBinId(text: string): boolean {
  return binId.test(text);
}

/** What a bin takes in memory, without its captures. Names of headers are the caller's, so they count. */
export function binBytes(bin: Bin): number {
  const { response } = bin;
  return heapBytes({
    ...bin,
    response: response && { ...response, headers: headerPairs(response.headers) },
  });
}

export interface BinView {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly url: string;
  readonly inspectUrl: string;
  readonly requestCount: number;
  readonly response: BinResponse | null;
}

/** The bin as its owner sees it. `baseUrl` ends without a slash. */
export function describeBin(bin: Bin, requestCount: number, baseUrl: string): BinView {
  const { id, name, createdAtMs, response } = bin;
  return {
    id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    url: `${baseUrl}/api/webhooks/${id}`,
    inspectUrl: `${baseUrl}/bins#${id}`,
    requestCount,
    response,
  };
}
