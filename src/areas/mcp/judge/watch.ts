/** Watches the exchanges of a sandbox, and records which rules its clients keep and break. */

import type { Awaitable } from '../../../base/awaitable.js';
import { isObject, type JsonObject } from '../../../base/json-object.js';
import { redact } from '../../../base/text/redact.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { type Observation, type Rule, recordObservations } from '../../../kit/verdict/findings.js';
import { ignoringOutages } from '../../../kit/verdict/ignoring-outages.js';
import { type LogSpace, type Sandbox, sharedSandboxName } from '../../../state/state.js';
import { type Message, maxBatch, readMessage } from '../messages/message.js';
import { RpcError } from '../messages/rpc-error.js';
import { receivedBody } from '../receive-body.js';
import { isOfStateless } from '../revisions/is-stateless.js';
import { statelessRevision } from '../revisions/revision.js';
import { oldPaths, sessionSpace } from '../sessions/session.js';
import { clientRules, judgeName } from './all-rules.js';
import {
  clientKey,
  memoryEnd,
  memorySpace,
  namedKey,
  sessionKey,
  withRequests,
  withResponse,
} from './memory.js';
import { isRequest, type Observed } from './observed.js';
import { type Memory, noMemory } from './remembered.js';

/** One message, as the page and the settings list it. */
export interface Heard {
  readonly from: 'client' | 'server';
  readonly what: string;
  readonly requestId: string;
  readonly atMs: number;
}

/** One log, under the key {@link judgeName}. */
export const heardLog: LogSpace<true, Heard> = {
  name: 'mcp-messages',
  maxKeys: 1,
  maxEntries: 200,
  isAlwaysThere: true,
};

interface Watched {
  readonly observed: Observed;
  readonly key: string;
}

const watched = new WeakMap<Request, Watched>();

/** Judges a request. The shared sandbox has no judge, because all its clients would be one. */
export async function watch(request: Request, isProtected: boolean): Promise<void> {
  const { sandbox } = request;
  if (sandbox.name === sharedSandboxName || watched.has(request)) return;
  await ignoringOutages(async () => {
    const before = await observe(request, isProtected);
    const key = clientKey(before);
    const memory = (await sandbox.read(memorySpace, key)) ?? noMemory;
    const observed = { ...before, memory };
    watched.set(request, { observed, key });
    await recordObservations(sandbox, judgeName, request.id, judge(observed));
    await rememberHeard(
      request,
      key,
      (each, nowMs) => withRequests(pastDelay(each), observed, nowMs),
      { from: 'client', what: describe(observed) },
    );
  });
}

/** A delay counts for the next request only. */
function pastDelay({ notBeforeMs: _, ...memory }: Memory): Memory {
  return memory;
}

export function judge(observed: Observed): readonly Observation[] {
  return clientRules.flatMap((rule): readonly Observation[] => {
    const checked = rule.check(observed);
    if (checked === undefined) return [];
    return checked === true ? [{ rule }] : [{ rule, sent: checked }];
  });
}

