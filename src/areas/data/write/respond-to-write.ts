/**
 * Does what requests ask for as they prefer it: at once or as a job, once for each key, with a long or a
 * short response.
 */

import { whenKnown } from '../../../base/when-known.js';
import { turns } from '../../../base/work-in-turns.js';
import { parseIdempotencyKey } from '../../../http/body/parse-idempotency-key.js';
import { type Preferred, parsePrefer } from '../../../http/body/parse-prefer.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Awaitable, Sandbox, Transaction } from '../../../state/state.js';
import type { Resource } from '../built-in/resource.js';
import { responsesOf } from '../formats/send-records.js';
import { sendResult } from '../formats/send-result.js';
import { acceptedAs } from '../jobs/accepted-as.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Query } from '../read/read-list-query.js';
import { lastModifiedOf } from '../source/render-record.js';
import { type Command, performCommand } from './command.js';
import {
  type Answered,
  findResponse,
  keepOutcome,
  type RepeatableRequest,
  repeatableRequest,
  replayed,
  respondOnce,
} from './keep-responses.js';
import type { WriteResult } from './write.js';
import { readWriteOptions, usualOptions, type WriteOptions } from './write-options.js';

/** Longer than that no request is held; a client that waits longer asks again. */
const maxWaitSeconds = 60;

/** Reads what a request is to do; throws what keeps that from being known. */
export type ReadCommand = (request: Request, options: WriteOptions) => Awaitable<Command>;

export interface Kind {
  /** Whether it can be repeated by a key. */
  readonly isRepeatable: boolean;
  /** The parameters that its query supports. */
  readonly takes: readonly string[];
}

export function writeResponder(resource: Resource, services: Services, jobs: Jobs) {
  const responses = responsesOf(resource, services);
  const { sandboxOf } = resource;
  const { dueWork, baseUrlOf } = services;

  return function response(
    request: Request,
    reply: Reply,
    kind: Kind,
    read: ReadCommand,
  ): Awaitable<Reply> {
    const { headers, raw } = request;
    const isPlain =
      headers.prefer === undefined &&
      headers['idempotency-key'] === undefined &&
      !(raw.url as string).includes('?');
    if (!isPlain) return respondAsAsked(request, reply, kind, read);
    return whenKnown(read(request, usualOptions), (command) =>
      whenKnown(carryOut(request, command), (result) =>
        sendResult(request, reply, result, responses, services),
      ),
    );
  };

  function carryOut(request: Request, command: Command): Awaitable<WriteResult> {
    const sandbox = sandboxOf(request);
    return whenKnown(dueWork.settle(sandbox), () =>
      sandbox.transact((view) => performCommand(view, resource, command, () => baseUrlOf(request))),
    );
  }

  async function respondAsAsked(
    request: Request,
    reply: Reply,
    { isRepeatable, takes }: Kind,
    read: ReadCommand,
  ): Promise<Reply> {
    const preferred = parsePrefer(request.headers.prefer as string | undefined);
    const query = request.query as Query;
    const options = readWriteOptions(query, takes, preferred.handling === 'strict');
    const key = isRepeatable ? keyOf(request, options) : undefined;
    const command = await readOrRefuse(request, options, read);
    const asked: Asked = {
      sandbox: sandboxOf(request),
      repeatable: key === undefined ? undefined : repeatableOf(request, key),
      preferred,
      options,
      command,
      baseUrl: baseUrlOf(request),
    };
    await dueWork.settle(asked.sandbox);
    const { result, isReplay } = preferred.respondAsync
      ? await respondLater(request, reply, asked)
      : await respondNow(asked);
    if (isReplay) reply.headers(replayed);
    return sendResult(request, reply, result, responses, services);
  }

  function respondNow({ command, preferred, ...asked }: Asked): Promise<Answered> {
    const { baseUrl } = asked;
    return doOnce(asked, (view) => {
      const result = performCommand(view, resource, wellRead(command), () => baseUrl);
      return { ...result, applied: appliedTo(result, preferred) };
    });
  }

  /** Makes a job of it, unless it cannot be done even now. */
  async function respondLater(request: Request, reply: Reply, asked: Asked): Promise<Answered> {
    const { sandbox, repeatable, command, baseUrl } = asked;
    const known = repeatable && (await findResponse(sandbox, repeatable));
    if (known !== undefined) return known;
    const rejection = await tryOut(sandbox, (view) =>
      performCommand(view, resource, wellRead(command), () => baseUrl),
    );
    if (rejection !== undefined) {
      // For a repeated request as well.
      return doOnce(asked, () => {
        throw rejection;
      });
    }
    // The job may try at once what was tried out here.
    await turns.next();
    const waitSeconds = Math.min(asked.preferred.waitSeconds ?? 0, maxWaitSeconds);
    const accepted = await accept(asked, wellRead(command), waitSeconds);
    const { jobId } = accepted.result;
    if (accepted.isReplay || jobId === undefined) return accepted;
    jobs.watch(sandbox, jobId);
    if (waitSeconds === 0) return accepted;
    const held = services.held.hold(request, reply, waitSeconds * 1000);
    await jobs.waitForEnd(sandbox, jobId, held);
    return { result: await cameTo(request, asked, accepted.result), isReplay: false };
  }

  async function accept(asked: Asked, command: Command, waitSeconds: number): Promise<Answered> {
    const { sandbox, baseUrl, options, preferred } = asked;
    const task = { collection: resource.path, command, baseUrl };
    await jobs.store.makeRoom(sandbox, task);
    const jobId = jobs.store.newId();
    const { jobSeconds: seconds, jobFails: fails } = options;
    const applied: Preferred = {
      respondAsync: true,
      ...(preferred.waitSeconds !== undefined && { waitSeconds }),
      ...(preferred.handling === 'strict' && { handling: 'strict' }),
    };
    const act = (view: Transaction): WriteResult => {
      const job = jobs.store.add(view, jobId, { seconds, fails, task });
      return { ...acceptedAs(jobId, job, view.nowMs, baseUrl), applied };
    };
    return doOnce(asked, act, waitSeconds * 1000);
  }

  /** What a job came to in time, as if it had been done at once, or else what it was accepted with. */
  async function cameTo(
    request: Request,
    { sandbox, repeatable, preferred }: Asked,
    accepted: WriteResult,
  ): Promise<WriteResult> {
    const job = await jobs.store.read(sandbox, accepted.jobId ?? '');
    const end = job?.end ?? undefined;
    const { answerStatus: responseStatus, resultPath = '', result: json, error } = end ?? {};
    if (error !== undefined) {
      const failure = new HttpError(error.status, error.message);
      if (repeatable !== undefined) await keepOutcome(sandbox, repeatable, { error: failure });
      throw failure;
    }
    let result = accepted;
    if (responseStatus !== undefined) {
      const status = responseStatus as WriteResult['status'];
      const made = { status, ...(await recordAt(request, resultPath, json)) };
      const { respondAsync: _later, ...kept } = accepted.applied ?? {};
      result = { ...made, applied: { ...kept, ...appliedTo(made, preferred) } };
    }
    if (repeatable !== undefined) await keepOutcome(sandbox, repeatable, { result });
    return result;
  }

  /** The rest of a response that leads to that path. */
  async function recordAt(
    request: Request,
    resultPath: string,
    json: unknown,
  ): Promise<Partial<WriteResult>> {
    if (json !== undefined) return { json };
    if (resultPath === '') return {};
    const id = resource.parseId(decodeURIComponent(resultPath.slice(resource.path.length + 1)));
    const record = await resource.recordsOf(request).get(id);
    if (record === undefined) return { location: resultPath };
    return { record, lastModified: lastModifiedOf(record), location: resultPath };
  }
}

