/** The endpoints of a collection. Collections of this service and of callers share them. */

import { type TSchema, Type } from 'typebox';
import { hasBody, mediaType, originOfType } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { entityTag } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { acceptPatch, patchBodies, patchTypes } from '../patch/patch-bodies.js';
import { changes, maxChangesWaitSeconds } from '../read/changes.js';
import { count, read } from '../read/read-records.js';
import { fillParent } from '../source/relations.js';
import type { Call, Handle, Relation } from '../source/source.js';
import { anyId, batchSchema } from '../write/batch.js';
import { parseDeferred } from '../write/parse-bodies.js';
import { checkNew, checkReplaced, patchChecks } from './check-before-body.js';
import { type Collection, serve } from './collection.js';
import { countQuery, otherBodies, writeParameters } from './parameters.js';
import { write } from './respond-to-write.js';
import { errors, headers } from './responses.js';

export function acceptsBody({ bodyParsers }: Collection) {
  return {
    bodies: otherBodies,
    otherBodies: bodyParsers,
    validation: 'own' as const,
  };
}

export const acceptsPatch = <Schema extends TSchema>(
  mergePatch: Schema,
  { before, beforeBodyFault }: ReturnType<typeof patchChecks>,
) => ({
  body: mergePatch,
  bodies: patchBodies(mergePatch),
  validation: 'own' as const,
  before(request: Request, reply: Reply) {
    rejectOtherPatches(request);
    return before(request, reply);
  },
  beforeBodyFault,
});

export const createRecord = (of: Collection, ofSingle?: Handle) =>
  endpoint('POST', of.path, () => ({
    summary: `Create ${of.one}`,
    description: of.says.create,
    params: of.params,
    ...writeParameters.create,
    ...acceptsBody(of),
    before: checkNew(of, 'create', ofSingle),
    body: of.schemas.create(),
    responses: {
      201: of.schemas.written(),
      ...errors.body,
      ...failures(409, ...of.failures.collection),
      ...of.ofCreate?.responses,
    },
    responseHeaders: { 201: headers.write[201], ...of.ofCreate?.responseHeaders },
    handle: serve(of, write('create'), ofSingle),
  }));

export function endpointsBelow(of: Collection): Endpoint[] {
  return [
    optionsOf(of.path, serve(of, options(ofCollection), options(ofSingle))),
    countRecords(of),
    listChanges(of),
    performBatch(of),
    readRecord(of),
    replaceRecord(of),
    changeRecord(of),
    removeRecord(of),
    optionsOf(`${of.path}/:id`, (_request, reply) => options(ofRecord)({ reply })),
  ];
}

const optionsOf = (path: string, handle: (request: Request, reply: Reply) => unknown) =>
  // The OPTIONS endpoint is not in the description, which lists the methods itself.
  endpoint('OPTIONS', path, { hide: true, handle });

const acceptPost = ['application/json', ...Object.keys(otherBodies)].join(', ');

const ofCollection = { allow: 'GET, HEAD, OPTIONS, POST', 'accept-post': acceptPost };
const ofSingle = { allow: 'GET, HEAD, OPTIONS, PATCH, PUT', 'accept-patch': acceptPatch };
const ofRecord = { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT', 'accept-patch': acceptPatch };

/** Responds to OPTIONS: RFC 9110 section 9.3.7. */
const options =
  (headers: Readonly<Record<string, string>>) =>
  ({ reply }: Pick<Call, 'reply'>) =>
    reply.code(204).headers(headers).send();

/** Throws 415 for other types of a patch (RFC 5789 section 2.2), before its body is read. */
function rejectOtherPatches({ raw, headers }: Request): void {
  const type = mediaType(headers['content-type']);
  if (!hasBody(raw) || patchTypes.includes(type)) return;
  const sent = type === '' ? 'A patch without a Content-Type' : `A patch of the type ${type}`;
  const origin = originOfType(type, '; it is ');
  throw new HttpError(415, `${sent} is not supported${origin}. Send one of ${acceptPatch}.`, {
    headers: { 'accept-patch': acceptPatch },
  });
}

const countRecords = (of: Collection) =>
  endpoint('GET', `${of.path}/count`, () => ({
    summary: `Count ${of.many}`,
    description: 'Counts the records that q and the filters match.',
    params: of.params,
    query: countQuery(of.schemas.filters()),
    responses: {
      200: Type.Object({ count: Type.Integer() }),
      ...failures(400, ...of.failures.collection),
    },
    validation: 'own' as const,
    handle: serve(of, count),
  }));

const changeSchema = Type.Object(
  {
    id: anyId,
    kind: Type.String({ enum: ['created', 'updated', 'deleted'] }),
    at: Type.String({ format: 'date-time' }),
    record: Type.Unknown({ description: 'The record now, or its last version if it was deleted.' }),
  },
  { title: 'RecordChange' },
);

/** Described once for all collections. */
const listChanges = (of: Collection) =>
  endpoint('GET', `${of.path}/changes`, () => ({
    summary: 'List changes since a token',
    description:
      'Works the same for every collection. One entry per record, latest change last. Without `since`, only the current token. Records in the trash count as deleted.',
    describedAs: '/api/Books/changes',
    params: of.params,
    query: {
      since: Type.Optional(Type.String({ description: 'The token from an earlier response.' })),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxChangesWaitSeconds,
          description: 'Seconds to wait for a change if there is none.',
        }),
      ),
    },
    responses: {
      200: Type.Object(
        { changes: Type.Array(changeSchema), token: Type.String() },
        { title: 'RecordChanges' },
      ),
      ...failures(410),
    },
    validation: 'own' as const,
    handle: serve(of, changes),
  }));

