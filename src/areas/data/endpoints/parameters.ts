/** Headers, query parameters and bodies of requests to collections, for the description. */

import { Type } from 'typebox';
import type { Fields } from '#http/exchange.js';
import { ifMatch, ifNoneMatch, optional } from '#http/schemas/header-schemas.js';
import { detail, open, unvalidated } from '#kit/endpoint.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { maxLimit, maxSearchLength } from '../read/list-query.js';

const text = (description: string) => Type.String({ description });
const integer = (minimum: number, maximum: number | undefined, description: string) =>
  Type.Integer({ minimum, ...(maximum && { maximum }), description });

const flag = (description: string) => Type.Boolean({ default: false, description });

/** Optional fields that handlers parse themselves. */
const accepted = (fields: Fields) => unvalidated(optional(fields));

const conditions = {
  ...ifMatch,
  ...ifNoneMatch,
  'If-Unmodified-Since': text('A Last-Modified. If the record was modified later, 412.'),
};

export const preconditions = accepted(conditions);

export const readPreconditions = accepted({
  ...conditions,
  'If-Modified-Since': text('A Last-Modified. If the record was not modified later, 304.'),
});

const prefer = {
  Prefer: text(
    'RFC 7240. return=minimal: 204 without a body, 201 without one if something is created. respond-async: 202 and a job, with wait=n after n seconds. handling=strict: 400 for unknown parameters and members. Preference-Applied lists the preferences that were applied.',
  ),
};

const idempotencyKey = {
  'Idempotency-Key': Type.String({
    maxLength: 514,
    description:
      'A request repeated with the same key and body within a day gets the first response again, with Idempotency-Replayed: true, and is performed only once. Another body gets 422. While the first request is waiting, 409.',
  }),
};

const ofJobs = {
  jobSeconds: detail(
    Type.Number({
      minimum: 0,
      maximum: maxJobSeconds,
      default: usualJobSeconds,
      description: 'Duration of the job that respond-async creates.',
    }),
  ),
  jobFails: detail(flag('Whether that job fails.')),
};

const requireIdempotency = flag('Rejects a missing Idempotency-Key with 400.');
const upsert = flag('Creates the record with this id if it does not exist: 201.');
const purge = flag('Deletes permanently, instead of moving the record to the trash.');

const headers = accepted({ ...conditions, ...prefer });
const once = accepted({ ...ofJobs, requireIdempotency });

export const writeParameters = {
  create: { headers: accepted({ ...prefer, ...idempotencyKey }), query: once },
  replace: { headers, query: accepted({ ...ofJobs, upsert }) },
  replaceSingle: { headers, query: accepted(ofJobs) },
  change: { headers: accepted({ ...conditions, ...prefer, ...idempotencyKey }), query: once },
  remove: { headers, query: accepted({ ...ofJobs, purge }) },
};

/**
 * Alternatives to JSON: nested fields have names such as `address.city`; several texts are repeated or separated by
 * `;`.
 */
export const otherBodies = {
  'application/x-www-form-urlencoded': Type.Unsafe<object>({ type: 'object' }),
  'text/csv': Type.String(),
  'application/yaml': Type.Unknown(),
};

const ofWindow = {
  limit: integer(1, maxLimit, 'Maximum number of records. Default: all.'),
  page: integer(1, undefined, 'From 1; requires limit.'),
  offset: integer(0, undefined, 'Number of records to skip; page overrides it.'),
  sort: text('Up to 10 fields, separated by commas, each with a - before it for descending order.'),
  order: Type.String({
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'The order of sort, or of ids without sort.',
  }),
};

const searched = { type: 'string', maxLength: maxSearchLength };

const search = {
  // The schema has no type, because some clients would parse text as a list.
  q: Type.Unsafe<unknown>({
    anyOf: [searched, { type: 'array', items: searched }],
    description:
      'Searches all texts of a record, case-insensitively. Repeat it to require several texts.',
  }),
};

const fields = {
  fields: text('The fields to return, separated by commas. Default: all.'),
  formulas: detail(
    Type.String({
      enum: ['escape'],
      description:
        "In CSV, puts ' before texts that begin with =, +, -, @, a tab or CR, because spreadsheets would run them as formulas.",
    }),
  ),
};

/** The names that can be embedded in records; some sources do not know them. */
export type Embeds = readonly string[] | 'any';

function ofRecord(embeds: Embeds) {
  if (embeds.length === 0) return fields;
  const names = embeds === 'any' ? '' : `: ${embeds.join(', ')}`;
  return {
    ...fields,
    embed: text(`Other records to embed in each record, separated by commas${names}.`),
  };
}

export function recordQuery(embeds: Embeds) {
  return accepted(ofRecord(embeds));
}

/** Explains the names of filters in the descriptions of lists. */
export const aboutFilters =
  'The name of a field filters by its value; repeat it for several. field_ne excludes, field_in lists values, separated by commas; field_gt, _gte, _lt and _lte compare. A date means the whole day.';

/** A list parameter has priority over a field with the same name. */
export function listQuery(filters: Fields, embeds: Embeds) {
  return open(optional({ ...ofWindow, ...ofRecord(embeds), ...search, ...filters, ...ofWindow }));
}

/** Filters that the short description has only for equality: the complete list describes the others. */
export function withFewFilters(filters: Fields): Fields {
  const marked = Object.entries(filters).map(([name, schema]) => [
    name,
    /_(?:ne|in|[gl]te?)$/.test(name) ? detail(schema) : schema,
  ]);
  return Object.fromEntries(marked);
}

export function countQuery(filters: Fields) {
  return open(optional({ ...search, ...withFewFilters(filters), ...search }));
}
