/** Checks Retry-After in callers' responses, which may be wrong: RFC 9110 section 10.2.3. */

import { parseHttpDate } from './http-date.js';
import { type GivenHeaders, headerPairs } from './settable-headers.js';

/** Returns why a client must ignore a value; `undefined` for seconds and dates. */
export function retryAfterWarning(value: string): string | undefined {
  if (/^\d+$/.test(value) || parseHttpDate(value) !== undefined) return undefined;
  return `A client must ignore Retry-After: ${JSON.stringify(value)} is neither seconds nor a date.`;
}

/** Returns the warnings about the headers of a response. */
export function retryAfterWarnings(headers: GivenHeaders): string[] {
  return headerPairs(headers).flatMap(([name, value]) => {
    const isIt = name.toLowerCase() === 'retry-after';
    return (isIt ? retryAfterWarning(value.trim()) : undefined) ?? [];
  });
}
