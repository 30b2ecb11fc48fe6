/** Runs an operation in a transaction of the sandbox, with idempotency and due work. */

import { hash, randomBytes } from 'node:crypto';
import type { Sandbox, Space, Transaction } from '#state/state.js';
import { clockIsReady, doDueWork } from './billing/clocks.js';
import type { Call, Operate } from './engine/call.js';
import { expandAll } from './engine/expand.js';
import { type CallFacts, Ledger } from './engine/ledger.js';
import type { Params, Value } from './engine/objects.js';
import { included, reactions } from './operations.js';
import { ApiError, withGuide } from './wire/errors.js';

interface Kept {
  /** A hash of the operation and its parameters. */
  readonly of: string;
  readonly status: number;
  readonly body: string;
  readonly requestId: string | null;
}

/** By the hash of the key. */
const keptSpace: Space<Kept> = { name: 'payments-idempotency', maxKeys: 1000 };

const keptMs = 24 * 60 * 60 * 1000;

/** Transactions of due work before a request. */
const maxRounds = 200;

export interface Operation {
  readonly name: string;
  readonly operate: Operate;
  readonly params: Params;
  readonly expand: readonly string[];
  readonly id: string;
  readonly path: string;
  readonly isPublishable: boolean;
}

export interface Result {
  readonly status: number;
  readonly body: string;
  /** The request whose result this is, if it ran before. */
  readonly replayOf?: string | null;
}

export const newSeed = (): string => randomBytes(16).toString('base64url');

/** Runs due work until none is left, so that everything is as the clock says. */
async function catchUp(sandbox: Sandbox, facts: CallFacts): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const seed = newSeed();
    const isMore = await sandbox.transact((view) =>
      doDueWork(new Ledger(view, { ...facts, seed, requestId: null }, reactions)),
    );
    if (!isMore) return;
  }
}

export async function runOperation(
  sandbox: Sandbox,
  operation: Operation,
  facts: CallFacts,
): Promise<Result> {
  await catchUp(sandbox, facts);
  const result = await sandbox.transact((view) => runOnce(view, operation, facts));
  const { moveTo, id } = result;
  if (moveTo !== undefined) {
    await moveClock(sandbox, moveTo);
    await catchUp(sandbox, facts);
    const seed = newSeed();
    await sandbox.transact((view) =>
      clockIsReady(new Ledger(view, { ...facts, seed, requestId: null }, reactions), id),
    );
  }
  return result;
}

async function moveClock(sandbox: Sandbox, seconds: number): Promise<void> {
  const now = await sandbox.now();
  const { clockOffsetMs = 0 } = (await sandbox.status()) ?? {};
  await sandbox.setClockOffset(clockOffsetMs + seconds * 1000 - now);
}

/** Runs the work of a page of this service, in one transaction. */
export async function runForPage<Outcome>(
  sandbox: Sandbox,
  facts: CallFacts,
  act: (ledger: Ledger) => Outcome,
): Promise<Outcome> {
  await catchUp(sandbox, facts);
  return sandbox.transact((view) => act(new Ledger(view, facts, reactions)));
}

function runOnce(
  view: Transaction,
  operation: Operation,
  facts: CallFacts,
): Result & { readonly moveTo?: number; readonly id: string } {
  const { name, operate, params, expand, id, path } = operation;
  const { idempotencyKey } = facts;
  const key = idempotencyKey === null ? undefined : hash('sha256', idempotencyKey, 'base64url');
  const of = hash('sha256', JSON.stringify([name, path, params, expand]), 'base64url');
  const kept = key && view.read(keptSpace, key);
  if (kept) return { ...replay(kept, of, idempotencyKey), id };
  const ledger = new Ledger(view, facts, reactions);
  const call: Call = { ledger, params, id, path, isPublishable: operation.isPublishable };
  const made: Value = operate(call);
  const isError = made instanceof ApiError;
  const { _moveTo: moveTo, ...shown } = isError ? {} : made;
  const value = isError
    ? { error: withGuide(facts.guide, made.error) }
    : expandAll(ledger, shown, expand, included);
  const status = isError ? made.status : 200;
  const body = JSON.stringify(value, null, 2);
  if (key !== undefined) {
    const record = { of, status, body, requestId: facts.requestId };
    view.write(keptSpace, key, record, { expiresAtMs: view.nowMs + keptMs });
  }
  return { status, body, id: moveTo === undefined ? id : shown.id, moveTo };
}

function replay(
  { of: known, status, body, requestId }: Kept,
  of: string,
  key: string | null,
): Result {
  if (known === of) return { status, body, replayOf: requestId };
  throw new ApiError(
    `The key '${key?.slice(0, 255)}' was first sent with other parameters. Send a new key with a different request.`,
    { type: 'idempotency_error' },
  ).toHttpError();
}
