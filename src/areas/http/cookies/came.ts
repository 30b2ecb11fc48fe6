/** The cookies of a request, for a response. */

import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { type SentCookie, sentCookies } from '../../../http/set-cookie.js';
import { headerValues } from '../../../server/header-values.js';

export interface Came {
  readonly cookies: SentCookie[];
  readonly raw: string[];
}

export function cameWith(request: FastifyRequest): Came {
  const raw = headerValues(request, 'cookie').map(asText);
  return { cookies: sentCookies(raw), raw };
}

/** Node shows each byte of a header as a character. */
export function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
