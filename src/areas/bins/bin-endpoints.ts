import { Type } from 'typebox';
import { base64Pattern, plainTextPattern } from '#base/text/text-patterns.js';
import type { Request } from '#http/exchange.js';
import { givenHeadersSchema, headerEncodingSchema } from '#http/headers/settable-headers.js';
import { HttpError, rejectFaults } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { location } from '#http/schemas/header-schemas.js';
import { nullableText } from '#kit/describe/nullable.js';
import { endpoint, secret } from '#kit/endpoint.js';
import type { BinSteering } from '#kit/offers/steering.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import { checkBinResponse } from './bin-response.js';
import {
  type Bin,
  type BinResponse,
  binBytes,
  binsSpace,
  type FindBin,
  isBinId,
  maxRequestsPerBin,
  newBinId,
  unknownBin,
} from './bins.js';
import { captureListSchema, describeCapture, sendJson, writeBin } from './captures.js';

export const path = '/api/webhooks/bins';
export const binPath = `${path}/:id`;

/** Everyone who knows the id can use the bin. */
export const binParams = { id: secret(Type.String({ description: 'The id of the bin.' })) };

const nameSchema = nullableText({
  maxLength: 100,
  pattern: plainTextPattern,
  description: 'A label for people, such as what the bin is for.',
});

/** One type instead of a union, so that an error inside names its exact place. */
const responseSchema = Type.Unsafe<BinResponse | null>({
  type: ['object', 'null'],
  description: 'The response to captured requests; null for a short confirmation.',
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
    headers: { ...givenHeadersSchema, default: {} },
    headerEncoding: { ...headerEncodingSchema, default: undefined },
    body: { type: 'string', default: '', description: 'At most 64 KiB of UTF-8.' },
    bodyBase64: {
      type: 'string',
      pattern: base64Pattern,
      description:
        'Any bytes in base64, instead of body; sent unchanged, also with Content-Encoding.',
    },
  },
  additionalProperties: false,
});

const settings = { name: Type.Optional(nameSchema), response: Type.Optional(responseSchema) };

const binFields = {
  id: Type.String({
    description: '22 random characters. Everyone who knows them can use the bin.',
  }),
  name: nullableText(),
  createdAt: Type.String({ description: 'ISO 8601 in UTC.' }),
  url: Type.String({ description: 'Captures every request to this URL or a path below it.' }),
  inspectUrl: Type.String({ description: 'A page that shows captures as they arrive.' }),
  requestCount: Type.Integer({
    description: `Number of captures, at most ${maxRequestsPerBin}.`,
  }),
  response: responseSchema,
};

const binSchema = Type.Object(binFields, { title: 'Bin' });

export const createBin = endpoint('POST', path, {
  summary: 'Create a bin',
  description: 'The body may be omitted. Beyond 100 bins, the oldest is deleted with its captures.',
  body: Type.Object(settings, { additionalProperties: false, default: {} }),
  responses: { 201: binSchema },
  responseHeaders: { 201: location },
  async handle(request, reply) {
    const { name = null, response = null } = request.body;
    if (response) rejectFaults(checkBinResponse(response, request.exchanges.deniedHeaders));
    const bin = await addBin(request.sandbox, name, response);
    reply.code(201).header('location', `${request.baseUrl}${path}/${bin.id}`);
    return describeBin(bin, 0, request.baseUrl);
  },
});

async function addBin(sandbox: Sandbox, name: string | null, response: BinResponse | null) {
  const id = newBinId();
  return sandbox.update(binsSpace, id, (_absent, nowMs) => {
    const created: Bin = { id, name, createdAtMs: nowMs, response };
    return { value: created, bytes: binBytes(created), result: created };
  });
}

/** Captures, and characters of their bodies. */
const maxShown = 10;
const maxShownLength = 2000;

