/** Sessions of the revisions before 2026-07-28. */

import { randomBytes } from 'node:crypto';
import type { JsonObject } from '#base/json-object.js';
import type { Log, LogSpace, Sandbox } from '#state/state.js';
import type { RpcId } from '../messages/message.js';
import type { Revision } from '../messages/revision.js';
import type { LogLevel } from './call.js';

export interface Session {
  readonly revision: Revision;
  readonly client: JsonObject | undefined;
  readonly capabilities: JsonObject;
  readonly principal: string;
  readonly isInitialized: boolean;
  readonly logLevel: LogLevel;
  /** URIs of resources whose updates the client wants. */
  readonly subscriptions: readonly string[];
  /** Connections that follow streams of the session, the newest last. */
  readonly connections: readonly SessionConnection[];
  /** Positions in the feeds of changes up to which a stream has reported them. */
  readonly reported: Readonly<Record<string, number>>;
  readonly createdAtMs: number;
}

export interface SessionConnection {
  readonly id: string;
  readonly stream: string;
}

export type SessionEvent =
  /** A message to the client on a stream. */
  | { readonly kind: 'message'; readonly stream: string; readonly isLast?: true }
  /** The connection of the stream ends, and the client resumes it. */
  | { readonly kind: 'disconnect'; readonly stream: string }
  /** The stream ends without a further message. */
  | { readonly kind: 'end'; readonly stream: string }
  /** A response of the client. */
  | { readonly kind: 'reply'; readonly id: RpcId }
  | { readonly kind: 'cancel'; readonly id: RpcId }
  /** Wakes the streams, because the session has changed. */
  | { readonly kind: 'changed' };

/** One log for a session, because all replicas of the service serve it. */
export const sessionSpace: LogSpace<Session, SessionEvent> = {
  name: 'mcp-sessions',
  maxKeys: 100,
  maxEntries: 500,
};

/** Paths of the transport of 2024-11-05. */
export const oldPaths = { events: '/mcp/sse', messages: '/mcp/messages' } as const;

/** The stream of a session of 2024-11-05. */
export const mainStream = 'main';

/** A stream for messages outside of calls. */
export const newListener = () => `${mainStream}-${randomBytes(6).toString('hex')}`;

export const isListener = (stream: string) => stream.startsWith(mainStream);

/** Limit of connections that follow streams of a session; a further one ends the oldest. */
export const maxConnections = 20;

/** Limit of subscriptions in a session. */
export const maxSubscriptions = 100;

/** By the clock of the sandbox, from the last change on. */
const idleMs = 24 * 60 * 60 * 1000;

export async function createSession(
  sandbox: Sandbox,
  given: Pick<Session, 'revision' | 'client' | 'capabilities' | 'principal'>,
): Promise<string> {
  const id = randomBytes(24).toString('base64url');
  await sandbox.update(sessionSpace, id, (_none, nowMs) => ({
    value: {
      ...given,
      isInitialized: false,
      logLevel: 'debug' as const,
      subscriptions: [],
      connections: [],
      reported: {},
      createdAtMs: nowMs,
    },
    expiresAtMs: nowMs + idleMs,
    result: undefined,
  }));
  return id;
}

/** Changes a session if it exists, and returns whether it does. */
export async function changeSession(
  sandbox: Sandbox,
  id: string,
  change: (session: Session) => Session,
): Promise<boolean> {
  return sandbox.update(sessionSpace, id, (session: Session | undefined, nowMs) =>
    session === undefined
      ? { value: undefined, result: false }
      : { value: change(session), expiresAtMs: nowMs + idleMs, result: true },
  );
}

export function deleteSession(sandbox: Sandbox, id: string) {
  return sandbox.update(sessionSpace, id, (session: Session | undefined) => ({
    value: undefined,
    result: session !== undefined,
  }));
}

export function logOf(sandbox: Sandbox, id: string): Log<SessionEvent> {
  return sandbox.log(sessionSpace, id);
}

export async function appendMessage(
  log: Log<SessionEvent>,
  event: SessionEvent,
  message?: JsonObject,
): Promise<number | undefined> {
  const text = message === undefined ? '' : JSON.stringify(message);
  return log.append(event, Buffer.from(text));
}
