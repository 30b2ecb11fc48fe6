/** What has become of the records of a collection since somebody looked. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../server/area.js';
import { jsonContentType } from '../../server/error-handler.js';
import type { FieldFault } from '../../server/http-error.js';
import { HttpError } from '../../server/http-error.js';
import { changeFeed, keptChanges, type RowChange } from '../../state/change-feed.js';
import { faultyFields } from './faulty-fields.js';
import { foldChanges, parseToken, writeToken } from './fold-changes.js';
import { parameterFault, type Query } from './read-list-query.js';
import type { ResourceRecord } from './record-fields.js';
import { storedJson } from './render-record.js';
import type { Resource } from './resource.js';
import { maxResponseBytes } from './send-records.js';
import { shownRecord } from './send-result.js';
import { strangeParameters } from './write-options.js';

export const maxChangesWaitSeconds = 60;

type Change = RowChange<ResourceRecord>;

export function changeHandlers(resource: Resource, services: Services) {
  const { sandboxOf, feedName, path } = resource;
  const { dueWork, held, baseUrlOf } = services;

  async function changes(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const { since, waitSeconds } = readQuery(request.query as Query);
    const sandbox = sandboxOf(request);
    const feed = changeFeed<ResourceRecord>(sandbox, feedName(sandbox));
    await dueWork.settle(sandbox);
    if (since === undefined) return send(reply, { changes: [], token: await feed.lastSequence() });
    const find = async (): Promise<readonly Change[]> => {
      const found = await feed.after(since, keptChanges);
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
    found = asManyAsFit(found);
    const baseUrl = () => baseUrlOf(request);
    const shown = foldChanges(found).map(({ id, kind, atMs, record }) => ({
      id,
      kind,
      at: new Date(atMs).toISOString(),
      record: shownRecord(resource, record, baseUrl),
    }));
    return send(reply, { changes: shown, token: found.at(-1)?.sequence ?? since });
  }

  return { changes };
}

/** The first of them; who asks again with the token of the last of these gets the others. */
function asManyAsFit(changes: readonly Change[]): readonly Change[] {
  let bytes = 0;
  const end = changes.findIndex(({ record }, index) => {
    bytes += Buffer.byteLength(storedJson(record));
    return index > 0 && bytes > maxResponseBytes;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

function send(
  reply: FastifyReply,
  { changes, token }: { readonly changes: readonly object[]; readonly token: number },
): never {
  const text = JSON.stringify({ changes, token: writeToken(token) });
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
