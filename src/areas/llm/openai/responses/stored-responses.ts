/** Responses that the sandbox stores. */

import type { JsonObject } from '#base/json-object.js';
import { cutText } from '#base/text/cut-text.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';
import type { Turn } from '../../messages/conversation.js';
import { mistake } from '../../messages/mistake.js';
import type { Stamp } from '../../messages/provider.js';
import { invalid } from '../read/faults.js';
import { charactersOf, maxCharacters, tooLong } from './item-turns.js';

export interface StoredResponse {
  /** The complete response. */
  readonly response: JsonObject;
  /** Items of the input, with ids. */
  readonly items: readonly JsonObject[];
  /** Turns that the input and the output added to the conversation. */
  readonly turns: readonly Turn[];
  readonly previousId?: string | undefined;
  readonly createdAtMs: number;
  readonly cancelledAtMs?: number;
  /** How often it was read after it was cancelled. */
  readonly lateReads?: number;
}

const maxResponses = 100;

const responseSpace: Space<StoredResponse> = { name: 'llm-responses', maxKeys: maxResponses };

interface Limits {
  /** Characters of a stored response as JSON. */
  readonly maxCharacters: number;
  readonly lifetimeMs: number;
}

const ownLimits: Limits = { maxCharacters: 256 * 1024, lifetimeMs: 24 * 60 * 60 * 1000 };

/** All callers without a sandbox fill the shared one. */
const sharedLimits: Limits = { maxCharacters: 16 * 1024, lifetimeMs: 10 * 60 * 1000 };

const limitsOf = ({ name }: Sandbox): Limits =>
  name === sharedSandboxName ? sharedLimits : ownLimits;

/** Stores a response, unless it is too large. */
export async function storeResponse(
  sandbox: Sandbox,
  given: Omit<StoredResponse, 'createdAtMs'>,
): Promise<void> {
  const id = String(given.response.id);
  const key = id.slice(idPrefix.length);
  const items = given.items.map((item, index) => withId(item, `${key}i${index}`));
  const stored = { ...given, items };
  const { maxCharacters, lifetimeMs } = limitsOf(sandbox);
  if (JSON.stringify(stored).length > maxCharacters) return;
  await sandbox.update(responseSpace, id, (_none, nowMs) => ({
    value: { ...stored, createdAtMs: nowMs },
    expiresAtMs: nowMs + lifetimeMs,
    result: undefined,
  }));
}

const idPrefix = 'resp_';

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
};

function withId(item: JsonObject, id: string): JsonObject {
  if (typeof item.id === 'string') return item;
  return { ...item, id: `${prefixes[String(item.type)] ?? 'item'}_${id}` };
}

/** Makes ids of which the first is for the response, and the others for the items of its output. */
export function withItemIds(stamp: Stamp): Stamp {
  let key: string | undefined;
  let items = 0;
  return {
    ...stamp,
    id(length) {
      if (key !== undefined) return `${key}o${items++}`;
      key = stamp.id(length);
      return key;
    },
  };
}

/** The key of a response, then the list and the place of the item. */
const madeId = /^[a-z]+_([A-Za-z0-9]{48})([io])(\d{1,4})$/;

/** Returns the item with an id that the service made; an id that a caller chose finds nothing. */
export async function findItem(sandbox: Sandbox, id: string): Promise<JsonObject | undefined> {
  const [, key, list, place] = madeId.exec(id) ?? [];
  if (key === undefined) return undefined;
  const stored = await sandbox.read(responseSpace, idPrefix + key);
  if (stored === undefined) return undefined;
  const items = list === 'i' ? stored.items : (stored.response.output as readonly JsonObject[]);
  const item = items[Number(place)];
  return item?.id === id ? item : undefined;
}

const maxShown = 60;

export async function findResponse(sandbox: Sandbox, id: string): Promise<StoredResponse> {
  const stored = await sandbox.read(responseSpace, id);
  if (stored === undefined) throw unknownResponse(id);
  return stored;
}

