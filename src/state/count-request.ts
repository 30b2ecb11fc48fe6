/** Rate windows, which begin with a client's first request. */

import type { Change } from './state.js';

export interface RateFigures {
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface RateWindow extends RateFigures {
  readonly used: number;
  readonly endsAtMs: number;
}

export interface CountedRequest {
  readonly isAccepted: boolean;
  readonly window: RateWindow;
  readonly secondsLeft: number;
}

/**
 * Counts a request, in a new window with these figures if none is open; an open window keeps its
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

/** Rounded up, so that the window is over after this time. */
export function secondsLeft({ endsAtMs }: RateWindow, nowMs: number): number {
  return Math.ceil((endsAtMs - nowMs) / 1000);
}
