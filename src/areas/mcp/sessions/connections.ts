/**
 * The connections of a session that follow streams. Each message is on one stream: changes are
 * reported on the newest stream for messages outside of calls, and of several connections to one
 * stream, the newest has its messages.
 */

import type { Sandbox } from '#state/state.js';
import type { Change, ChangeWatch } from '../methods/watch-changes.js';
import {
  appendMessage,
  changeSession,
  isListener,
  logOf,
  maxConnections,
  type Session,
  type SessionConnection,
  sessionSpace,
} from '../model/session.js';

interface InSession {
  readonly sandbox: Sandbox;
  readonly sessionId: string;
}

/**
 * Adds a connection, which replaces the earlier connection of its stream. The first stream for changes
 * reports them from the position of its watch on, a further one those that no stream has reported.
 */
export async function connect(
  to: InSession,
  connection: SessionConnection,
  watch: ChangeWatch | undefined,
): Promise<void> {
  let from: Session['reported'] = {};
  await changeSession(to.sandbox, to.sessionId, (session) => {
    const others = session.connections.filter(({ stream }) => stream !== connection.stream);
    const isFirst = watch !== undefined && !others.some(({ stream }) => isListener(stream));
    const reported = isFirst ? watch.positions : session.reported;
    from = reported;
    const connections = [...others, connection].slice(-maxConnections);
    return { ...session, connections, reported };
  });
  watch?.returnTo(from);
  await wake(to);
}

export async function disconnect(from: InSession, { id }: SessionConnection): Promise<void> {
  await changeSession(from.sandbox, from.sessionId, (session) => ({
    ...session,
    connections: session.connections.filter((each) => each.id !== id),
  }));
  await wake(from);
}

/** Lets connections notice that others have changed. */
const wake = ({ sandbox, sessionId }: InSession) =>
  appendMessage(logOf(sandbox, sessionId), { kind: 'changed' });

export const hasConnection = (session: Session | undefined, { id }: SessionConnection) =>
  session?.connections.some((each) => each.id === id) === true;

/** Whether changes are reported on the stream of this connection. */
export function isNewest({ connections }: Session, { id }: SessionConnection): boolean {
  return connections.findLast(({ stream }) => isListener(stream))?.id === id;
}

/** Returns the changes that the stream of this connection reports, and no other. */
export async function claimChanges(
  { sandbox, sessionId }: InSession,
  connection: SessionConnection,
  watch: ChangeWatch,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const { positions } = watch;
  let claimed: readonly Change[] = [];
  await changeSession(sandbox, sessionId, (session) => {
    const { reported } = session;
    const reportedIn = (feed: string) => reported[feed] ?? 0;
    const isMine = isNewest(session, connection);
    claimed = isMine ? changes.filter(({ feed, sequence }) => sequence > reportedIn(feed)) : [];
    if (!isMine) return session;
    const read = Object.entries(positions).map(([feed, at]) => [
      feed,
      Math.max(at, reportedIn(feed)),
    ]);
    return { ...session, reported: { ...reported, ...Object.fromEntries(read) } };
  });
  return claimed;
}

export const readSession = ({ sandbox, sessionId }: InSession) =>
  sandbox.read(sessionSpace, sessionId);
