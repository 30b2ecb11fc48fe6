/** What has become of the records of a collection since somebody looked. */

import { jsonContentType } from '../../../app/error-handler.js';
import { turns } from '../../../base/work-in-turns.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { FieldFault } from '../../../http/http-error.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import {
  type ChangeFeed,
  changeFeed,
  keptChanges,
  type RowChange,
  recordBytesOf,
} from '../../../state/rows/change-feed.js';
import type { Resource } from '../built-in/resource.js';
import { maxResponseBytes } from '../formats/send-records.js';
import { shownRecord } from '../formats/send-result.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { strangeParameters } from '../write/write-options.js';
import { foldChanges, parseToken, writeToken } from './fold-changes.js';
import { parameterFault, type Query } from './read-list-query.js';

export const maxChangesWaitSeconds = 60;

type Change = RowChange<ResourceRecord>;

export function changeHandlers(resource: Resource, services: Services) {
  const { sandboxOf, feedName, path } = resource;
  const { dueWork, held, baseUrlOf } = services;

  async function changes(request: Request, reply: Reply): Promise<never> {
    const { since, waitSeconds } = readQuery(request.query as Query);
    const sandbox = sandboxOf(request);
    const feed = changeFeed<ResourceRecord>(sandbox, feedName(sandbox));
    await dueWork.settle(sandbox);
    if (since === undefined) return send(reply, [], await feed.lastSequence());
    const find = async (): Promise<readonly Change[]> => {
      const found = await changesThatFit(feed, since);
      if (found === undefined) throw tooOld(path);
      return found;
    };
    let found = await find();
    if (found.length === 0 && waitSeconds > 0) {
      const { signal, release } = held.hold(request, reply, waitSeconds * 1000);
      try {
        await feed.waitPast(since, signal);
      } finally {
        release();
      }
      found = await find();
    }
    const baseUrl = () => baseUrlOf(request);
    const texts: string[] = [];
    const folded = foldChanges(
      found.map((change) => ({ id: change.id, kind: change.kind, atMs: change.atMs, change })),
    );
    for (const { id, kind, atMs, change } of folded) {
      await turns.whenFree();
      const head = JSON.stringify({ id, kind, at: new Date(atMs).toISOString() });
      const record =
        resource.pictures.length === 0
          ? String(recordBytesOf(change))
          : JSON.stringify(shownRecord(resource, change.record, baseUrl));
      texts.push(`${head.slice(0, -1)},"record":${record}}`);
    }
    return send(reply, texts, found.at(-1)?.sequence ?? since);
  }

  return { changes };
}

/** So many are read from the state at once: each may be as large as a record may be. */
const maxReadAtOnce = 16;

/**
 * The first changes after a sequence, as many as fit into a response: a client that sends the token of the last of
 * them gets the others. `undefined` when it is not known what came after.
 */
async function changesThatFit(
  feed: ChangeFeed<ResourceRecord>,
  since: number,
): Promise<readonly Change[] | undefined> {
  const found: Change[] = [];
  let bytes = 0;
  for (let count = 1; found.length < keptChanges; count = Math.min(2 * count, maxReadAtOnce)) {
    const more = await feed.after(found.at(-1)?.sequence ?? since, count);
    if (more === undefined && found.length === 0) return undefined;
    if (more === undefined || more.length === 0) break;
    for (const change of more) {
      bytes += recordBytesOf(change).length;
      if (found.length > 0 && bytes > maxResponseBytes) return found;
      found.push(change);
    }
  }
  return found;
}

function send(reply: Reply, changes: readonly string[], token: number): never {
  const text = `{"changes":[${changes.join(',')}],"token":${JSON.stringify(writeToken(token))}}`;
  return reply.header('content-type', jsonContentType).send(text) as never;
}

interface Asked {
  readonly since: number | undefined;
  readonly waitSeconds: number;
}

function readQuery(query: Query): Asked {
  const faults: FieldFault[] = strangeParameters(query, ['since', 'wait']);
  const { since, wait = '0' } = query;
  const sequence = typeof since === 'string' ? parseToken(since) : undefined;
  if (since !== undefined && sequence === undefined) {
    faults.push(
      parameterFault('since', 'must be the token of an earlier response, such as c42', since),
    );
  }
  const seconds = typeof wait === 'string' && /^\d{1,2}$/.test(wait) ? Number(wait) : -1;
  if (seconds < 0 || seconds > maxChangesWaitSeconds) {
    faults.push(
      parameterFault('wait', `must be whole seconds from 0 to ${maxChangesWaitSeconds}`, wait),
    );
  }
  if (faults.length > 0) throw faultyFields(faults);
  return { since: sequence, waitSeconds: seconds };
}

function tooOld(path: string): HttpError {
  return new HttpError(
    410,
    `The changes since that token are no longer known. Read ${path} again, and get the token of ${path}/changes before you do.`,
  );
}
