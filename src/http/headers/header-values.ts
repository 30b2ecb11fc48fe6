/** Header values as sent, before Node joins them. */

import { addValue } from '#base/add-value.js';
import type { Request } from '../exchange.js';
import { HttpError } from '../http-error.js';

/** Returns every value of a header in the order sent; `name` is in lower case. */
export function headerValues({ raw }: Request, name: string): string[] {
  const { rawHeaders } = raw;
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? '');
    }
  }
  return values;
}

/**
 * Groups all headers in the order sent, by the names that `nameOf` returns; omits headers without a
 * name.
 */
export function groupHeaders(
  rawHeaders: readonly string[],
  nameOf: (sentName: string) => string | undefined,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = nameOf(rawHeaders[index] ?? '');
    if (name !== undefined) addValue(headers, name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/**
 * Throws 400 for a repeated header, of which servers may use the first or the last (RFC 9110
 * section 5.3).
 */
export function singleHeader(request: Request, name: string): string | undefined {
  const values = headerValues(request, name);
  if (values.length > 1) throw new HttpError(400, repeatedHeader(name, values.length));
  return values[0];
}

export function repeatedHeader(name: string, times: number): string {
  return `The header ${name} was sent ${times} times. Send it once.`;
}