/** Returns a response, and counts this read if the response is cancelled. */
export async function countRead(sandbox: Sandbox, id: string): Promise<StoredResponse> {
  const stored = await findResponse(sandbox, id);
  if (stored.cancelledAtMs === undefined) return stored;
  const counted = await sandbox.update(responseSpace, id, (current) => {
    if (current === undefined) return { value: undefined, result: undefined };
    const value = { ...current, lateReads: (current.lateReads ?? 0) + 1 };
    return { value, expiresAtMs: expiryOf(sandbox, current), result: value };
  });
  if (counted === undefined) throw unknownResponse(id);
  return counted;
}

const expiryOf = (sandbox: Sandbox, { createdAtMs }: StoredResponse) =>
  createdAtMs + limitsOf(sandbox).lifetimeMs;

function unknownResponse(id: string) {
  return mistake(404, `Unknown response '${cutText(id, maxShown)}'.`, { code: null });
}

export async function deleteResponse(sandbox: Sandbox, id: string): Promise<void> {
  const isStored = await sandbox.update(responseSpace, id, (stored) => ({
    value: undefined,
    result: stored !== undefined,
  }));
  if (!isStored) throw unknownResponse(id);
}

/** Cancels a response in the background, unless it is complete. */
export async function cancelResponse(sandbox: Sandbox, id: string): Promise<JsonObject> {
  const stored = await findResponse(sandbox, id);
  if (stored.response.background !== true) {
    throw mistake(400, "Only a response with 'background': true can be cancelled.", { code: null });
  }
  const cancelled = await sandbox.update(responseSpace, id, (current, nowMs) => {
    if (current === undefined) return { value: undefined, result: undefined };
    const isOpen = statusOf(current, nowMs) !== current.response.status;
    const value = isOpen ? { cancelledAtMs: nowMs, ...current } : current;
    const expiresAtMs = expiryOf(sandbox, current);
    return { value, expiresAtMs, result: shownResponse(value, nowMs) };
  });
  if (cancelled === undefined) throw unknownResponse(id);
  return cancelled;
}

/** Time that a response in the background needs, half of it in the queue. */
const workMs = 1000;

function statusOf({ response, createdAtMs, cancelledAtMs }: StoredResponse, nowMs: number) {
  if (cancelledAtMs !== undefined) return 'cancelled';
  const ageMs = nowMs - createdAtMs;
  if (response.background !== true || ageMs >= workMs) return response.status;
  return ageMs < workMs / 2 ? 'queued' : 'in_progress';
}

/** Returns the response at this moment. */
export function shownResponse(stored: StoredResponse, nowMs: number): JsonObject {
  const status = statusOf(stored, nowMs);
  return status === stored.response.status
    ? stored.response
    : withoutOutput(stored.response, status);
}

/** Returns the response before it was complete. */
export function withoutOutput(response: JsonObject, status: unknown): JsonObject {
  const { usage: _usage, ...others } = response;
  return { ...others, status, output: [], incomplete_details: null, completed_at: null };
}

/** Returns the turns of a response and all before it, the oldest first. */
export async function turnsUntil(
  sandbox: Sandbox,
  id: string | undefined,
  input: readonly Turn[],
): Promise<readonly Turn[]> {
  const parts: (readonly Turn[])[] = [];
  let characters = charactersOf(input);
  let next = id;
  while (next !== undefined && parts.length < maxResponses) {
    const stored: StoredResponse | undefined = await sandbox.read(responseSpace, next);
    if (stored === undefined) {
      const message = `Unknown previous response '${cutText(next, maxShown)}'.`;
      throw invalid('previous_response_id', 'previous_response_not_found', message);
    }
    characters += charactersOf(stored.turns);
    if (characters > maxCharacters) throw tooLong('previous_response_id');
    parts.push(stored.turns);
    next = stored.previousId;
  }
  return parts.toReversed().flat();
}
