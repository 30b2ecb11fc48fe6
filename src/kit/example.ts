/** An example request of an area, for which the front page shows code and a form. */

export interface Example {
  readonly title: string;
  readonly method: string;
  /** With its query, such as `/api/Books?limit=3`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly user?: { readonly username: string; readonly password: string };
  readonly json?: Json;
  /** Any other body; `headers` contain its type. */
  readonly body?: string;
  /** How often it is sent; the shown response is the last. */
  readonly times?: number;
  readonly response: {
    readonly status: number;
    /** Headers that the code prints. */
    readonly headers?: readonly string[];
    /** A part of the body, or of one of `headers`. */
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