export const binSteering: BinSteering = {
  createBin: async (sandbox, baseUrl, name) =>
    describeBin(await addBin(sandbox, name, null), 0, baseUrl),
  async readBin(sandbox, id) {
    const bin = isBinId(id) ? await sandbox.read(binsSpace, id) : undefined;
    if (bin === undefined) throw unknownBin();
    const entries = await sandbox.log(binsSpace, id).newest(maxShown);
    return entries.map((entry) => {
      const bytes = entry.bytes.subarray(0, maxShownLength);
      const { receivedAt, method, subPath, queryString, headers, body, bodyEncoding, bodySize } =
        describeCapture({ ...entry, bytes });
      return { receivedAt, method, subPath, queryString, headers, body, bodyEncoding, bodySize };
    });
  },
};

export const listBins = endpoint('GET', path, {
  summary: 'List bins, newest first',
  description:
    'Lists the bins of the sandbox in X-Sandbox, or of the account, without captures. Requests without X-Sandbox share one sandbox, whose bins are not listed.',
  responses: { 200: Type.Array(binSchema), ...failures(403) },
  async handle(request) {
    const { sandbox } = request;
    // In the shared sandbox, strangers could use listed ids to read and delete bins.
    if (sandbox.name === sharedSandboxName) {
      throw new HttpError(
        403,
        'Requests without X-Sandbox share one sandbox, whose bins are not listed. Send a header such as X-Sandbox: any-name to create and list bins in a private sandbox.',
      );
    }
    const entries = await sandbox.entries(binsSpace);
    const views = entries.map(([, bin]) => viewBin(request, sandbox, bin));
    return (await Promise.all(views)).reverse();
  },
});

export const readBin = (findBin: FindBin) =>
  endpoint('GET', binPath, {
    summary: 'Describe a bin, with its captures',
    description: 'Everyone who knows the id can read it, from any sandbox.',
    params: binParams,
    responses: {
      200: Type.Object({ ...binFields, requests: captureListSchema }),
      ...failures(404),
    },
    async handle(request, reply) {
      const { bin, log } = await findBin(request, request.params.id);
      return sendJson(reply, writeBin(describeBin(bin, 0, request.baseUrl), log));
    },
  });

export const changeBin = (findBin: FindBin) =>
  endpoint('PATCH', binPath, {
    summary: "Change a bin's name or its response",
    description: 'Omitted members do not change; null deletes the value.',
    params: binParams,
    body: Type.Object(settings, { additionalProperties: false }),
    responses: { 200: binSchema, ...failures(404) },
    async handle(request) {
      const { id } = request.params;
      const { name, response } = request.body;
      if (response) rejectFaults(checkBinResponse(response, request.exchanges.deniedHeaders));
      const { sandbox } = await findBin(request, id);
      const bin = await sandbox.update(binsSpace, id, (current) => {
        const value = current && {
          ...current,
          ...(name !== undefined && { name }),
          ...(response !== undefined && { response }),
        };
        return { value, ...(value && { bytes: binBytes(value) }), result: value };
      });
      if (bin === undefined) throw unknownBin();
      return viewBin(request, sandbox, bin);
    },
  });

export const deleteBin = (findBin: FindBin) =>
  endpoint('DELETE', binPath, {
    summary: 'Delete a bin and its captures',
    description: 'Afterwards, its URL responds with 404.',
    params: binParams,
    responses: { 204: Type.Null(), ...failures(404) },
    async handle(request, reply) {
      const { id } = request.params;
      const { sandbox } = await findBin(request, id);
      await sandbox.update(binsSpace, id, () => ({ value: undefined, result: undefined }));
      return reply.code(204).send(null);
    },
  });

async function viewBin({ baseUrl }: Request, sandbox: Sandbox, bin: Bin) {
  const status = await sandbox.log(binsSpace, bin.id).status();
  return describeBin(bin, status?.size ?? 0, baseUrl);
}

function describeBin(bin: Bin, requestCount: number, baseUrl: string) {
  const { id, name, createdAtMs, response } = bin;
  return {
    id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    url: `${baseUrl}/api/webhooks/${id}`,
    inspectUrl: `${baseUrl}/bins#${id}`,
    requestCount,
    response,
  };
}
