/** A reference solution of a challenge, and near misses. */

import type { HttpResponse, SendOptions } from '../../support/service.js';

/** Sends a request in the sandbox of the solver. */
export interface Call {
  (target: string, options?: SendOptions): Promise<HttpResponse>;
  /** Opens a WebSocket with these headers, and closes it again. */
  readonly upgrade: (path: string, headers?: Readonly<Record<string, string>>) => Promise<void>;
  /** Moves the clock of the service, which moves only by this call. */
  readonly wait: (ms: number) => void;
}

type Script = (call: Call) => Promise<unknown>;

export interface Solution {
  readonly solve: Script;
  /** Requests that do not solve it, and the hint that they get. */
  readonly misses: readonly (readonly [hint: RegExp, script: Script])[];
}

export type Solutions = Readonly<Record<string, Solution>>;

export const headers = (given: Readonly<Record<string, string>>): SendOptions => ({
  headers: given,
});

export const form = (
  fields: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): SendOptions => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...others },
  body: new URLSearchParams(fields).toString(),
});

export const basic = (user: string, password: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

export const bearer = (token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
});

/** The path of a Location header, inside of the sandbox of the solver. */
export function pathOf({ headers: received }: HttpResponse): string {
  return (received.location ?? '').replace(/^https?:\/\/[^/]+(\/s\/[^/]+)?/, '');
}
