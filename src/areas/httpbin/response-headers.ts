/** A response with the headers that the query asks for, and with all of them in its body. */

import { strayCookieFaults, withOwnPath } from '../../http/cookies/own-cookies.js';
import { checkSettableHeaders, headersByName } from '../../http/headers/settable-headers.js';
import { HttpError } from '../../http/http-error.js';
import { isolatingHeaders } from '../../http/isolating-headers.js';
import type { Handler } from './lab.js';
import { writeJson } from './write-json.js';

export const giveHeaders: Handler = (request, reply, { paths }) => {
  const query = request.query as Readonly<Record<string, string | string[]>>;
  const pairs = Object.entries(query).flatMap(([name, values]) => {
    return [values].flat().map((value) => [name, value] as const);
  });
  const ownPath = paths.path(request, '');
  const faults = checkSettableHeaders(pairs, 'headers', { isCookieSettable: true });
  const errors = [
    ...faults.map(({ field, message }) => {
      const [name = field] = pairs[Number(field.split('.')[1])] ?? [];
      return { field: name, message };
    }),
    ...strayCookieFaults(pairs, 'Set-Cookie', ownPath),
  ];
  if (errors.length > 0) {
    const message = errors.map((error) => error.message).join(' ');
    throw new HttpError(400, message, { body: { errors } });
  }
  const given = headersByName(
    pairs.map(([name, value]) => [name, isCookie(name) ? withOwnPath(value, ownPath) : value]),
  );
  const names = new Map(pairs.map(([name]) => [name.toLowerCase(), name]));
  const shown = new Map<string, string | string[]>([['Content-Type', 'application/json']]);
  for (const [lower, value] of given) {
    if (lower === 'content-type') shown.set('Content-Type', value);
    else shown.set(names.get(lower) ?? lower, value);
  }
  reply.header('content-type', 'application/json').headers(Object.fromEntries(given));
  reply.headers(isolatingHeaders);
  return reply.send(withOwnLength(shown));
};

const isCookie = (name: string) => name.toLowerCase() === 'set-cookie';

/** The body says how long it is; a longer number makes it longer, once. */
function withOwnLength(shown: ReadonlyMap<string, unknown>): Buffer {
  let length = 0;
  for (;;) {
    const body = Buffer.from(
      writeJson({ ...Object.fromEntries(shown), 'Content-Length': String(length) }),
    );
    if (body.length === length) return body;
    length = body.length;
  }
}
