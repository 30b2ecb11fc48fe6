/** A request that shows what an area is for; the front page makes code and a live form of it. */

export interface Example {
  /** What it shows, such as `Log in for a JWT`. */
  readonly title: string;
  readonly method: string;
  /** With its query, as a client writes it, such as `/api/Books?limit=3`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who sends it, by the Basic scheme. */
  readonly user?: { readonly username: string; readonly password: string };
  /** A body of JSON; its Content-Type is understood. */
  readonly json?: Json;
  /** Any other body, sent as it is; `headers` say what it is. */
  readonly body?: string;
  /** How often it is sent in a row; what is answered is said of the last one. */
  readonly times?: number;
  readonly answer: {
    readonly status: number;
    /** Headers that matter here; code prints them, where a client does not by itself. */
    readonly headers?: readonly string[];
    /** Stands in the body, or in one of `headers`, as it is here. */
    readonly has: string;
  };
}

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };
