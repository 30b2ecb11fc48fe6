/** The memory of a judge about one client: its newest exchanges, in a sandbox. */

import type { RpcId } from '../messages/message.js';

export interface Exchange {
  readonly id: RpcId;
  readonly method: string;
  /** Name, URI or task of the request. */
  readonly target: string;
  readonly atMs: number;
  /** There is no response yet. */
  readonly isOpen: boolean;
  readonly progressToken?: RpcId;
  /** Code of the JSON-RPC error. */
  readonly code?: number;
  readonly needsInput?: boolean;
  /** Digests of what the client must return unchanged. */
  readonly state?: string;
  readonly cursor?: string;
}

export interface Memory {
  readonly exchanges: readonly Exchange[];
  /** From Retry-After. */
  readonly notBeforeMs?: number;
  /** Whether the session was unknown. */
  readonly isGone?: boolean;
  /** Consecutive responses with 403 insufficient_scope. */
  readonly forbidden: number;
}

export const noMemory: Memory = { exchanges: [], forbidden: 0 };
