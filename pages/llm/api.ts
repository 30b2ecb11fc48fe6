/** Requests of the page about the sandbox of this browser. */

import { addressOf } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';

export interface Status {
  /** Turns of the script that are left. */
  readonly turns: readonly unknown[];
  readonly used: number;
  readonly cancelled: number;
  readonly limits: { readonly requestsPerMinute: number; readonly tokensPerMinute: number };
  readonly misbehave: { readonly name: string; readonly at: string } | null;
}

const path = '/api/sandbox/llm';

export const readStatus = () => callJson<Status>(addressOf(path));
export const endScript = () => call(addressOf(path), { method: 'DELETE' });
