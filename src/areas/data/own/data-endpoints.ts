/** Endpoints that load, return and delete all data of a caller. */

import { Type } from 'typebox';
import { runInTurns } from '#base/run-steps.js';
import { FairQueue } from '#base/shares/fair-queue.js';
import { ownerOf } from '#http/address/owner.js';
import {
  bodyText,
  checkHead,
  isJsonType,
  readBody,
  rejectContentEncoding,
  typeNotAccepted,
} from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { noRoomForBodies, reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import { dataRejected, OwnDataError, wordsOf } from './load/own-data-error.js';
import { loadInSteps, type OwnModel } from './load/own-model.js';
import { maxCollections, maxDataBytes, maxDataDepth, maxRecords } from './load/read-own-data.js';
import { relationsAmong } from './own-related.js';
import type { OwnStore } from './own-store.js';

const path = '/api/sandbox/data';

const dataSchema = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  title: 'OwnData',
  description:
    'Arrays are collections, objects are single resources; `$schemas` has JSON Schemas by name.',
});

const summarySchema = Type.Object(
  {
    collections: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Number of records in each collection.',
    }),
    singles: Type.Array(Type.String(), { description: 'The single resources.' }),
    relations: Type.Array(
      Type.Object({ children: Type.String(), field: Type.String(), parents: Type.String() }),
      { description: 'The fields that refer to records of other collections.' },
    ),
    warnings: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Parts of the data that are served in an unexpected way.',
      }),
    ),
  },
  { title: 'OwnDataSummary' },
);

const namedOnly = 'Requires a named sandbox or an account; the shared sandbox gets 403.';

export function dataEndpoints(store: OwnStore): Endpoint[] {
  return [
    endpoint('GET', path, {
      summary: 'Get all your own data',
      description: 'A snapshot as JSON, which can be loaded again.',
      responses: { 200: dataSchema },
      async handle({ sandbox }, reply) {
        return reply.header('content-type', jsonContentType).send(await store.snapshot(sandbox));
      },
    }),
    endpoint('PUT', path, {
      summary: 'Load your own data',
      description: `Send JSON in the structure of json-server's db.json. It replaces all data, or nothing after an error. At most 5 MiB, ${maxCollections} collections, ${maxRecords} records and ${maxDataDepth} levels. ${namedOnly}`,
      bodies: { 'application/json': dataSchema },
      responses: { 200: summarySchema, ...failures(413, 415, 403) },
      handle: put(store),
    }),
    endpoint('DELETE', path, {
      summary: 'Delete all your own data',
      description: `Deletes all collections. ${namedOnly}`,
      responses: { 204: Type.Null(), ...failures(403) },
      async handle(request, reply) {
        await store.put(ownSandboxOf(request), await load('{}', store));
        return reply.code(204).send(null);
      },
    }),
  ];
}

/** Parsing smaller data takes little memory. */
const largeText = 64 * 1024;

/**
 * Parses large data one request at a time, for each owner in turn, with pauses for other requests: each takes many times
 * its text in memory.
 */
function put(store: OwnStore) {
  // Waiting bodies count towards the bytes of all bodies.
  const queue = new FairQueue(Number.POSITIVE_INFINITY, noRoomForBodies);
  return async (request: Request, reply: Reply) => {
    const sandbox = ownSandboxOf(request);
    const text = await readText(request, reply);
    const work = async () => {
      const model = await load(text, store);
      await store.put(sandbox, model);
      return summaryOf(model);
    };
    return text.length < largeText ? work() : queue.run(ownerOf(request), work);
  };
}

function ownSandboxOf({ sandbox }: Request): Sandbox {
  if (sandbox.name !== sharedSandboxName) return sandbox;
  const message =
    'Your own data needs a private sandbox. Name one with X-Sandbox, or send the request below /s/{sandbox}.';
  throw new HttpError(403, message);
}

const workFactor = 4;

async function readText(request: Request, reply: Reply): Promise<string> {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const checkType = () => {
    if (!isJsonType(contentType)) {
      throw typeNotAccepted(contentType, 'Content-Type: application/json');
    }
    rejectContentEncoding(contentEncoding);
  };
  checkHead(request, maxDataBytes, checkType);
  const { bytes } = await readBody(request, maxDataBytes, maxDataBytes);
  if (bytes.length === 0) {
    throw new HttpError(400, 'The request has no body. Send a JSON object of collections.');
  }
  checkType();
  reserveUntilResponse(request, reply, workFactor * bytes.length);
  return bodyText(bytes);
}

async function load(text: string, { options }: OwnStore): Promise<OwnModel> {
  try {
    return await runInTurns(loadInSteps(text, options));
  } catch (error) {
    throw error instanceof OwnDataError ? dataRejected(error) : error;
  }
}

function summaryOf(model: OwnModel) {
  const { data } = model;
  const members = [...data.members];
  const warnings = data.warnings.map((warning) => ({
    field: warning.field,
    message: `${wordsOf(warning, 'The data')}.`,
  }));
  const collections = members.filter(([, { isSingle }]) => !isSingle);
  return {
    collections: Object.fromEntries(
      collections.map(([name, { records }]) => [name, records.length]),
    ),
    singles: members.filter(([, { isSingle }]) => isSingle).map(([name]) => name),
    relations: relationsAmong(model),
    ...(warnings.length > 0 && { warnings }),
  };
}
