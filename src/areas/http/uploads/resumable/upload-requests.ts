/** The requests of resumable uploads in the state, for the verdicts on their client. */

import type { Clock } from '#base/awaitable.js';
import { redact, type Shown } from '#base/text/redact.js';
import { mediaType } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { type Arrival, arrivalBefore } from '#kit/verdict/exchange.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { type LogSpace, sharedSandboxName } from '#state/state.js';
import { readDraftHeaders, UploadProblem } from './draft-headers.js';

export interface UploadRequest {
  readonly requestId: string;
  readonly atMs: number;
  readonly arrival: Arrival;
  /** By the real clock, as the arrival. */
  readonly respondedAtMs: number;
  readonly method: string;
  /** Null for a creation that was rejected. */
  readonly upload: string | null;
  readonly status: number;
  readonly type: Shown;
  /** Null if it is malformed; absent without the header. */
  readonly version?: number | null;
  readonly offset?: number;
  readonly isComplete?: boolean;
  readonly hasLength: boolean;
  /** Why it was rejected, if the draft names it. */
  readonly fault?: 'offset' | 'length' | 'append-size';
  /** The offset in the response. */
  readonly announcedOffset?: number;
  /** Whether the response said that the upload is complete. */
  readonly isCompleted?: true;
  /** Whether the body ended early. */
  readonly isInterrupted?: true;
  /** Whether another request was still writing to the upload. */
  readonly isOverlapping?: true;
}

/** Notes of a handler while it serves a request. */
export interface Noting {
  upload: string | null;
  fault?: UploadRequest['fault'];
  isOverlapping?: true;
}

const maxNoted = 200;

export const uploadRequests: LogSpace<true, UploadRequest> = {
  name: 'http-resumable-requests',
  maxKeys: 1,
  maxEntries: maxNoted,
  isAlwaysThere: true,
};

export const logKey = 'all';

type Handle<Asked extends Request> = (request: Asked, reply: Reply, noting: Noting) => unknown;

/** Serves and records a request of a private sandbox. Problems of the draft become responses. */
export function noted<Asked extends Request>(clock: Clock, handle: Handle<Asked>) {
  return async (request: Asked, reply: Reply): Promise<unknown> => {
    const noting: Noting = { upload: null };
    try {
      const result = await handle(request, reply, noting);
      await record(reply, noting, clock(), {
        status: reply.statusCode,
        announced: reply.getHeader('upload-offset'),
        isCompleted: reply.getHeader('upload-complete') === '?1',
      });
      return result;
    } catch (error) {
      const isProblem = error instanceof UploadProblem;
      if (!isProblem && !(error instanceof HttpError)) throw error;
      const { status, headers } = error;
      await record(reply, noting, clock(), { status, announced: headers['upload-offset'] });
      if (!isProblem) throw error;
      const body = Buffer.from(JSON.stringify(error.members));
      return reply.code(status).headers(headers).type('application/problem+json').send(body);
    }
  };
}

/** The upload in the response. */
interface Outcome {
  readonly status: number;
  readonly announced: unknown;
  readonly isCompleted?: boolean;
}

async function record(
  reply: Reply,
  { upload, fault, isOverlapping }: Noting,
  nowMs: number,
  { status, announced, isCompleted }: Outcome,
): Promise<void> {
  const { request } = reply;
  const { sandbox, method, id: requestId, raw } = request;
  if (sandbox.name === sharedSandboxName) return;
  const { version, offset, isComplete, length } = readDraftHeaders(request);
  const isInterrupted = method !== 'DELETE' && method !== 'HEAD' && !raw.complete;
  const noted: Omit<UploadRequest, 'atMs'> = {
    ...{ requestId, arrival: arrivalBefore(reply, nowMs), respondedAtMs: nowMs },
    ...{ method, upload, status, hasLength: length !== undefined },
    type: redact(mediaType(request.headers['content-type']).slice(0, 100)),
    ...(version !== undefined && { version }),
    ...(offset !== undefined && { offset }),
    ...(isComplete !== undefined && { isComplete }),
    ...(fault !== undefined && { fault }),
    ...(announced !== undefined && { announcedOffset: Number(announced) }),
    ...(isCompleted && { isCompleted: true }),
    ...(isInterrupted && { isInterrupted: true }),
    ...(isOverlapping && { isOverlapping }),
  };
  await ignoringOutages(() =>
    sandbox.transact((view) =>
      view.append(uploadRequests, logKey, { ...noted, atMs: view.nowMs }, ''),
    ),
  );
}
