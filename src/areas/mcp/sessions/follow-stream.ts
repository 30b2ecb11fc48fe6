/** Sends the messages of one stream of a session, also from the middle. */

import { randomUUID } from 'node:crypto';
import type { HeldRequest } from '../../../http/held-requests.js';
import { heartbeat, isQuiet, writeEvent, writeRetry } from '../../../http/sending/event-stream.js';
import { ignoringOutages } from '../../../kit/verdict/ignoring-outages.js';
import type { Sandbox } from '../../../state/state.js';
import { ChangeWatch, changeMessage, type Interest } from '../methods/watch-changes.js';
import { appendMessage, changeSession, logOf, mainStream, sessionSpace } from '../model/session.js';

export interface Followed {
  readonly sandbox: Sandbox;
  readonly sessionId: string;
  readonly stream: string;
  /** The first message is after this sequence. */
  readonly start: number;
  /** Whether a client has to resume the stream where it was disconnected. */
  readonly isResumed?: true;
  /** Whether events have ids. */
  readonly hasIds: boolean;
  readonly place: HeldRequest;
}

const perRead = 20;

export const eventIdOf = (stream: string, sequence: number) => `${stream}_${sequence}`;

export function parseEventId(text: string): { stream: string; sequence: number } | undefined {
  const [, stream, sequence] = /^([\w-]{1,40})_(\d{1,15})$/.exec(text) ?? [];
  return stream === undefined ? undefined : { stream, sequence: Number(sequence) };
}

/** Yields events until the last message of the stream, or until the session ends. */
export async function* followStream(followed: Followed): AsyncGenerator<string> {
  const { sandbox, sessionId, stream, place, hasIds, isResumed } = followed;
  const log = logOf(sandbox, sessionId);
  let seen = followed.start;
  while (!place.signal.aborted) {
    const entries = await log.after(seen, perRead);
    for (const { sequence, item, bytes } of entries) {
      seen = sequence;
      if (!('stream' in item) || item.stream !== stream) continue;
      if (item.kind === 'end') return;
      if (item.kind === 'disconnect') {
        if (isResumed) continue;
        yield writeRetry(resumeMs);
        return;
      }
      const id = hasIds ? { id: eventIdOf(stream, sequence) } : {};
      yield writeEvent({ ...id, event: 'message', data: String(bytes) });
      if (item.isLast) return;
    }
    if (entries.length > 0) continue;
    if ((await log.status()) === undefined) return;
    const quiet = await isQuiet((until) => log.waitPast(seen, until), place.signal);
    if (quiet) yield heartbeat;
  }
}

/** Time after which a client resumes a stream. */
const resumeMs = 200;

/**
 * Follows the main stream, and adds messages about changes to it while this is the session's newest
 * listener. Resolves once it will see every further change.
 */
export async function followMain(followed: Followed): Promise<AsyncGenerator<string>> {
  const { sandbox, sessionId, place } = followed;
  const listener = randomUUID();
  await changeSession(sandbox, sessionId, (session) => ({ ...session, listener }));
  await appendMessage(logOf(sandbox, sessionId), { kind: 'changed' });
  const watch = await ChangeWatch.begin(sandbox, interestIn([]));
  void ignoringOutages(async () => {
    try {
      await reportChanges(watch, followed, listener);
    } catch (error) {
      // The client connects again.
      place.release();
      throw error;
    }
  });
  return followStream(followed);
}

const interestIn = (uris: readonly string[]): Interest => ({
  ...{ tools: true, prompts: true, resources: true },
  uris,
});

/** Appends a message for each change of interest, while the session has this listener. */
async function reportChanges(
  watch: ChangeWatch,
  { sandbox, sessionId, place: { signal } }: Followed,
  listener: string,
): Promise<void> {
  const log = logOf(sandbox, sessionId);
  while (!signal.aborted) {
    const session = await sandbox.read(sessionSpace, sessionId);
    if (session?.listener !== listener) return;
    const seen = (await log.status())?.lastSequence ?? 0;
    for (const change of await watch.read(interestIn(session.subscriptions))) {
      const event = { kind: 'message', stream: mainStream } as const;
      await appendMessage(log, event, changeMessage(change));
    }
    await watch.wait(signal, (until) => log.waitPast(seen, until));
  }
}
