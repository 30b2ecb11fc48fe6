/** What is known of a connection of HTTP/2, and how a caller has it ended: RFC 9113. */

import type { IncomingMessage } from 'node:http';
import type { Settings } from 'node:http2';
import { HttpError } from '../../../http/http-error.js';
import { http2RequestOf, ownSettings } from '../../../kit/connection.js';

export interface Http2View {
  readonly streamId: number;
  /** Streams of this connection that are open, with this one. */
  readonly openStreams: number;
  /** What this service told the client, and the client this service. */
  readonly ownSettings: SettingsView;
  readonly clientSettings: SettingsView;
  /** What the client may still be sent: on the connection, and on this stream. */
  readonly connectionWindow: number;
  readonly streamWindow: number;
}

type SettingsView = Readonly<Record<string, number | boolean>>;

const shownSettings = [
  'headerTableSize',
  'enablePush',
  'maxConcurrentStreams',
  'initialWindowSize',
  'maxFrameSize',
  'maxHeaderListSize',
  'enableConnectProtocol',
] as const satisfies readonly (keyof Settings)[];

/** Null for a request of another version. */
export function describeHttp2(message: IncomingMessage): Http2View | null {
  const request = http2RequestOf(message);
  const session = request?.stream.session;
  if (request === undefined || session === undefined) return null;
  const { stream } = request;
  return {
    streamId: stream.id ?? 0,
    openStreams: request.openStreams,
    // What Node calls so is in force only once the client has acknowledged it.
    ownSettings: { ...shown(session.localSettings), ...ownSettings },
    clientSettings: shown(session.remoteSettings),
    connectionWindow: session.state.remoteWindowSize ?? 0,
    streamWindow: windowOf(stream.state),
  };
}

/** Node calls the window of a stream by another name than its types do. */
function windowOf(state: object): number {
  const { localWindowSize = 0 } = state as { readonly localWindowSize?: number };
  return localWindowSize;
}

function shown(settings: Settings): SettingsView {
  const entries = shownSettings.flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The codes of section 7, by name. */
export const errorCodes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const;

const maxCode = 0xffff_ffff;

/** An error code as a number, or by its name in any letter case. Throws 400. */
export function parseErrorCode(field: string, text: string): number {
  const place = errorCodes.indexOf(text.toUpperCase().replaceAll('-', '_') as 'NO_ERROR');
  if (place >= 0) return place;
  if (/^\d{1,10}$/.test(text) && Number(text) <= maxCode) return Number(text);
  const message = `${field} must be an error code of HTTP/2, from 0 to ${maxCode} or by name (${errorCodes.join(', ')}); got ${JSON.stringify(text.slice(0, 100))}.`;
  throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

export interface Ending {
  readonly rst?: number | undefined;
  readonly goaway?: number | undefined;
}

/** Does as the caller asked, where that means something; says whether the request is lost by it. */
export function endHttp2(message: IncomingMessage, { rst, goaway }: Ending): boolean {
  const request = http2RequestOf(message);
  if (request === undefined) return false;
  if (goaway !== undefined) request.goAway(goaway);
  if (rst === undefined) return false;
  request.cancel(rst);
  return true;
}
