/** CORS with credentials (WHATWG Fetch, "CORS protocol and credentials"). */

import type { Request } from '#http/exchange.js';
import { isPreflight } from '#http/preflight.js';
import { tlsSocketOf } from './connection.js';

const originForm = /^[!-+\--~]{1,1000}$/;

/**
 * Returns the headers that let pages of the request's origin send credentials. A response to a
 * visitor's credentials keeps `*`, which browsers reject, unless `isPublic`: then it contains
 * nothing private. Pages of the same host can also read it, because they share its cookies (RFC
 * 6265 section 8.5).
 */
export function credentialHeaders(request: Request, isPublic: boolean): Record<string, string> {
  const { origin = '' } = request.headers;
  const isEchoed =
    originForm.test(origin) &&
    (isPublic || isPreflight(request) || !hasCredentials(request) || isOfSameHost(request, origin));
  return {
    'access-control-allow-credentials': 'true',
    ...(isEchoed && { 'access-control-allow-origin': origin }),
    vary: 'Origin',
  };
}

function hasCredentials(request: Request): boolean {
  const { cookie, authorization } = request.headers;
  const certificate = tlsSocketOf(request)?.getPeerX509Certificate();
  return cookie !== undefined || authorization !== undefined || certificate !== undefined;
}

function isOfSameHost({ headers }: Request, origin: string): boolean {
  const own = `http://${headers.host ?? ''}`;
  if (!URL.canParse(origin) || !URL.canParse(own)) return false;
  return new URL(origin).hostname === new URL(own).hostname;
}
