/** A fixed window that begins with a client's first request, as a function of the window before. */

import type { Change } from './state.js';

/** How many requests a window takes, and how long it lasts. */
export interface RateFigures {
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface RateWindow extends RateFigures {
  /** How many requests were accepted; refused ones are not counted. */
  readonly used: number;
  /** The window is over at this time. */
  readonly endsAtMs: number;
}

export interface CountedRequest {
  readonly isAccepted: boolean;
  readonly window: RateWindow;
  readonly secondsLeft: number;
}

/**
 * Counts one request, in a window with the given figures when none is open: an open window keeps its
 * own.
 */
export function countRequest(
  window: RateWindow | undefined,
  nowMs: number,
  figures: RateFigures,
): Change<RateWindow, CountedRequest> {
  const open = isOpen(window, nowMs)
    ? window
    : { ...figures, used: 0, endsAtMs: nowMs + figures.windowSeconds * 1000 };
  const isAccepted = open.used < open.limit;
  const counted = isAccepted ? { ...open, used: open.used + 1 } : open;
  const result = { isAccepted, window: counted, secondsLeft: secondsLeft(counted, nowMs) };
  return { value: counted, expiresAtMs: counted.endsAtMs, result };
}

export function isOpen(window: RateWindow | undefined, nowMs: number): window is RateWindow {
  return window !== undefined && nowMs < window.endsAtMs;
}

/** Rounded up: who waits that long meets no window that is still open. */
export function secondsLeft({ endsAtMs }: RateWindow, nowMs: number): number {
  return Math.ceil((endsAtMs - nowMs) / 1000);
}
