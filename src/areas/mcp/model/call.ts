/** A call of a method, as capabilities use it in every revision. */

import type { Awaitable } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import { turns } from '#base/work-in-turns.js';
import { type HeldRequest, pause } from '#http/held-requests.js';
import type { Sandbox } from '#state/state.js';
import { notification } from '../messages/message.js';
import { isSince, type Revision } from '../messages/revision.js';
import { Cancelled } from '../messages/rpc-error.js';
import type { McpParts } from './parts.js';

export interface Client {
  readonly info: JsonObject | undefined;
  readonly capabilities: JsonObject;
  /** The owner of the access token; empty without one. */
  readonly principal: string;
}

/** Carries messages about a call to its client. */
export interface Channel {
  /** Holds the call while it takes time. The signal is aborted when the call is cancelled. */
  hold(): HeldRequest;
  send(message: JsonObject): Awaitable<void>;
  /** Ends the connection, so that the client has to resume the stream. */
  disconnect?(): Awaitable<void>;
}

export interface Call {
  readonly parts: McpParts;
  readonly sandbox: Sandbox;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly revision: Revision;
  readonly method: string;
  readonly params: JsonObject;
  readonly client: Client;
  /** Revisions that this address supports. */
  readonly supported: readonly Revision[];
  readonly pageSize: number | undefined;
  /** Absent if the client gets no log messages. */
  readonly logLevel: LogLevel | undefined;
  /** Responses of the client to requests for input, by their keys. */
  readonly inputs: JsonObject;
  /** State of an earlier round. */
  readonly state: unknown;
  readonly channel: Channel;
}

export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

/** Waits; throws {@link Cancelled} if the call is cancelled meanwhile. */
export async function wait({ channel }: Call, ms: number): Promise<void> {
  const heldRequest = channel.hold();
  await pause(ms, heldRequest);
  await turns.whenFree();
  if (heldRequest.signal.aborted) throw new Cancelled();
}

/** Sends a log message if its level is at or above the level of the client. */
export async function writeLog(call: Call, level: LogLevel, data: unknown): Promise<void> {
  const { logLevel, channel } = call;
  if (logLevel === undefined || logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return;
  await channel.send(notification('notifications/message', { level, logger: 'practice', data }));
}

export function progressTokenOf({ params }: Pick<Call, 'params'>): string | number | undefined {
  const { progressToken } = (params._meta ?? {}) as { progressToken?: unknown };
  const isToken = typeof progressToken === 'string' || Number.isSafeInteger(progressToken);
  return isToken ? (progressToken as string | number) : undefined;
}

/** Reports progress, if the client has sent a token for it. */
export async function reportProgress(
  call: Call,
  progress: number,
  total: number,
  message?: string,
): Promise<void> {
  const progressToken = progressTokenOf(call);
  if (progressToken === undefined) return;
  const isTold = message !== undefined && isSince(call.revision, '2025-03-26');
  const params = { progressToken, progress, total, ...(isTold && { message }) };
  await call.channel.send(notification('notifications/progress', params));
}
