/** Rejects requests of foreign pages, against DNS rebinding. */

import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { originOf } from '#kit/base-url.js';
import type { Runtime } from '#kit/services.js';

const loopback = ['localhost', '127.0.0.1', '::1'];

/** Throws 403 if the Origin header names another origin than this service's. */
export function checkOrigin(
  { headers, query }: Request,
  services: Pick<Runtime, 'config' | 'listeners'>,
): void {
  const { origin } = headers;
  if (origin === undefined || (query as { origins?: unknown }).origins === 'any') return;
  if (ownOrigins(services).includes(origin)) return;
  throw new HttpError(
    403,
    'The Origin header names another origin. Omit it, or add ?origins=any to the URL.',
  );
}

/** Never from the Host header, which a page of an attacker can choose. */
function ownOrigins({
  config,
  listeners,
}: Pick<Runtime, 'config' | 'listeners'>): readonly string[] {
  const { baseUrl, host } = config;
  if (baseUrl !== undefined) return [new URL(baseUrl).origin];
  return listeners().flatMap(({ scheme, port }) =>
    [host, ...loopback].map((name) => new URL(originOf(name, port, scheme)).origin),
  );
}
