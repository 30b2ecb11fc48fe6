/** Rate limits in the headers and errors of each provider. */

import type { HttpError } from '#http/http-error.js';
import { googleDetail } from '../messages/google-details.js';
import { mistake } from '../messages/mistake.js';
import type { ProviderName } from '../messages/provider.js';
import { usualLimits } from '../script/script.js';
import type { RateState } from './rate-window.js';

type Headers = Record<string, string>;

/** Here, input and output share one limit. */
const tokenHeaders = (kind: string, limit: number, remaining: number, resetAt: string) => ({
  [`anthropic-ratelimit-${kind}-tokens-limit`]: String(limit),
  [`anthropic-ratelimit-${kind}-tokens-remaining`]: String(remaining),
  [`anthropic-ratelimit-${kind}-tokens-reset`]: resetAt,
});

const headersOf: Readonly<Record<ProviderName, (state: RateState) => Headers>> = {
  openai: ({ limits, remainingRequests, remainingTokens, resetMs }) => ({
    'x-ratelimit-limit-requests': String(limits.requestsPerMinute),
    'x-ratelimit-remaining-requests': String(remainingRequests),
    'x-ratelimit-reset-requests': writeDuration(resetMs),
    'x-ratelimit-limit-tokens': String(limits.tokensPerMinute),
    'x-ratelimit-remaining-tokens': String(remainingTokens),
    'x-ratelimit-reset-tokens': writeDuration(resetMs),
  }),
  anthropic: ({ limits, remainingRequests, remainingTokens, resetMs, nowMs }) => {
    const reset = new Date(Math.ceil((nowMs + resetMs) / 1000) * 1000);
    const resetAt = reset.toISOString().replace('.000', '');
    return {
      'anthropic-ratelimit-requests-limit': String(limits.requestsPerMinute),
      'anthropic-ratelimit-requests-remaining': String(remainingRequests),
      'anthropic-ratelimit-requests-reset': resetAt,
      'anthropic-ratelimit-tokens-limit': String(limits.tokensPerMinute),
      'anthropic-ratelimit-tokens-remaining': String(remainingTokens),
      'anthropic-ratelimit-tokens-reset': resetAt,
      ...tokenHeaders('input', limits.tokensPerMinute, remainingTokens, resetAt),
      ...tokenHeaders('output', limits.tokensPerMinute, remainingTokens, resetAt),
    };
  },
  gemini: () => ({}),
  ollama: () => ({}),
};

export function rateHeaders(provider: ProviderName, state: RateState): Headers {
  return headersOf[provider](state);
}

const noState: RateState = {
  limits: usualLimits,
  ...{ remainingRequests: 0, remainingTokens: 0, resetMs: 0, nowMs: 0, isTooLarge: false },
};

export function rateHeaderNames(provider: ProviderName): readonly string[] {
  return Object.keys(rateHeaders(provider, noState));
}

/** Such as `1m0s`, `59.5s` or `12ms`. */
export function writeDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms % 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}

/** The client may send the request again when the window is over. */
export function rateLimited(provider: ProviderName, state: RateState): HttpError {
  const { exceeded = 'requests', resetMs, limits, isTooLarge } = state;
  const limit = exceeded === 'requests' ? limits.requestsPerMinute : limits.tokensPerMinute;
  const seconds = Math.ceil(resetMs / 1000);
  const isOfHeaders = provider !== 'gemini';
  const options = {
    ...(provider === 'openai' && { type: exceeded, code: 'rate_limit_exceeded' }),
    ...(provider === 'gemini' && { details: quotaDetails(limit, isTooLarge ? 0 : seconds) }),
  };
  if (isTooLarge) {
    return mistake(429, `The request needs more than ${limit} tokens, the limit per minute.`, {
      ...options,
      headers: { ...rateHeaders(provider, state), 'x-should-retry': 'false' },
    });
  }
  return mistake(429, `More than ${limit} ${exceeded} per minute. Wait ${seconds} s.`, {
    ...options,
    headers: {
      ...rateHeaders(provider, state),
      ...(isOfHeaders && { 'retry-after': String(seconds) }),
      ...(provider === 'openai' && { 'retry-after-ms': String(resetMs) }),
    },
  });
}

/** Google tells the wait in the body. */
function quotaDetails(limit: number, seconds: number) {
  const violations = [{ quotaMetric: 'practice/requests', quotaValue: String(limit) }];
  const wait = googleDetail('RetryInfo', { retryDelay: `${seconds}s` });
  return [googleDetail('QuotaFailure', { violations }), ...(seconds > 0 ? [wait] : [])];
}

/** Waiting does not help. */
export function outOfQuota(provider: ProviderName): HttpError {
  const message = 'insufficient_quota: this key is always out of quota. Use another key.';
  if (provider === 'gemini') return mistake(429, message, { details: quotaDetails(0, 0) });
  const headers = { 'x-should-retry': 'false' };
  return provider === 'openai'
    ? mistake(429, message, { type: 'insufficient_quota', code: 'insufficient_quota', headers })
    : mistake(402, message, { headers });
}
