/**
 * Performs writes as the request prefers: immediately or as a job, once for each key, with a long or a short response.
 */

import { turns } from '#base/work-in-turns.js';
import type { Reply } from '#http/exchange.js';
import { type Preferred, parsePrefer, writeApplied } from '#http/headers/parse-prefer.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import type { Sandbox, Transaction } from '#state/state.js';
import { jsonFormat, plainShape } from '../formats/format.js';
import { chooseFormat, represent } from '../formats/represent.js';
import type { JobEnd } from '../jobs/job.js';
import { jobsOf } from '../jobs/jobs.js';
import type { DataRecord } from '../source/fields.js';
import { lastModifiedOf, Rendering } from '../source/rendering.js';
import type { Call, Handle } from '../source/source.js';
import { checkFound, writeConditionsOf } from '../write/check-preconditions.js';
import {
  findKept,
  keepOutcome,
  type RepeatableRequest,
  type Responded,
  repeatableRequest,
  replayed,
  respondOnce,
} from '../write/idempotency.js';
import { parseDeferred } from '../write/parse-bodies.js';
import { performCommand } from '../write/perform-write.js';
import { type CommandKind, readCommand } from '../write/read-command.js';
import type { Command, WriteResult } from '../write/write.js';
import { isRepeatable, keyOf, readWriteOptions, type WriteOptions } from './write-options.js';

/** Limit of the time that a request is held. A client that waits longer must ask again. */
const maxWaitSeconds = 60;

interface Asked {
  readonly call: Call;
  readonly kind: CommandKind;
  readonly sandbox: Sandbox;
  readonly preferred: Preferred;
  readonly options: WriteOptions;
  /** Or the error that explains why there is none. */
  readonly command: Command | Error;
  readonly repeatable: RepeatableRequest | undefined;
}

export function write(kind: CommandKind): Handle {
  return async (call) => {
    parseDeferred(call);
    const { request } = call;
    const { sandbox } = request;
    const preferred = parsePrefer(request.headers.prefer as string | undefined);
    const options = readWriteOptions(call.query, kind);
    const key = isRepeatable(kind) ? keyOf(request, options) : undefined;
    const command = await readCommand(kind, call, options).catch((error: Error) => error);
    const repeatable = key === undefined ? undefined : repeatableRequest(request, key);
    const asked: Asked = { call, kind, sandbox, preferred, options, command, repeatable };
    await call.services.dueWork.settle(sandbox);
    const respond = preferred.respondAsync ? respondLater : respondNow;
    const { result, isReplay } = await respond(asked);
    if (isReplay) call.reply.headers(replayed);
    return sendResult(call, result);
  };
}

function perform({ call, command, kind }: Asked, view: Transaction): WriteResult {
  const { source, request, pathId } = call;
  if (command instanceof Error) {
    // Conditions come before content: RFC 9110 section 13.2.1.
    const found = kind === 'merge' && source.rowsIn(view).get(source.idInPath(pathId));
    if (found) checkFound(writeConditionsOf(request.headers), found);
    throw command;
  }
  return performCommand(view, source, command, () => request.baseUrl);
}

function respondNow(asked: Asked): Promise<Responded> {
  return respondOnce(asked.sandbox, asked.repeatable, (view) => {
    const result = perform(asked, view);
    if (asked.call.request.headers.prefer === undefined) return result;
    return { ...result, applied: appliedTo(result, asked.preferred) };
  });
}

/** Creates a job for the command, unless the command would fail immediately. */
async function respondLater(asked: Asked): Promise<Responded> {
  const { call, sandbox, options, preferred, repeatable } = asked;
  const known = repeatable && (await sandbox.transact((view) => findKept(view, repeatable)));
  if (known !== undefined) return { result: known, isReplay: true };
  const rejection = await tryOut(asked);
  if (rejection !== undefined) {
    return respondOnce(sandbox, repeatable, () => {
      throw rejection;
    });
  }
  // The job may be due already, and repeat the work of the trial.
  await turns.next();
  const { source, request, reply, services } = call;
  const { baseUrl } = request;
  const jobs = jobsOf(services);
  const waitSeconds = Math.min(preferred.waitSeconds ?? 0, maxWaitSeconds);
  const task = { collection: source.path, command: asked.command as Command, baseUrl };
  const jobId = await jobs.makeRoom(sandbox, task);
  const { jobSeconds: seconds, jobFails: fails } = options;
  const applied: Preferred = {
    respondAsync: true,
    ...(preferred.waitSeconds !== undefined && { waitSeconds }),
    ...(preferred.handling === 'strict' && { handling: 'strict' }),
  };
  const job = { seconds, fails, task, baseUrl };
  const accept = (view: Transaction) => ({ ...jobs.add(view, jobId, job), applied });
  const accepted = await respondOnce(sandbox, repeatable, accept, waitSeconds * 1000);
  if (accepted.isReplay) return accepted;
  jobs.watch(sandbox);
  if (waitSeconds === 0) return accepted;
  const held = services.held.hold(request, reply, waitSeconds * 1000);
  const end = await jobs.waitForEnd(sandbox, jobId, held);
  return { result: await resultOf(asked, accepted.result, end), isReplay: false };
}