interface Asked {
  readonly sandbox: Sandbox;
  readonly repeatable: RepeatableRequest | undefined;
  readonly preferred: Preferred;
  readonly options: WriteOptions;
  /** Or why there is none. */
  readonly command: Command | Error;
  readonly baseUrl: string;
}

async function readOrRefuse(
  request: Request,
  options: WriteOptions,
  read: ReadCommand,
): Promise<Command | Error> {
  try {
    return await read(request, options);
  } catch (error) {
    return error as Error;
  }
}

function wellRead(command: Command | Error): Command {
  if (command instanceof Error) throw command;
  return command;
}

async function doOnce(
  { sandbox, repeatable }: Pick<Asked, 'sandbox' | 'repeatable'>,
  act: (view: Transaction) => WriteResult,
  waitMs = 0,
): Promise<Answered> {
  if (repeatable !== undefined) return respondOnce(sandbox, repeatable, act, waitMs);
  return { result: await sandbox.transact(act), isReplay: false };
}

/** Why it could not be done now; nothing is done. */
async function tryOut(
  sandbox: Sandbox,
  act: (view: Transaction) => unknown,
): Promise<Error | undefined> {
  const wouldDo = new Error('It could be done.');
  try {
    await sandbox.transact((view) => {
      act(view);
      throw wouldDo;
    });
  } catch (error) {
    return error === wouldDo ? undefined : (error as Error);
  }
  return undefined;
}

function keyOf(request: Request, { isKeyRequired }: WriteOptions): string | undefined {
  const key = parseIdempotencyKey(headerValues(request, 'idempotency-key'));
  if (key !== undefined || !isKeyRequired) return key;
  throw new HttpError(
    400,
    'The header Idempotency-Key is missing, which ?requireIdempotency=true demands. Send one that is new for each thing to be done.',
  );
}

function repeatableOf(request: Request, key: string): RepeatableRequest {
  const [path = ''] = (request.raw.url as string).split('?', 1);
  return repeatableRequest(request.method, path, key, request.body);
}

/** The preferences that a response honours, of those that were sent. */
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
