/** The outcome of reading a pasted text: a request, or the reason why there is none. */

export interface PastedRequest {
  readonly method: string;
  readonly address: string;
  /** One per line, such as `Accept: text/csv`. */
  readonly headers: readonly string[];
  readonly body: string;
}

export type Pasted =
  | {
      readonly request: PastedRequest;
      /** The part of the command that has no effect here, as a sentence. */
      readonly note?: string;
    }
  | { readonly fault: string };

export const accepted =
  'This console accepts curl, HTTPie, Invoke-WebRequest, fetch, "GET /path", and URLs of this service.';

/** Thrown where a text turns out not to be one request; the message is a sentence. */
export class PasteFault extends Error {}