class Undo extends Error {}

/** Returns the error of a command without performing it. */
async function tryOut(asked: Asked): Promise<Error | undefined> {
  try {
    await asked.sandbox.transact((view) => {
      perform(asked, view);
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) return error as Error;
  }
  return undefined;
}

/** Returns the result of a job as if it had been performed immediately, or the 202 response if it takes longer. */
async function resultOf(
  { call, sandbox, repeatable, preferred }: Asked,
  accepted: WriteResult,
  { responseStatus, resultPath, result: json, error }: Partial<JobEnd> = {},
): Promise<WriteResult> {
  if (error !== undefined) {
    const failure = new HttpError(error.status, error.message);
    await keepOutcome(sandbox, repeatable, { error: failure });
    throw failure;
  }
  let result = accepted;
  if (responseStatus !== undefined) {
    const { source } = call;
    const location = json === undefined ? resultPath : undefined;
    const id = location?.slice(source.path.length + 1);
    const record =
      id === undefined
        ? undefined
        : await call.read((records) => records.get(source.parseId(decodeURIComponent(id))));
    const made: WriteResult = {
      status: responseStatus as WriteResult['status'],
      ...(record && { record, lastModified: lastModifiedOf(record) }),
      ...(json === undefined ? location && { location } : { json }),
    };
    const { respondAsync: _later, ...kept } = accepted.applied ?? {};
    result = { ...made, applied: { ...kept, ...appliedTo(made, preferred) } };
  }
  await keepOutcome(sandbox, repeatable, { result });
  return result;
}

function appliedTo({ status, record }: WriteResult, preferred: Preferred): Preferred {
  const { return: returned, waitSeconds, handling } = preferred;
  const isShort = returned === 'minimal' && (record !== undefined || status === 204);
  const isLong = returned === 'representation' && record !== undefined;
  return {
    ...(waitSeconds !== undefined && { waitSeconds: Math.min(waitSeconds, maxWaitSeconds) }),
    ...((isShort || isLong) && { return: returned }),
    ...(handling === 'strict' && { handling }),
  };
}

async function sendResult(call: Call, result: WriteResult): Promise<Reply> {
  const { request, reply } = call;
  const { status, record, json, lastModified, location, retryAfterSeconds, applied } = result;
  const honoured = applied && writeApplied(applied);
  if (honoured !== undefined) reply.header('preference-applied', honoured);
  if (location !== undefined) reply.header('location', `${request.baseUrl}${location}`);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (lastModified !== undefined) reply.header('last-modified', lastModified);
  reply.code(status);
  if (json !== undefined) {
    return reply.header('content-type', jsonContentType).send(JSON.stringify(json));
  }
  if (record === undefined) return reply.send();
  // Most written records are sent only in this response, so their rendering is not cached.
  const rendering = new Rendering(record);
  reply.header('etag', rendering.entityTag);
  if (applied?.return === 'minimal') return reply.code(status === 201 ? 201 : 204).send();
  const format = chooseFormat(request);
  const isJson = format.offer === jsonFormat;
  const escapesFormulas = call.query.formulas === 'escape' && !isJson;
  const view = { format, shape: { ...plainShape, escapesFormulas } };
  reply.header('content-type', format.offer.contentTypeOf(format.mediaType));
  // Other formats would show numbers that JSON stores differently, such as -0.
  const stored = isJson ? record : (JSON.parse(rendering.json) as DataRecord);
  const { etag, body } = await represent(call, stored, view, rendering);
  return reply.header('etag', etag).send(body);
}
