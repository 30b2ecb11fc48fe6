/** `Prefer: handling=strict` (RFC 7240 section 4.4): what would be passed over is rejected. */

import { parsePrefer, writeApplied } from '../../../http/body/parse-prefer.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Query } from '../read/read-list-query.js';
import { faultyFields } from '../source/faulty-fields.js';
import { strangeParameters } from '../write/write-options.js';

interface Described {
  readonly querystring?: object;
  readonly described?: { readonly querystring?: object };
}

/** Rejects parameters that the route does not know. */
export function heedStrictness(
  request: Request,
  _reply: Reply,
  done: (error?: Error) => void,
): void {
  const { prefer } = request.headers;
  if (prefer === undefined || parsePrefer(String(prefer)).handling !== 'strict') {
    done();
    return;
  }
  const { querystring, described } = (request.routeOptions.schema ?? {}) as Described;
  // Those that have one read it themselves, and pass nothing over.
  const taken = Object.keys(described?.querystring ?? {});
  const faults = querystring === undefined ? strangeParameters(request.query as Query, taken) : [];
  done(faults.length === 0 ? undefined : faultyFields(faults));
}

/** Says of a read that strictness was honoured. */
export function sayStrictness({ headers }: Request, reply: Reply): void {
  const { prefer } = headers;
  if (prefer === undefined || parsePrefer(String(prefer)).handling !== 'strict') return;
  reply.header('preference-applied', writeApplied({ handling: 'strict' }));
}

/** Faults of members that a body of that shape does not have; none where the client is not strict. */
export function strangeMembers(
  { headers }: Pick<Request, 'headers'>,
  body: unknown,
  known: readonly string[],
  place = '',
): { readonly field: string; readonly message: string }[] {
  const isStrict = parsePrefer(headers.prefer as string | undefined).handling === 'strict';
  if (!isStrict || typeof body !== 'object' || body === null) return [];
  const strange = Object.keys(body).filter((name) => !known.includes(name));
  return strange.map((name) => ({
    field: place + name,
    message: `There is no field ${place}${name} here; it supports ${known.join(', ')}.`,
  }));
}
