/** Parts of a stream, in order: bytes, pauses and ends. */

export type Piece =
  | string
  | Buffer
  | { readonly pauseMs: number }
  /** Resets the connection. */
  | 'reset'
  /** Sends nothing more. */
  | 'open'
  /** Sends only pings. */
  | 'pings';
