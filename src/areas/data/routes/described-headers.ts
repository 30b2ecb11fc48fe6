/** The headers and query parameters of collections, for their description. */

import { Type } from 'typebox';
import {
  entityTag,
  ifMatch,
  ifNoneMatch,
  links,
  location,
  totalCount,
} from '../../../http/schemas/header-schemas.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { jsonPatchType } from '../patch/parse-json-patch.js';

const text = (description: string) => Type.Optional(Type.String({ description }));
const figure = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const flag = (description: string) =>
  Type.Optional(Type.Unsafe({ type: 'boolean', default: false, description }));

export const preconditions = {
  ...ifMatch,
  ...ifNoneMatch,
  'If-Unmodified-Since': text('A Last-Modified. What was modified after it is 412.'),
};

/** Of reads. */
export const readPreconditions = {
  ...preconditions,
  'If-Modified-Since': text('A Last-Modified. What was not modified after it is 304.'),
};

const lastModified = { 'Last-Modified': text('When the record was written last.') };

const applied = {
  'Preference-Applied': text('The preferences of Prefer that were honoured (RFC 7240).'),
};

const isReplayed = {
  'Idempotency-Replayed': Type.Optional(
    Type.Literal('true', {
      description: 'Present when the response is that of an earlier request.',
    }),
  ),
};

/** Of responses to requests for one record, by status. */
export const readHeaders = {
  200: { ...entityTag, ...lastModified, ...applied },
  304: { ...entityTag, ...lastModified, ...applied },
  412: entityTag,
};

/** Of responses to writes, by status. */
export const writeHeaders = {
  200: { ...readHeaders[200], ...isReplayed },
  201: { ...entityTag, ...location, ...lastModified, ...applied, ...isReplayed },
  412: entityTag,
};

/** Of the rejection of a patch. */
export const patchHeaders = {
  415: { 'Accept-Patch': text('The types that are accepted (RFC 5789 section 3.1).') },
};

/** Of lists. */
export const listHeaders = {
  ...totalCount,
  ...applied,
  Link: Type.Optional(links.Link),
  'X-Page': figure('Which page this is, when the list is cut into pages.'),
  'X-Per-Page': figure('The limit, when there is one.'),
  'X-Total-Pages': figure('How many pages of that limit there are.'),
};

const prefer = {
  Prefer: Type.Optional(
    Type.Unsafe({
      type: 'string',
      description:
        'RFC 7240. return=minimal: 204 without a body, 201 without one where something is created. respond-async: 202 and a job, with wait=n after n seconds. handling=strict: 400 for parameters and members that would be passed over. Preference-Applied says which were honoured.',
    }),
  ),
};

const idempotencyKey = {
  'Idempotency-Key': Type.Optional(
    Type.Unsafe({
      type: 'string',
      maxLength: 514,
      description:
        'A request that is repeated with the same key and body within a day gets the first response again, with Idempotency-Replayed: true, and is done once. Another body is 422, a first request that is still waiting 409.',
    }),
  ),
};

const ofJobs = {
  jobSeconds: Type.Optional(
    Type.Unsafe({
      type: 'number',
      minimum: 0,
      maximum: maxJobSeconds,
      default: usualJobSeconds,
      description: 'How long the job takes that respond-async creates.',
    }),
  ),
  jobFails: flag('Whether that job fails.'),
};

const upsert = { upsert: flag('Creates the record with this id where there is none: 201.') };
const purge = { purge: flag('Deletes for good, where a trash would keep the record.') };

/** Of writes that can be repeated with a key. */
const once = {
  headers: { ...prefer, ...idempotencyKey },
  querystring: { ...ofJobs, requireIdempotency: flag('Makes a missing Idempotency-Key 400.') },
};
const conditional = { ...preconditions, ...prefer };

/** What writes accept beside their bodies. */
export const writeParameters = {
  create: once,
  replace: { headers: conditional, querystring: { ...ofJobs, ...upsert } },
  replaceSingle: { headers: conditional, querystring: ofJobs },
  change: { headers: { ...preconditions, ...once.headers }, querystring: once.querystring },
  remove: { headers: conditional, querystring: { ...ofJobs, ...purge } },
};

/** What a PATCH accepts beside a merge patch. */
export const jsonPatchBody = {
  [jsonPatchType]: Type.Array(
    Type.Object({
      op: Type.String({ enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] }),
      path: Type.String({ description: 'A JSON Pointer (RFC 6901).' }),
      from: Type.Optional(Type.String({ description: 'Of move and copy.' })),
      value: Type.Optional(Type.Unknown({ description: 'Of add, replace and test.' })),
    }),
    { title: 'JsonPatch' },
  ),
};
