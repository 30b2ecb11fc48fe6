/** The cookies of a request, for a response. */

import { isUtf8 } from 'node:buffer';
import { Type } from 'typebox';
import { sentCookies } from '../../../http/cookies/set-cookie.js';
import type { Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/header-values.js';

const text = Type.String();

export const sentCookieSchema = Type.Object({ name: text, value: text });

export const receivedFields = {
  cookies: Type.Array(sentCookieSchema, {
    description: 'In the order they came in, repeated ones several times; values are not decoded.',
  }),
  raw: Type.Array(text, { description: 'Each Cookie header as it came.' }),
};

export function receivedCookies(request: Request) {
  const raw = headerValues(request, 'cookie').map(asText);
  return { cookies: sentCookies(raw), raw };
}

/** Node shows each byte of a header as a character. */
export function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
