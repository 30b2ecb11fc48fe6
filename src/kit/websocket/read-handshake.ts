/** Parses WebSocket handshakes: RFC 6455 section 4.2.1, and RFC 8441 section 5. */

import { createHash } from 'node:crypto';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { upgradeOption } from '#http/status/status-companions.js';
import { isExtendedConnect, isWebSocketHandshake } from '#wire/upgrade.js';

export interface Handshake {
  /** Value of Sec-WebSocket-Accept; absent on HTTP/2. */
  readonly accept: string | undefined;
  readonly protocols: readonly string[];
}

/** RFC 6455 section 1.3. */
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const keyForm = /^[+/0-9A-Za-z]{21}[AQgw]==$/;
const tokenForm = /^[!#$%&'*+\-.^_`|~\w]+$/;

const howToConnect = 'Connect to it with ws:// or wss://.';

/**
 * Throws 426 for a request without a handshake or with another version, and 400 for a malformed
 * handshake.
 */
export function readHandshake({ raw, headers }: Request, reply: Reply): Handshake {
  if (!isWebSocketHandshake(raw))
    throw upgradeRequired(reply, `This is a WebSocket endpoint. ${howToConnect}`);
  const version = headers['sec-websocket-version'];
  if (version !== '13') {
    throw upgradeRequired(
      reply,
      `Sec-WebSocket-Version must be 13; got ${version === undefined ? 'none' : `"${version}"`}.`,
      { 'sec-websocket-version': '13' },
    );
  }
  const accept = isExtendedConnect(raw)
    ? undefined
    : acceptOf(readKey(headers['sec-websocket-key']));
  return { accept, protocols: parseProtocols(headers['sec-websocket-protocol']) };
}

function readKey(key: unknown): string {
  if (typeof key === 'string' && keyForm.test(key)) return key;
  throw new HttpError(400, 'Sec-WebSocket-Key must be sent once, with 16 random bytes in Base64.');
}

function acceptOf(key: string): string {
  return createHash('sha1')
    .update(key + guid)
    .digest('base64');
}

/** Throws 400 unless the header is a list of different tokens. */
function parseProtocols(sent: string | undefined): readonly string[] {
  if (sent === undefined) return [];
  const protocols = sent.split(',').map((each) => each.trim());
  if (
    protocols.every((each) => tokenForm.test(each)) &&
    new Set(protocols).size === protocols.length
  ) {
    return protocols;
  }
  throw new HttpError(
    400,
    'Sec-WebSocket-Protocol must be a list of different names, separated by commas, without spaces or separators.',
  );
}

/** Connection lists headers that apply only to this connection (RFC 9110 section 7.8). */
function upgradeRequired({ raw }: Reply, message: string, headers: object = {}): HttpError {
  const connection = upgradeOption(raw);
  return new HttpError(426, message, {
    headers: { upgrade: 'websocket', ...(connection && { connection }), ...headers },
  });
}
