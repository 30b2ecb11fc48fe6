/** Counts requests and tokens of a key in windows of a minute, by the clock of the sandbox. */

import { hash } from 'node:crypto';
import { addressOwner } from '#base/shares/owner.js';
import type { Request } from '#http/exchange.js';
import { type Space, sharedSandboxName, type Transaction } from '#state/state.js';
import type { Limits } from '../script/script.js';

const windowMs = 60_000;

export interface Costs {
  readonly requests: number;
  readonly tokens: number;
}

interface Window extends Costs {
  readonly startsAtMs: number;
}

const windowSpace: Space<Window> = { name: 'llm-windows', maxKeys: 1000 };

export interface RateState {
  readonly limits: Limits;
  /** Never below 0. */
  readonly remainingRequests: number;
  readonly remainingTokens: number;
  readonly resetMs: number;
  readonly nowMs: number;
  /** The limit that the request exceeds. */
  readonly exceeded?: 'requests' | 'tokens';
  /** Whether the request exceeds the limit by itself. */
  readonly isTooLarge: boolean;
}

/** Callers of the shared sandbox each have a window, so that none uses up another's. */
export function windowKey({ sandbox, ip, accountId }: Request, apiKey: string): string {
  const owner = sandbox.name === sharedSandboxName ? (accountId ?? addressOwner(ip)) : '';
  return hash('sha256', `${apiKey} ${owner}`, 'base64url').slice(0, 22);
}

/** Counts requests also if they are rejected. Tokens count only if there is room for them. */
export function charge(
  view: Transaction,
  key: string,
  limits: Limits,
  { requests, tokens }: Costs,
): RateState {
  const { nowMs } = view;
  const stored = view.read(windowSpace, key);
  const isOver = stored === undefined || nowMs >= stored.startsAtMs + windowMs;
  const before = isOver ? { startsAtMs: nowMs, requests: 0, tokens: 0 } : stored;
  const counted = before.requests + requests;
  const exceeded =
    requests > 0 && counted > limits.requestsPerMinute
      ? 'requests'
      : requests > 0 && before.tokens + tokens > limits.tokensPerMinute
        ? 'tokens'
        : undefined;
  const value = {
    startsAtMs: before.startsAtMs,
    requests: counted,
    tokens: exceeded === undefined ? before.tokens + tokens : before.tokens,
  };
  const endsAtMs = before.startsAtMs + windowMs;
  view.write(windowSpace, key, value, { expiresAtMs: endsAtMs });
  return {
    limits,
    remainingRequests: Math.max(0, limits.requestsPerMinute - value.requests),
    remainingTokens: Math.max(0, limits.tokensPerMinute - value.tokens),
    resetMs: endsAtMs - nowMs,
    nowMs,
    isTooLarge: exceeded === 'tokens' && tokens > limits.tokensPerMinute,
    ...(exceeded && { exceeded }),
  };
}
