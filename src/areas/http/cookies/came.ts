/** The cookies of a request, for a response. */

import { isUtf8 } from 'node:buffer';
import { type SentCookie, sentCookies } from '../../../http/cookies/set-cookie.js';
import type { Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/headers/header-values.js';

export interface Came {
  readonly cookies: SentCookie[];
  readonly raw: string[];
}

export function cameWith(request: Request): Came {
  const raw = headerValues(request, 'cookie').map(asText);
  return { cookies: sentCookies(raw), raw };
}

/** Node shows each byte of a header as a character. */
export function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
