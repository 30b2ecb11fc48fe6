/** Explains a request whose method is unknown. */

import { METHODS } from 'node:http';

/** `sent` is the method, or the beginning of the request. */
export function methodFault(sent: string): string {
  const [method = ''] = /^[A-Za-z-]{1,20}(?= |$)/.exec(sent) ?? [];
  const right = method.toUpperCase();
  return method !== right && METHODS.includes(right)
    ? `HTTP methods are case-sensitive: send ${right}, not ${method}.`
    : 'The request does not begin with a known HTTP method.';
}
