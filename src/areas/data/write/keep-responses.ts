/**
 * The first responses to requests with an Idempotency-Key, for those that come again. What a request does and the
 * response to it are written in one step, so that there is never one without the other.
 */

import { hash } from 'node:crypto';
import { type ErrorHeaders, HttpError } from '../../../http/http-error.js';
import type { Awaitable, Sandbox, Space, Transaction } from '../../../state/state.js';
import { asHttpError } from './batch.js';
import type { WriteResult } from './write.js';

interface KeptError {
  readonly status: number;
  readonly message: string;
  readonly headers: ErrorHeaders;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Of either, what the request came to; of neither, while it is still waited for. */
export interface KeptResponse {
  readonly fingerprint: string;
  readonly result?: WriteResult;
  readonly error?: KeptError;
  /** Until when its owner waits for its job. */
  readonly waitsUntilMs?: number;
  /** Its approximate size as JSON. */
  readonly characters: number;
}

/** A request that may come again. */
export interface RepeatableRequest {
  /** Of the sandbox: method, path and key. */
  readonly key: string;
  /** What tells its body from others. */
  readonly fingerprint: string;
}

const keptMs = 24 * 60 * 60 * 1000;

/** In a sandbox; of more, the oldest go, in number as in size. */
export const maxKeptResponses = 500;
export const maxKeptCharacters = 4 * 1024 * 1024;

const keptResponses: Space<KeptResponse> = {
  name: 'idempotent-answers',
  maxKeys: maxKeptResponses,
};

export function repeatableRequest(
  method: string,
  path: string,
  key: string,
  body: unknown,
): RepeatableRequest {
  return {
    key: hash('sha256', `${method} ${path.toLowerCase()} ${key}`, 'base64url'),
    fingerprint: hash('sha256', JSON.stringify(body) ?? '', 'base64url'),
  };
}

export interface Answered {
  readonly result: WriteResult;
  readonly isReplay: boolean;
}

/**
 * Does `act` and keeps what it comes to, or finds what that was before. Throws what it threw, then as now; 422
 * where the key came with another body; 409 where the first request waits for its job, `waitMs` at most.
 */
export async function respondOnce(
  sandbox: Sandbox,
  request: RepeatableRequest,
  act: (view: Transaction) => WriteResult,
  waitMs = 0,
): Promise<Answered> {
  let outcome: Outcome;
  try {
    outcome = await sandbox.transact((view): Outcome => {
      const known = findKept(view, request);
      if (known !== undefined) return known;
      const result = act(view);
      const waitsUntilMs = waitMs === 0 ? 0 : view.nowMs + waitMs;
      keep(view, request, { result, ...(waitMs > 0 && { waitsUntilMs }) });
      return { result, isReplay: false };
    });
  } catch (thrown) {
    const error = asHttpError(thrown);
    if (error === undefined || error.status >= 500) throw thrown;
    outcome = await keepError(sandbox, request, error);
  }
  if (!outcome.isReplay) await makeRoom(sandbox);
  if (outcome.error !== undefined) throw outcome.error;
  return outcome;
}

/** What a request came to before; throws as {@link respondOnce} does. */
export async function findResponse(
  sandbox: Sandbox,
  request: RepeatableRequest,
): Promise<Answered | undefined> {
  const known = await sandbox.transact((view) => findKept(view, request));
  if (known?.error !== undefined) throw known.error;
  return known;
}

/** What a request that waited for its job came to; of a failure of ours it can come again. */
export async function keepOutcome(
  sandbox: Sandbox,
  request: RepeatableRequest,
  outcome: { readonly result: WriteResult } | { readonly error: HttpError },
): Promise<void> {
  await sandbox.transact((view) => {
    if ('result' in outcome) keep(view, request, outcome);
    else if (outcome.error.status < 500) keep(view, request, { error: keptError(outcome.error) });
    else view.write(keptResponses, request.key, undefined);
  });
  await makeRoom(sandbox);
}

function keptError({ status, message, headers, extra }: HttpError): KeptError {
  return { status, message, headers, extra };
}

type Outcome =
  | (Answered & { readonly error?: undefined })
  | { readonly error: HttpError; readonly isReplay: boolean };

/** What a transaction does is undone when it throws, so its error is kept by another. */
function keepError(
  sandbox: Sandbox,
  request: RepeatableRequest,
  error: HttpError,
): Awaitable<Outcome> {
  return sandbox.transact((view): Outcome => {
    const known = findKept(view, request);
    if (known !== undefined) return known;
    keep(view, request, { error: keptError(error) });
    return { error, isReplay: false };
  });
}

const otherBody =
  'This Idempotency-Key was used before with another body. Use a new key for each thing that is to be done.';
const stillWaiting =
  'The first request with this Idempotency-Key is still waiting for its response. Try again when it has it.';

function findKept(view: Transaction, { key, fingerprint }: RepeatableRequest): Outcome | undefined {
  const kept = view.read(keptResponses, key);
  if (kept === undefined) return undefined;
  if (kept.fingerprint !== fingerprint) {
    return { error: new HttpError(422, otherBody), isReplay: false };
  }
  const { result, error, waitsUntilMs = 0 } = kept;
  if (view.nowMs < waitsUntilMs) {
    const retryAfter = String(Math.ceil((waitsUntilMs - view.nowMs) / 1000));
    const rejection = new HttpError(409, stillWaiting, { headers: { 'retry-after': retryAfter } });
    return { error: rejection, isReplay: false };
  }
  if (result !== undefined) return { result, isReplay: true };
  return { error: replayedError(error as KeptError), isReplay: true };
}

export const replayed = { 'idempotency-replayed': 'true' };

function replayedError({ status, message, headers, extra }: KeptError): HttpError {
  return new HttpError(status, message, { headers: { ...headers, ...replayed }, body: extra });
}

function keep(
  view: Transaction,
  { key, fingerprint }: RepeatableRequest,
  response: Omit<KeptResponse, 'fingerprint' | 'characters'>,
): void {
  // What was sent may be a part of a longer text, such as a body of CSV: what is kept is a copy.
  const json = JSON.stringify(response);
  const kept = { fingerprint, characters: json.length, ...(JSON.parse(json) as typeof response) };
  view.write(keptResponses, key, kept, { expiresAtMs: view.nowMs + keptMs });
}

/** After a response was kept, which stays itself, however large it is. */
async function makeRoom(sandbox: Sandbox): Promise<void> {
  const entries = await sandbox.entries(keptResponses);
  let excess = -maxKeptCharacters;
  for (const [, { characters }] of entries) excess += characters;
  if (excess <= 0) return;
  const oldest: string[] = [];
  for (const [key, { characters }] of entries.slice(0, -1)) {
    if (excess <= 0) break;
    excess -= characters;
    oldest.push(key);
  }
  await sandbox.transact((view) => {
    for (const key of oldest) view.write(keptResponses, key, undefined);
  });
}
