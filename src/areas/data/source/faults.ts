/** Errors of invalid and unknown parameters and fields. */

import { didYouMean } from '#base/text/did-you-mean.js';
import { gotParameter } from '#base/text/got-value.js';
import type { Reply, Request } from '#http/exchange.js';
import { parsePrefer, writeApplied } from '#http/headers/parse-prefer.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { isFaultParameter } from '#kit/describe/fault-parameters.js';
import { type AnySpec, validatedOf } from '#kit/endpoint.js';

/** A decoded query string: repeated parameters are lists. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

export function faultyFields(errors: readonly FieldFault[]): HttpError {
  const message = errors.map((fault) => fault.message).join(' ');
  return new HttpError(400, message, { body: { errors } });
}

export function rejectFaults(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw faultyFields(faults);
}

/** `what` follows the name, such as `must be true or false`; `value` is the received value. */
export function parameterFault(
  name: string,
  what: string,
  value?: Query[string] | undefined,
): FieldFault {
  return { field: name, message: `${name} ${what}${gotParameter(name, value)}.` };
}

/** Parses a parameter whose default is false. */
export function readFlag(query: Query, name: string, faults: FieldFault[]): boolean {
  const { [name]: value = 'false' } = query;
  if (value !== 'true' && value !== 'false') {
    faults.push(parameterFault(name, 'must be true or false', value));
  }
  return value === 'true';
}

export function unknownParameters(query: Query, accepted: readonly string[]): FieldFault[] {
  const names = Object.keys(query).filter(
    (name) => !accepted.includes(name) && !isFaultParameter(name, query),
  );
  const list = accepted.length === 0 ? 'none' : accepted.join(', ');
  return names.map((field, index) => ({
    field,
    message: `Unknown query parameter ${field}.${suggestionFor(field, accepted, index)} Use ${list}.`,
  }));
}

/** Whether a client wants unknown parameters and members to be rejected (RFC 7240 section 4.4). */
function isStrict({ headers: { prefer } }: Request): boolean {
  return prefer !== undefined && parsePrefer(String(prefer)).handling === 'strict';
}

export function rejectUnknownParameters(request: Request): void {
  if (!isStrict(request)) return;
  const { query = {} } = (request.route?.spec ?? {}) as Partial<AnySpec>;
  // Endpoints with a schema of their query parse it themselves, and ignore nothing.
  if (validatedOf(query) !== undefined) return;
  rejectFaults(unknownParameters(request.query as Query, Object.keys(query)));
}

export function setStrictApplied(reply: Reply): void {
  if (isStrict(reply.request))
    reply.header('preference-applied', writeApplied({ handling: 'strict' }));
}

/** Returns an error for each unknown member of a body, if the client is strict. */
export function unknownMembers(
  request: Request,
  body: unknown,
  { properties }: { readonly properties: object },
  place = '',
): FieldFault[] {
  if (typeof body !== 'object' || body === null || !isStrict(request)) return [];
  const known = Object.keys(properties);
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  return unknown.map((name, index) => ({
    field: place + name,
    message: `Unknown field ${place}${name}.${suggestionFor(name, known, index)} Use ${known.join(', ')}.`,
  }));
}

/** Callers may send thousands of names. */
const maxSuggested = 20;

export function suggestionFor(name: string, known: readonly string[], index: number): string {
  return index < maxSuggested ? didYouMean(name, known) : '';
}
