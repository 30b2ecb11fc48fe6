/** Observes each request once, and shows it to the judge. */

import type { JsonObject } from '../../../base/json-object.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { ignoringOutages } from '../../../kit/verdict/ignoring-outages.js';
import { sharedSandboxName } from '../../../state/state.js';
import type { Seen } from '../judge/observed.js';
import { judgeRequest, noteStatus, recognise, statusesToNote } from '../judge/watch.js';
import { isOfStateless } from '../messages/is-stateless.js';
import { type Message, maxBatch, type RpcRequest, readMessage } from '../messages/message.js';
import { statelessRevision } from '../messages/revision.js';
import { RpcError } from '../messages/rpc-error.js';
import { oldPaths, sessionSpace } from '../model/session.js';
import { usualTool } from '../tools/all-tools.js';
import { keepWatched, receivedBody, watchedOf } from './receive-body.js';

/** The shared sandbox has no judge, because all its clients would be one. */
export async function observe(request: Request, isProtected: boolean): Promise<void> {
  if (request.sandbox.name === sharedSandboxName || watchedOf(request) !== undefined) return;
  await ignoringOutages(async () => {
    const watched = await recognise(request, await seenIn(request, isProtected));
    keepWatched(request, watched);
    await judgeRequest(watched);
  });
}

/** Notes a status that a client must react to. Also for failures before the handler. */
export async function observeStatus(request: Request, reply: Reply): Promise<void> {
  if (!statusesToNote.includes(reply.statusCode)) return;
  await observe(request, false);
  const watched = watchedOf(request);
  if (watched !== undefined) await noteStatus(watched, reply);
}

async function seenIn(request: Request, isProtected: boolean): Promise<Seen> {
  const { sandbox, headers, query, method: httpMethod } = request;
  const { sessionId: inQuery } = query as { sessionId?: unknown };
  const sessionId = headers['mcp-session-id'] ?? inQuery;
  const stored =
    typeof sessionId === 'string' ? await sandbox.read(sessionSpace, sessionId) : undefined;
  const session = stored && { ...stored, id: String(sessionId) };
  const received = receivedBody(request);
  // A longer batch is rejected anyway.
  const value = Array.isArray(received) ? received.slice(0, maxBatch) : received;
  const messages = messagesIn(value);
  const isStateless = session === undefined && isOfStateless(headers, messages[0]);
  return {
    ...{ httpMethod, headers, query: query as JsonObject, value, messages, session, isStateless },
    requests: messages.filter((each): each is RpcRequest => each.kind === 'request'),
    isBatch: Array.isArray(value),
    revision: session?.revision ?? (isStateless ? statelessRevision : undefined),
    isProtected,
    schemaOf: (tool) => usualTool(tool)?.inputSchema,
    isOld: Object.values<string | undefined>(oldPaths).includes(request.route?.path),
    nowMs: await sandbox.now(),
  };
}

/** Leaves invalid messages out; rules read them from the body. */
function messagesIn(value: unknown): readonly Message[] {
  return [value].flat().flatMap((each) => {
    try {
      return [readMessage(each)];
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return [];
    }
  });
}
