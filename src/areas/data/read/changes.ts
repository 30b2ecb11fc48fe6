/** Reads the changes of a collection since a token. */

import { turns } from '#base/work-in-turns.js';
import { withPictureUrls } from '#data/picture-address.js';
import type { Reply } from '#http/exchange.js';
import { type FieldFault, HttpError, jsonContentType } from '#http/http-error.js';
import { maxResponseBytes } from '#http/sending/max-response-bytes.js';
import {
  ChangeFeed,
  type ChangeKind,
  keptChanges,
  type RowChange,
} from '#state/rows/change-feed.js';
import { parameterFault, type Query, rejectFaults, unknownParameters } from '../source/faults.js';
import type { DataRecord, RecordId } from '../source/fields.js';
import type { Call } from '../source/source.js';

export const maxChangesWaitSeconds = 60;

type Change = RowChange<DataRecord>;

export async function changes(call: Call): Promise<Reply> {
  const { request, reply, source, services } = call;
  const { since, waitSeconds } = readQuery(call.query);
  const feed = new ChangeFeed<DataRecord>(request.sandbox, source.feedName);
  await services.dueWork.settle(request.sandbox);
  const send = (texts: readonly string[], token: number) =>
    reply
      .header('content-type', jsonContentType)
      .send(`{"changes":[${texts.join(',')}],"token":"c${token}"}`);
  if (since === undefined) return send([], await feed.lastSequence());
  let found = await changesAfter(call, feed, since);
  if (found.length === 0 && waitSeconds > 0) {
    const { signal, release } = services.held.hold(request, reply, waitSeconds * 1000);
    await feed.waitPast(since, signal);
    release();
    found = await changesAfter(call, feed, since);
  }
  const texts: string[] = [];
  for (const { change, kind } of foldChanges(found)) {
    await turns.whenFree();
    texts.push(entryJson(call, change, kind));
  }
  return send(texts, found.at(-1)?.sequence ?? since);
}

/** Reads this number of changes at once, because each may be as large as a record. */
const maxReadAtOnce = 16;

/** Returns as many changes after a sequence number as fit into a response. Throws 410 if they are no longer stored. */
async function changesAfter(
  { source: { path } }: Call,
  feed: ChangeFeed<DataRecord>,
  since: number,
): Promise<readonly Change[]> {
  const found: Change[] = [];
  let bytes = 0;
  for (let count = 1; found.length < keptChanges; count = Math.min(2 * count, maxReadAtOnce)) {
    const more = await feed.after(found.at(-1)?.sequence ?? since, count);
    if (more === undefined && found.length === 0) {
      const message = `The changes since that token are no longer stored. Get a new token from ${path}/changes, then read ${path} again.`;
      throw new HttpError(410, message);
    }
    if (more === undefined || more.length === 0) break;
    for (const change of more) {
      bytes += change.recordBytes.length;
      if (found.length > 0 && bytes > maxResponseBytes) return found;
      found.push(change);
    }
  }
  return found;
}

/**
 * Returns the last change of each id, in order. A record created and then updated counts as created, because the client
 * has never seen it. A record created and deleted counts as deleted.
 */
export function foldChanges<Each extends Pick<Change, 'id' | 'kind'>>(changes: readonly Each[]) {
  const byId = new Map<RecordId, { readonly change: Each; readonly kind: ChangeKind }>();
  for (const change of changes) {
    const before = byId.get(change.id);
    byId.delete(change.id);
    const isStillNew = before?.kind === 'created' && change.kind === 'updated';
    byId.set(change.id, { change, kind: isStillNew ? 'created' : change.kind });
  }
  return [...byId.values()];
}

function entryJson({ source, request }: Call, change: Change, kind: ChangeKind): string {
  const { id, atMs, recordBytes } = change;
  const entry = JSON.stringify({ id, kind, at: new Date(atMs).toISOString() });
  const { pictures } = source;
  const record =
    pictures.length === 0
      ? String(recordBytes)
      : JSON.stringify(withPictureUrls(change.record, pictures, () => request.baseUrl));
  return `${entry.slice(0, -1)},"record":${record}}`;
}

function readQuery(query: Query) {
  const faults: FieldFault[] = unknownParameters(query, ['since', 'wait']);
  const { since, wait = '0' } = query;
  const sequence = typeof since === 'string' ? parseToken(since) : undefined;
  if (since !== undefined && sequence === undefined) {
    const what = 'must be the token from an earlier response, such as c42';
    faults.push(parameterFault('since', what, since));
  }
  const waitSeconds = typeof wait === 'string' && /^\d{1,2}$/.test(wait) ? Number(wait) : -1;
  if (waitSeconds < 0 || waitSeconds > maxChangesWaitSeconds) {
    const what = `must be an integer of seconds from 0 to ${maxChangesWaitSeconds}`;
    faults.push(parameterFault('wait', what, wait));
  }
  rejectFaults(faults);
  return { since: sequence, waitSeconds };
}

export function parseToken(token: string): number | undefined {
  const sequence = Number(/^c(0|[1-9]\d{0,15})$/.exec(token)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}