async function observe(request: Request, isProtected: boolean): Promise<Observed> {
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
    requests: messages.filter(isRequest),
    isBatch: Array.isArray(value),
    revision: session?.revision ?? (isStateless ? statelessRevision : undefined),
    isProtected,
    isOld: Object.values<string | undefined>(oldPaths).includes(request.route?.path),
    memory: noMemory,
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

/** Notes a JSON-RPC response, before it is sent. */
export async function noteResponse(request: Request, message: JsonObject): Promise<void> {
  const { key } = watched.get(request) ?? {};
  if (key === undefined) return;
  await ignoringOutages(async () => {
    const { id, error } = message;
    const outcome = isObject(error) ? `error ${error.code}: ${error.message}` : 'result';
    await rememberHeard(request, key, (memory) => withResponse(memory, message), {
      from: 'server',
      what: `${JSON.stringify(id) ?? 'no id'} ${outcome}`,
    });
  });
}

/** Notes a status that a client must react to. Also for failures before the handler. */
export async function noteStatus(request: Request, reply: Reply): Promise<void> {
  const { statusCode } = reply;
  const isNews = [401, 403, 404, 429, 503].includes(statusCode);
  if (!isNews || request.sandbox.name === sharedSandboxName) return;
  await watch(request, false);
  const { key, observed } = watched.get(request) ?? {};
  if (key === undefined) return;
  const retryAfter = Number(reply.getHeader('retry-after'));
  const challenge = String(reply.getHeader('www-authenticate'));
  const isStepUp = statusCode === 403 && challenge.includes('insufficient_scope');
  const ids = observed?.requests.map(({ id }) => id) ?? [];
  const isGone = statusCode === 404 && request.headers['mcp-session-id'] !== undefined;
  await ignoringOutages(async () => {
    await remember(request.sandbox, key, ({ forbidden, ...memory }, nowMs) => ({
      ...memory,
      exchanges: memory.exchanges.map((each) =>
        ids.includes(each.id) ? { ...each, isOpen: false } : each,
      ),
      forbidden: isStepUp ? forbidden + 1 : forbidden,
      ...(retryAfter > 0 && { notBeforeMs: nowMs + 1000 * retryAfter }),
      ...(isGone && { isGone }),
    }));
    // The client has no session when it begins another.
    const named = isGone && observed?.session && namedKey(observed, observed.session.client);
    if (named) await remember(request.sandbox, named, (memory) => ({ ...memory, isGone }));
  });
}

/** Notes the request that began a session, whose id the session must not use again. */
export async function noteSession(request: Request, sessionId: string): Promise<void> {
  const { observed } = watched.get(request) ?? {};
  if (observed === undefined) return;
  await ignoringOutages(() =>
    remember(request.sandbox, sessionKey(sessionId), (memory, nowMs) => {
      const { exchanges, ...others } = withRequests(memory, observed, nowMs);
      return { ...others, exchanges: exchanges.map((each) => ({ ...each, isOpen: false })) };
    }),
  );
}

/** Notes a rule that is about a misbehaviour, when its client meets or accepts it. */
export async function noteRule(request: Request, rule: Rule, sent?: string): Promise<void> {
  const { sandbox, id } = request;
  if (sandbox.name === sharedSandboxName) return;
  const observation = sent === undefined ? { rule } : { rule, sent };
  await ignoringOutages(() => recordObservations(sandbox, judgeName, id, [observation]));
}

/** Ends exchanges that the client has closed. */
export function noteClosed(request: Request, id: unknown): Promise<void> {
  return noteResponse(request, { id, error: { code: 0, message: 'closed by the client' } });
}

function remember(
  sandbox: Sandbox,
  key: string,
  change: (memory: Memory, nowMs: number) => Memory,
): Awaitable<void> {
  return sandbox.update(memorySpace, key, (memory: Memory | undefined, nowMs) => ({
    value: change(memory ?? noMemory, nowMs),
    expiresAtMs: memoryEnd(nowMs),
    result: undefined,
  }));
}

const maxHeardLength = 200;

function describe({ httpMethod, messages }: Observed): string {
  const names = messages.map((each) =>
    each.kind === 'reply' ? `response ${each.id}` : `${each.method}`,
  );
  return `${httpMethod} ${names.join(', ')}`.trim();
}

/** Changes the memory, and lists a message, in one step. */
async function rememberHeard(
  { sandbox, id: requestId }: Request,
  key: string,
  change: (memory: Memory, nowMs: number) => Memory,
  { from, what }: Pick<Heard, 'from' | 'what'>,
): Promise<void> {
  await sandbox.transact((view) => {
    const { nowMs } = view;
    const memory = change(view.read(memorySpace, key) ?? noMemory, nowMs);
    view.write(memorySpace, key, memory, { expiresAtMs: memoryEnd(nowMs) });
    const heard = { from, what: redact(what).slice(0, maxHeardLength), requestId, atMs: nowMs };
    view.append(heardLog, judgeName, heard, '');
  });
}

export async function forgetMessages(sandbox: Sandbox): Promise<void> {
  await sandbox.transact((view) => view.write(heardLog, judgeName, undefined));
}
