/** The interface of a practice API: its routes, its collections, and the form of its errors. */

import type { Awaitable } from '#base/awaitable.js';
import type { Call } from './call.js';
import type { Outcome } from './outcome.js';

/** Returns the body of a 200, or another response. */
export type Handle = (call: Call) => Awaitable<unknown>;

/** A JSON Schema, or the name of one of the dialect, with `[]` for a list. */
export type Shape = string | object;

/** The description of a route, besides its path. */
export interface RouteText {
  readonly tag?: string;
  readonly query?: Readonly<Record<string, Shape>>;
  readonly headers?: Readonly<Record<string, Shape>>;
  readonly body?: Shape;
  readonly bodyTypes?: readonly string[];
  readonly returns?: Shape;
  readonly types?: readonly string[];
  readonly status?: number;
  /** Short texts of further statuses. */
  readonly fails?: Readonly<Record<number, string>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface Route extends RouteText {
  readonly id: string;
  readonly methods: readonly string[];
  readonly path: string;
  readonly summary: string;
  readonly handle: Handle;
}

/** Requests of one sandbox in a window, if its rate limits are on. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
  readonly outcome: Outcome;
}

export interface Dialect {
  /** The name that `--serve` accepts; its paths are below `/name`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The path of its description. Default: `/openapi.json`, which is made from the routes. */
  readonly description?: string;
  /** The version that was followed, and the month of the comparison. */
  readonly follows: { readonly version: string; readonly date: string };
  /** Whether writes are kept without an option. */
  readonly keepsWrites?: boolean;
  readonly limit?: Limit;
  readonly schemas?: Readonly<Record<string, object>>;
  readonly routes: readonly Route[];
  /** Runs before each handler; an outcome ends the request. */
  readonly before?: (call: Call) => Awaitable<Outcome | undefined>;
  /** For paths and methods that the original does not have. */
  readonly unknown: Handle;
  /** The body of failures of the input, such as malformed JSON. */
  readonly failure?: (status: number, message: string) => unknown;
  /** Sends each outcome. Default: like Express. */
  readonly send?: (call: Call, outcome: Outcome) => Awaitable<unknown>;
}