const results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        status: Type.Integer({ description: 'The response to this operation.' }),
        body: Type.Unknown({ description: 'The record or the error; null if there is none.' }),
      }),
    ),
  },
  { title: 'BatchResults' },
);

/** The number of values in a hundred records of the largest kind. */
const maxBatchValues = 10_000;

/** Described once for all collections. */
const performBatch = (of: Collection) =>
  endpoint('POST', `${of.path}/batch`, () => ({
    summary: 'Write several records in one request',
    description:
      "Works the same for every collection. Operations are independent, or with atomic all or nothing: then the first error is the response, with the operation's index.",
    describedAs: '/api/Books/batch',
    params: of.params,
    ...writeParameters.create,
    before: checkNew(of, 'batch'),
    body: batchSchema,
    responses: { 200: results, 207: results, ...failures(404) },
    maxJsonValues: maxBatchValues,
    handle: serve(of, write('batch')),
  }));

const readRecord = (of: Collection) =>
  endpoint('GET', `${of.path}/:id`, () => ({
    summary: `Get ${of.one}`,
    description: 'Its entity tag allows conditional requests.',
    params: of.recordParams,
    ...of.readParameters,
    responses: {
      200: of.schemas.read(),
      304: Type.Null({ description: 'The record matches If-None-Match.' }),
      ...errors.read,
      ...failures(412, ...of.failures.record),
    },
    responseHeaders: headers.read,
    handle: serve(of, read),
  }));

function rejections({ failures: { record, condition } }: Collection) {
  return failures(412, ...record, ...condition);
}

const replaceRecord = (of: Collection) =>
  endpoint('PUT', `${of.path}/:id`, () => ({
    summary: `Replace ${of.one}`,
    description: of.says.replace,
    params: of.recordParams,
    ...writeParameters.replace,
    ...acceptsBody(of),
    before: checkReplaced(of),
    body: of.schemas.replace(),
    responses: {
      200: of.schemas.written(),
      ...errors.body,
      ...rejections(of),
      ...of.ofReplace?.responses,
    },
    responseHeaders: headers.write,
    handle: serve(of, write('replace')),
  }));

const changeRecord = (of: Collection) =>
  endpoint('PATCH', `${of.path}/:id`, () => ({
    summary: `Change ${of.one}`,
    description: of.says.change,
    params: of.recordParams,
    ...writeParameters.change,
    ...acceptsPatch(of.schemas.change(), patchChecks(of)),
    responses: { 200: of.schemas.written(), ...errors.body, ...rejections(of), ...failures(409) },
    responseHeaders: headers.patch,
    handle: serve(of, write('merge')),
  }));

const removeRecord = (of: Collection) =>
  endpoint('DELETE', `${of.path}/:id`, () => ({
    summary: `Delete ${of.one}`,
    description: of.says.remove,
    params: of.recordParams,
    ...writeParameters.remove,
    responses: { 204: Type.Null(), ...rejections(of) },
    responseHeaders: { 412: entityTag },
    handle: serve(of, write('remove')),
  }));

export async function createBelow(call: Call, relation: Relation) {
  const child = call.to(relation.other);
  parseDeferred(child);
  await fillParent(call, relation);
  return write('create')(child);
}
