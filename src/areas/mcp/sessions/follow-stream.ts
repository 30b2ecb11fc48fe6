/** Sends the messages of one stream of a session, also from the middle. */

import { randomUUID } from 'node:crypto';
import type { HeldRequest } from '#http/held-requests.js';
import { heartbeat, isQuiet, writeEvent, writeRetry } from '#http/sending/event-stream.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import type { Sandbox } from '#state/state.js';
import { noteRetry } from '../judge/watch.js';
import { isSince, type Revision } from '../messages/revision.js';
import { ChangeWatch, changeMessage, type Interest } from '../methods/watch-changes.js';
import { appendMessage, isListener, logOf, type SessionConnection } from '../model/session.js';
import {
  claimChanges,
  connect,
  disconnect,
  hasConnection,
  isNewest,
  readSession,
} from './connections.js';

export interface Followed {
  readonly sandbox: Sandbox;
  readonly sessionId: string;
  readonly revision: Revision;
  readonly stream: string;
  /** The first message is after this sequence. */
  readonly start: number;
  /** Whether a client has to resume the stream where it was disconnected. */
  readonly isResumed?: true;
  /** Whether events have ids. */
  readonly hasIds: boolean;
  readonly heldRequest: HeldRequest;
  /** Absent for the stream of a POST. */
  readonly connection?: SessionConnection;
}

type ByGet = Followed & Required<Pick<Followed, 'connection'>>;

const perRead = 20;

export const eventIdOf = (stream: string, sequence: number) => `${stream}_${sequence}`;

export function parseEventId(text: string): { stream: string; sequence: number } | undefined {
  const [, stream, sequence] = /^([\w-]{1,40})_(\d{1,15})$/.exec(text) ?? [];
  return stream === undefined ? undefined : { stream, sequence: Number(sequence) };
}

/** Yields events until the last message of the stream, or until the session ends. */
export async function* followStream(followed: Followed): AsyncGenerator<string> {
  const { sandbox, sessionId, stream, heldRequest, hasIds, isResumed, connection } = followed;
  const log = logOf(sandbox, sessionId);
  let seen = followed.start;
  while (!heldRequest.signal.aborted) {
    const entries = await log.after(seen, perRead);
    for (const { sequence, item, bytes } of entries) {
      seen = sequence;
      // Another connection follows the stream.
      const mayBeOver = item.kind === 'changed' && connection !== undefined;
      if (mayBeOver && !hasConnection(await readSession(followed), connection)) return;
      if (!('stream' in item) || item.stream !== stream) continue;
      if (item.kind === 'end') return;
      const id = hasIds ? { id: eventIdOf(stream, sequence) } : {};
      if (item.kind === 'disconnect') {
        if (!isResumed) yield await endOf(followed, id);
        if (!isResumed) return;
        continue;
      }
      yield writeEvent({ ...id, event: 'message', data: String(bytes) });
      if (item.isLast) return;
    }
    if (entries.length > 0) continue;
    if ((await log.status()) === undefined) return;
    const quiet = await isQuiet((until) => log.waitPast(seen, until), heldRequest.signal);
    if (quiet) yield heartbeat;
  }
}

/** Time after which a client resumes a stream. */
const resumeMs = 200;

/** Since 2025-11-25, the end has an id: a client that resumes after it has read the time to wait. */
async function endOf(
  { sandbox, sessionId, revision }: Followed,
  { id }: { readonly id?: string },
): Promise<string> {
  if (id === undefined || !isSince(revision, '2025-11-25')) return writeRetry(resumeMs);
  await noteRetry(sandbox, sessionId, id, resumeMs);
  return writeRetry(resumeMs) + writeEvent({ id, data: '' });
}

/**
 * Follows a stream by a GET. A stream for messages outside of calls also gets messages about changes,
 * while it is the newest one. Resolves once it will see every further change.
 */
export async function followByGet(given: Followed): Promise<AsyncGenerator<string>> {
  const { sandbox, heldRequest, stream } = given;
  const connection = { id: randomUUID(), stream };
  const followed = { ...given, connection };
  const watch = isListener(stream) ? await ChangeWatch.begin(sandbox, interestIn([])) : undefined;
  await connect(given, connection, watch);
  void ignoringOutages(async () => {
    try {
      if (watch !== undefined) await reportChanges(watch, followed);
      await heldRequest.ended;
      await disconnect(given, connection);
    } catch (error) {
      // The client connects again.
      heldRequest.release();
      throw error;
    }
  });
  return followStream(followed);
}

const interestIn = (uris: readonly string[]): Interest => ({
  ...{ tools: true, prompts: true, resources: true },
  uris,
});

/** Appends a message for each change of interest, while the connection has the newest stream. */
async function reportChanges(watch: ChangeWatch, followed: ByGet): Promise<void> {
  const { sandbox, sessionId, stream, connection } = followed;
  const { signal } = followed.heldRequest;
  const log = logOf(sandbox, sessionId);
  while (!signal.aborted) {
    const seen = (await log.status())?.lastSequence ?? 0;
    const session = await readSession(followed);
    if (session === undefined || !hasConnection(session, connection)) return;
    if (!isNewest(session, connection)) {
      await log.waitPast(seen, signal);
      continue;
    }
    const changes = await watch.read(interestIn(session.subscriptions));
    const claimed =
      changes.length === 0 ? [] : await claimChanges(followed, connection, watch, changes);
    for (const change of claimed) {
      await appendMessage(log, { kind: 'message', stream }, changeMessage(change));
    }
    await watch.wait(signal, (until) => log.waitPast(seen, until));
  }
}
