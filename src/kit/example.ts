/** Example requests: of areas, for which the front page shows code and a form, and of endpoints. */

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

/** The path of a value in a JSON body, or a header; of Location only the last segment. */
export type ResponsePart = { readonly body: readonly string[] } | { readonly header: string };

/**
 * Example requests of an endpoint, by their titles. Tests send them, in the order of the endpoints of an area, and compare the
 * responses with the description. The recorded calls are the examples of the description, and the requests of collections.
 */
export type Examples = Readonly<Record<string, ExampleRequest>>;

/** Texts can have variables that earlier examples of the area keep, such as `{{etag}}`. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: Json;
  /** Sent unchanged, with this Content-Type. */
  readonly body?: string | Uint8Array;
  readonly type?: string;
  /** Content-Length of a body that is not sent. */
  readonly announcedBytes?: number;
  /** Variables that get a value from the response. */
  readonly keeps?: Readonly<Record<string, ResponsePart>>;
  /** The response depends on more than the request, or is too long: it is only compared with the description. */
  readonly isNoExample?: true;
  /** The request is an example, but its response differs each time, or is too long. */
  readonly isRequestOnly?: true;
  /** Headers of the response that differ between versions of Node. */
  readonly unkeptHeaders?: readonly string[];
}

/** Headers of a private sandbox. Examples share it, unless they disturb others. */
export const inSandbox = (name = 'mine') => ({ headers: { 'X-Sandbox': name } });
