/** Reads what has become of the records of a collection since a token. */

import { turns } from '../../../base/work-in-turns.js';
import { withPictureUrls } from '../../../data/picture-address.js';
import type { Reply } from '../../../http/exchange.js';
import { type FieldFault, HttpError, jsonContentType } from '../../../http/http-error.js';
import { ChangeFeed, keptChanges, type RowChange } from '../../../state/rows/change-feed.js';
import type { Call } from '../source/call.js';
import { faultyFields, parameterFault, type Query, unknownParameters } from '../source/faults.js';
import { type DataRecord, maxResponseBytes } from '../source/source.js';
import { foldChanges, parseToken, writeToken } from './fold-changes.js';

export const maxChangesWaitSeconds = 60;

type Change = RowChange<DataRecord>;

export async function changes(call: Call): Promise<Reply> {
  const { source, sandbox, services } = call;
  const { since, waitSeconds } = readQuery(call.query);
  const feed = new ChangeFeed<DataRecord>(sandbox, source.feedName);
  await services.dueWork.settle(sandbox);
  if (since === undefined) return send(call, [], await feed.lastSequence());
  let found = await changesAfter(call, feed, since);
  if (found.length === 0 && waitSeconds > 0) {
    const { signal, release } = services.held.hold(call.request, call.reply, waitSeconds * 1000);
    try {
      await feed.waitPast(since, signal);
    } finally {
      release();
    }
    found = await changesAfter(call, feed, since);
  }
  const folded = foldChanges(found.map((change) => ({ ...entryOf(change), change })));
  const texts: string[] = [];
  for (const { change, ...entry } of folded) {
    await turns.whenFree();
    texts.push(`${JSON.stringify(entry).slice(0, -1)},"record":${recordJson(call, change)}}`);
  }
  return send(call, texts, found.at(-1)?.sequence ?? since);
}

function entryOf({ id, kind, atMs }: Change) {
  return { id, kind, at: new Date(atMs).toISOString() };
}

function recordJson(call: Call, change: Change): string {
  const { pictures } = call.source;
  if (pictures.length === 0) return String(change.recordBytes);
  return JSON.stringify(withPictureUrls(change.record, pictures, () => call.baseUrl));
}

/** Changes are read from the state by so many: each may be as large as a record may be. */
const maxReadAtOnce = 16;

/**
 * Returns the first changes after a sequence, as many as fit into a response: a client that sends the token of the
 * last of them gets the others. Throws 410 when it is not known what came after.
 */
async function changesAfter(
  { source: { path } }: Call,
  feed: ChangeFeed<DataRecord>,
  since: number,
): Promise<readonly Change[]> {
  const found: Change[] = [];
  let bytes = 0;
  for (let count = 1; found.length < keptChanges; count = Math.min(2 * count, maxReadAtOnce)) {
    const more = await feed.after(found.at(-1)?.sequence ?? since, count);
    if (more === undefined && found.length === 0) throw tooOld(path);
    if (more === undefined || more.length === 0) break;
    for (const change of more) {
      bytes += change.recordBytes.length;
      if (found.length > 0 && bytes > maxResponseBytes) return found;
      found.push(change);
    }
  }
  return found;
}

function send({ reply }: Call, changes: readonly string[], token: number): Reply {
  const text = `{"changes":[${changes.join(',')}],"token":${JSON.stringify(writeToken(token))}}`;
  return reply.header('content-type', jsonContentType).send(text);
}

function readQuery(query: Query) {
  const faults: FieldFault[] = unknownParameters(query, ['since', 'wait']);
  const { since, wait = '0' } = query;
  const sequence = typeof since === 'string' ? parseToken(since) : undefined;
  if (since !== undefined && sequence === undefined) {
    faults.push(
      parameterFault('since', 'must be the token of an earlier response, such as c42', since),
    );
  }
  const waitSeconds = typeof wait === 'string' && /^\d{1,2}$/.test(wait) ? Number(wait) : -1;
  if (waitSeconds < 0 || waitSeconds > maxChangesWaitSeconds) {
    faults.push(
      parameterFault('wait', `must be whole seconds from 0 to ${maxChangesWaitSeconds}`, wait),
    );
  }
  if (faults.length > 0) throw faultyFields(faults);
  return { since: sequence, waitSeconds };
}

function tooOld(path: string): HttpError {
  return new HttpError(
    410,
    `The changes since that token are no longer known. Read ${path} again, and get the token of ${path}/changes before you do.`,
  );
}
