/** Stores the first responses to requests with an Idempotency-Key, for repeated requests. */

import { hash } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { Sandbox, Space, Transaction } from '#state/state.js';
import { asHttpError, BodyError } from './batch.js';
import type { WriteResult } from './write.js';

/** The result or the error of a request; neither while it waits for its job. */
interface KeptResponse {
  readonly fingerprint: string;
  readonly result?: WriteResult;
  readonly error?: Pick<HttpError, 'status' | 'message' | 'headers' | 'extra'>;
  /** Until when the first client waits for its job. */
  readonly waitsUntilMs?: number;
  readonly characters: number;
}

export interface RepeatableRequest {
  readonly key: string;
  readonly fingerprint: string;
}

const keptMs = 24 * 60 * 60 * 1000;

/** Limit for a sandbox. Beyond it, the oldest are dropped; the same applies to their total size. */
export const maxKeptResponses = 500;
export const maxKeptCharacters = 4 * 1024 * 1024;

const keptResponses: Space<KeptResponse> = {
  name: 'idempotent-answers',
  maxKeys: maxKeptResponses,
};

export function repeatableRequest({ method, raw, body }: Request, key: string): RepeatableRequest {
  const [path = ''] = (raw.url as string).split('?', 1);
  return {
    key: hash('sha256', `${method} ${path.toLowerCase()} ${key}`, 'base64url'),
    fingerprint: hash('sha256', JSON.stringify(body) ?? '', 'base64url'),
  };
}

type Outcome = { readonly result: WriteResult } | { readonly error: HttpError };

export interface Responded {
  readonly result: WriteResult;
  readonly isReplay: boolean;
}

/**
 * Performs `act` and stores its result in one step, or returns the result of the first of these requests. Throws the
 * first request's error, 422 for the same key with another body, and 409 while the first request waits for its job, at
 * most `waitMs`.
 */
export async function respondOnce(
  sandbox: Sandbox,
  request: RepeatableRequest | undefined,
  act: (view: Transaction) => WriteResult,
  waitMs = 0,
): Promise<Responded> {
  if (request === undefined) return { result: await sandbox.transact(act), isReplay: false };
  let isFirst = false;
  try {
    const responded = await sandbox.transact((view): Responded => {
      isFirst = false;
      const known = findKept(view, request);
      if (known !== undefined) return { result: known, isReplay: true };
      isFirst = true;
      const result = act(view);
      keep(view, request, { result }, waitMs);
      return { result, isReplay: false };
    });
    if (isFirst) await makeRoom(sandbox);
    return responded;
  } catch (thrown) {
    const error = isFirst ? asHttpError(thrown) : undefined;
    if (error === undefined || error.status >= 500 || error instanceof BodyError) throw thrown;
    // A transaction that throws is undone, so another transaction stores the error.
    const known = await sandbox.transact((view) => {
      const earlier = findKept(view, request);
      if (earlier === undefined) keep(view, request, { error });
      return earlier;
    });
    if (known !== undefined) return { result: known, isReplay: true };
    await makeRoom(sandbox);
    throw error;
  }
}

/** Stores the result of a request that waited for its job. After a server error, it can be repeated. */
export async function keepOutcome(
  sandbox: Sandbox,
  request: RepeatableRequest | undefined,
  outcome: Outcome,
): Promise<void> {
  if (request === undefined) return;
  await sandbox.transact((view) => {
    const isOurs = 'error' in outcome && outcome.error.status >= 500;
    if (isOurs) view.write(keptResponses, request.key, undefined);
    else keep(view, request, outcome);
  });
  await makeRoom(sandbox);
}

const otherBody =
  'This Idempotency-Key was already used with another body. Use a new key for each operation.';
const stillWaiting =
  'The first request with this Idempotency-Key is still waiting for its response. Try again later.';

export const replayed = { 'idempotency-replayed': 'true' };

/** Returns the result of the first of these requests, if there was one. Throws like {@link respondOnce}. */
export function findKept(view: Transaction, request: RepeatableRequest): WriteResult | undefined {
  const kept = view.read(keptResponses, request.key);
  if (kept === undefined) return undefined;
  const { fingerprint, result, error, waitsUntilMs = 0 } = kept;
  if (fingerprint !== request.fingerprint) throw new HttpError(422, otherBody);
  if (view.nowMs < waitsUntilMs) {
    const retryAfter = String(Math.ceil((waitsUntilMs - view.nowMs) / 1000));
    throw new HttpError(409, stillWaiting, { headers: { 'retry-after': retryAfter } });
  }
  if (error === undefined) return result;
  const headers = { ...error.headers, ...replayed };
  throw new HttpError(error.status, error.message, { headers, body: error.extra });
}

function keep(view: Transaction, request: RepeatableRequest, outcome: Outcome, waitMs = 0): void {
  // A sent text may be a slice of a longer text, such as a CSV body, so a copy is stored.
  const json = JSON.stringify('result' in outcome ? outcome : { error: membersOf(outcome.error) });
  const kept: KeptResponse = {
    fingerprint: request.fingerprint,
    ...JSON.parse(json),
    ...(waitMs > 0 && { waitsUntilMs: view.nowMs + waitMs }),
    characters: json.length,
  };
  view.write(keptResponses, request.key, kept, { expiresAtMs: view.nowMs + keptMs });
}

function membersOf({ status, message, headers, extra }: HttpError) {
  return { status, message, headers, extra };
}

/** Drops the oldest responses beyond the limit, but never the newest. */
async function makeRoom(sandbox: Sandbox): Promise<void> {
  const entries = await sandbox.entries(keptResponses);
  let excess = -maxKeptCharacters;
  for (const [, { characters }] of entries) excess += characters;
  const oldest: string[] = [];
  for (const [key, { characters }] of entries.slice(0, -1)) {
    if (excess <= 0) break;
    excess -= characters;
    oldest.push(key);
  }
  if (oldest.length === 0) return;
  await sandbox.transact((view) => {
    for (const key of oldest) view.write(keptResponses, key, undefined);
  });
}
