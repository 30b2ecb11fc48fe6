/** The headers, query parameters and bodies of requests to collections, for their description. */

import { Type } from 'typebox';
import type { Fields } from '../../../http/exchange.js';
import { ifMatch, ifNoneMatch, optional } from '../../../http/schemas/header-schemas.js';
import { detail, open, unvalidated } from '../../../kit/endpoint.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { jsonPatchType } from '../patch/parse-json-patch.js';
import { maxLimit, maxSearchLength } from '../read/list-query.js';

const text = (description: string) => Type.String({ description });
const integer = (minimum: number, maximum: number | undefined, description: string) =>
  Type.Integer({ minimum, ...(maximum && { maximum }), description });

const flag = (description: string) => Type.Boolean({ default: false, description });

/** Fields that may be left out, and that handlers read by themselves. */
const accepted = (fields: Fields) => unvalidated(optional(fields));

const conditions = {
  ...ifMatch,
  ...ifNoneMatch,
  'If-Unmodified-Since': text('A Last-Modified. What was modified after it is 412.'),
};

export const preconditions = accepted(conditions);

export const readPreconditions = accepted({
  ...conditions,
  'If-Modified-Since': text('A Last-Modified. What was not modified after it is 304.'),
});

const prefer = {
  Prefer: text(
    'RFC 7240. return=minimal: 204 without a body, 201 without one where something is created. respond-async: 202 and a job, with wait=n after n seconds. handling=strict: 400 for parameters and members that would be passed over. Preference-Applied says which were honoured.',
  ),
};

const idempotencyKey = {
  'Idempotency-Key': Type.String({
    maxLength: 514,
    description:
      'A request that is repeated with the same key and body within a day gets the first response again, with Idempotency-Replayed: true, and is done once. Another body is 422, a first request that is still waiting 409.',
  }),
};

const ofJobs = {
  jobSeconds: detail(
    Type.Number({
      minimum: 0,
      maximum: maxJobSeconds,
      default: usualJobSeconds,
      description: 'How long the job takes that respond-async creates.',
    }),
  ),
  jobFails: detail(flag('Whether that job fails.')),
};

const requireIdempotency = flag('Makes a missing Idempotency-Key 400.');
const upsert = flag('Creates the record with this id where there is none: 201.');
const purge = flag('Deletes for good, where a trash would keep the record.');

const headers = accepted({ ...conditions, ...prefer });
const once = accepted({ ...ofJobs, requireIdempotency });

export const writeParameters = {
  create: { headers: accepted({ ...prefer, ...idempotencyKey }), query: once },
  replace: { headers, query: accepted({ ...ofJobs, upsert }) },
  replaceSingle: { headers, query: accepted(ofJobs) },
  change: { headers: accepted({ ...conditions, ...prefer, ...idempotencyKey }), query: once },
  remove: { headers, query: accepted({ ...ofJobs, purge }) },
};

/** Alternatives to JSON: fields inside others are named as `address.city`, several texts repeated or separated by `;`. */
export const otherBodies = {
  'application/x-www-form-urlencoded': Type.Unsafe<object>({ type: 'object' }),
  'text/csv': Type.String(),
  'application/yaml': Type.Unknown(),
};

export const jsonPatchBody = {
  [jsonPatchType]: Type.Array(
    Type.Object({
      op: Type.String({ enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] }),
      path: Type.String({ description: 'A JSON Pointer (RFC 6901).' }),
      from: Type.Optional(text('Of move and copy.')),
      value: Type.Optional(Type.Unknown({ description: 'Of add, replace and test.' })),
    }),
    { title: 'JsonPatch' },
  ),
};

const ofWindow = {
  limit: integer(1, maxLimit, 'How many records at most; all when it is left out.'),
  page: integer(1, undefined, 'From 1; needs limit.'),
  offset: integer(0, undefined, 'How many records to pass over; page beats it.'),
  sort: text('Fields by comma, 10 at most, each with a - before it for descending order.'),
  order: Type.String({
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'Of sort, or of the ids without one.',
  }),
};

const searched = { type: 'string', maxLength: maxSearchLength };

const search = {
  // Without a type of its own: some clients parse a text for a list.
  q: Type.Unsafe<unknown>({
    anyOf: [searched, { type: 'array', items: searched }],
    description:
      'Searches all texts of a record, whatever the case. If it is repeated, a record must contain each.',
  }),
};

const fields = {
  fields: text('The fields to return, separated by commas; all by default.'),
  formulas: detail(
    Type.String({
      enum: ['escape'],
      description:
        "In CSV, puts ' before texts that begin with =, +, -, @, a tab or CR. Spreadsheets would run them as formulas.",
    }),
  ),
};

/** The names of what can be put into records; they are not known of every source. */
export type Embeds = readonly string[] | 'any';

function ofRecord(embeds: Embeds) {
  if (embeds.length === 0) return fields;
  const names = embeds === 'any' ? '' : `: ${embeds.join(', ')}`;
  return { ...fields, embed: text(`Other records to put into each, by comma${names}.`) };
}

export function recordQuery(embeds: Embeds) {
  return accepted(ofRecord(embeds));
}

/** What the names of filters mean, for the descriptions of lists. */
export const aboutFilters =
  'A field selects records by its value; repeat it for one of several. field_ne excludes, field_in lists by comma; field_gt, _gte, _lt and _lte compare, texts too. A date is all of its day.';

/** A parameter of lists goes before a field of its name. */
export function listQuery(filters: Fields, embeds: Embeds) {
  return open(optional({ ...ofWindow, ...ofRecord(embeds), ...search, ...filters, ...ofWindow }));
}

/** Filters of which the short description has equality only: the list of the same records describes the others. */
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
