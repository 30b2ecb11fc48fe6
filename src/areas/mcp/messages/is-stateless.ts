/** Tells revision 2026-07-28, which has no sessions, from the older ones. */

import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '#base/json-object.js';
import type { Message } from './message.js';
import { isRevision, statelessRevision } from './revision.js';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Clients of both kinds send Mcp-Method with `initialize`, too. */
export function isOfStateless(headers: IncomingHttpHeaders, message: Message | undefined): boolean {
  const isReply = message === undefined || message.kind === 'reply';
  const meta = isReply ? undefined : message.params._meta;
  if (isObject(meta) && versionKey in meta) return true;
  const { 'mcp-protocol-version': version, 'mcp-session-id': session } = headers;
  if (version !== undefined) {
    return version === statelessRevision || (!isRevision(version) && !session);
  }
  const isInitialize = !isReply && message.method === 'initialize';
  return headers['mcp-method'] !== undefined && session === undefined && !isInitialize;
}
