/** `Prefer: handling=strict` (RFC 7240 section 4.4): what would be passed over is rejected. */

import type { Reply, Request } from '../../../http/exchange.js';
import { parsePrefer, writeApplied } from '../../../http/headers/parse-prefer.js';
import type { FieldFault } from '../../../http/http-error.js';
import { type AnySpec, validatedOf } from '../../../kit/endpoint.js';
import { faultyFields, type Query, unknownParameters } from './faults.js';

function isStrict({ headers: { prefer } }: Pick<Request, 'headers'>): boolean {
  return prefer !== undefined && parsePrefer(String(prefer)).handling === 'strict';
}

/** Rejects parameters that the endpoint does not know, before anything is done. */
export function rejectUnknownParameters(request: Request): void {
  if (!isStrict(request)) return;
  const { query = {} } = (request.route?.spec ?? {}) as Partial<AnySpec>;
  // Endpoints with a schema of their query read it themselves, and pass nothing over.
  if (validatedOf(query) !== undefined) return;
  const faults = unknownParameters(request.query as Query, Object.keys(query));
  if (faults.length > 0) throw faultyFields(faults);
}

/** Says in the response to a read that strictness was honoured. */
export function setStrictApplied({
  request,
  reply,
}: {
  readonly request: Request;
  readonly reply: Reply;
}): void {
  if (isStrict(request)) reply.header('preference-applied', writeApplied({ handling: 'strict' }));
}

/** Returns a fault for each member of a body that is passed over, where the client is strict. */
export function unknownMembers(
  request: Pick<Request, 'headers'>,
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
