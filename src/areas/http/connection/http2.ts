/** HTTP/2 connections (RFC 9113): describes them, and ends them on request. */

import type { IncomingMessage } from 'node:http';
import type { Settings } from 'node:http2';
import { rejectField } from '#http/http-error.js';
import { http2RequestOf, ownSettings } from '#kit/connection.js';

const shownSettings = [
  'headerTableSize',
  'enablePush',
  'maxConcurrentStreams',
  'initialWindowSize',
  'maxFrameSize',
  'maxHeaderListSize',
  'enableConnectProtocol',
] as const satisfies readonly (keyof Settings)[];

/** Returns the stream, the settings of both sides and the windows; null for another HTTP version. */
export function describeHttp2(message: IncomingMessage) {
  const request = http2RequestOf(message);
  const session = request?.stream.session;
  if (request === undefined || session === undefined) return null;
  const { stream, openStreams } = request;
  // At runtime, Node names the window of a stream differently than in its types.
  const { localWindowSize = 0 } = stream.state as { readonly localWindowSize?: number };
  return {
    streamId: stream.id ?? 0,
    openStreams,
    // Node's local settings apply only after the client has acknowledged them.
    ownSettings: { ...shown(session.localSettings), ...ownSettings },
    clientSettings: shown(session.remoteSettings),
    connectionWindow: session.state.remoteWindowSize ?? 0,
    streamWindow: localWindowSize,
  };
}

function shown(settings: Settings): object {
  const entries = shownSettings.map((name) => [name, settings[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The error codes of section 7, by name. */
const errorCodes = [
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
];

const maxCode = 0xffff_ffff;

/** Parses an error code: a number, or a name in any letter case. Throws 400. */
export function parseErrorCode(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const code = errorCodes.indexOf(text.toUpperCase().replaceAll('-', '_'));
  if (code >= 0) return code;
  if (/^\d{1,10}$/.test(text) && Number(text) <= maxCode) return Number(text);
  const message = `${field} must be an HTTP/2 error code, from 0 to ${maxCode} or by name (${errorCodes.join(', ')}); got ${JSON.stringify(text.slice(0, 100))}.`;
  return rejectField(field, message);
}

/** Resets the stream, or ends the connection. Returns whether the request is lost. */
export function endHttp2(
  message: IncomingMessage,
  rst: number | undefined,
  goaway: number | undefined,
): boolean {
  const request = http2RequestOf(message);
  if (request === undefined) return false;
  if (goaway !== undefined) request.goAway(goaway);
  if (rst !== undefined) request.cancel(rst);
  return rst !== undefined;
}
