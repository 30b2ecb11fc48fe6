/** `Prefer: handling=strict` (RFC 7240 section 4.4): what would be passed over is rejected. */

import { parsePrefer, writeApplied } from '../../../http/body/parse-prefer.js';
import type { Request } from '../../../http/exchange.js';
import type { FieldFault } from '../../../http/http-error.js';
import { type AnySpec, validatedOf } from '../../../kit/endpoint.js';
import { rejectFaults, unknownParameters } from './faults.js';
import type { Call, Query } from './source.js';

function isStrict({ headers: { prefer } }: Request): boolean {
  return prefer !== undefined && parsePrefer(String(prefer)).handling === 'strict';
}

/** Rejects parameters that the endpoint does not know, before anything is done. */
export function rejectUnknownParameters(request: Request): void {
  if (!isStrict(request)) return;
  const { query = {} } = (request.route?.spec ?? {}) as Partial<AnySpec>;
  // Endpoints with a schema of their query read it themselves, and pass nothing over.
  if (validatedOf(query) !== undefined) return;
  rejectFaults(unknownParameters(request.query as Query, Object.keys(query)));
}

export function setStrictApplied({ request, reply }: Call): void {
  if (isStrict(request)) reply.header('preference-applied', writeApplied({ handling: 'strict' }));
}

/** Returns a fault for each member of a body that is passed over, where the client is strict. */
export function unknownMembers(
  request: Request,
  body: unknown,
  known: readonly string[],
  place = '',
): FieldFault[] {
  if (typeof body !== 'object' || body === null || !isStrict(request)) return [];
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  return unknown.map((name) => ({
    field: place + name,
    message: `There is no field ${place}${name} here; it supports ${known.join(', ')}.`,
  }));
}
