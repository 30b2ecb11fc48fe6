/** Judges a request and its responses, and records which rules its client keeps and breaks. */

import type { Awaitable } from '../../../base/awaitable.js';
import { isObject, type JsonObject } from '../../../base/json-object.js';
import { redact } from '../../../base/text/redact.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { type Observation, type Rule, recordObservations } from '../../../kit/verdict/findings.js';
import { ignoringOutages } from '../../../kit/verdict/ignoring-outages.js';
import { type LogSpace, type Sandbox, sharedSandboxName } from '../../../state/state.js';
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
import type { Observed, Seen } from './observed.js';
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

type Judged = Pick<Request, 'sandbox' | 'id'>;

/** A request that the judge watches. */
export interface Watched {
  readonly request: Judged;
  readonly observed: Observed;
  /** Identifies the client. */
  readonly key: string;
}

/** Adds what the judge remembers of the client. */
export async function recognise({ sandbox, id }: Judged, seen: Seen): Promise<Watched> {
  const key = clientKey(seen);
  const memory = (await sandbox.read(memorySpace, key)) ?? noMemory;
  return { request: { sandbox, id }, observed: { ...seen, memory }, key };
}

export async function judgeRequest(watched: Watched): Promise<void> {
  const { request, observed } = watched;
  await recordObservations(request.sandbox, judgeName, request.id, judge(observed));
  await rememberHeard(watched, (each, nowMs) => withRequests(pastDelay(each), observed, nowMs), {
    from: 'client',
    what: describe(observed),
  });
}

/** A delay counts for the next request only. */
function pastDelay({ notBeforeMs: _, ...memory }: Memory): Memory {
  return memory;
}

function judge(observed: Observed): readonly Observation[] {
  return clientRules.flatMap((rule): readonly Observation[] => {
    const checked = rule.check(observed);
    if (checked === undefined) return [];
    return checked === true ? [{ rule }] : [{ rule, sent: checked }];
  });
}

/** Notes a JSON-RPC response, before it is sent. */
export async function noteResponse(watched: Watched, message: JsonObject): Promise<void> {
  await ignoringOutages(async () => {
    const { id, error } = message;
    const outcome = isObject(error) ? `error ${error.code}: ${error.message}` : 'result';
    await rememberHeard(watched, (memory) => withResponse(memory, message), {
      from: 'server',
      what: `${JSON.stringify(id) ?? 'no id'} ${outcome}`,
    });
  });
}

/** Statuses that a client must react to. */
export const statusesToNote: readonly number[] = [401, 403, 404, 429, 503];

/** Notes a status, also of a failure before the handler. */
export async function noteStatus(
  { request: { sandbox }, observed, key }: Watched,
  reply: Reply,
): Promise<void> {
  const { statusCode } = reply;
  const retryAfter = Number(reply.getHeader('retry-after'));
  const challenge = String(reply.getHeader('www-authenticate'));
  const isStepUp = statusCode === 403 && challenge.includes('insufficient_scope');
  const ids = observed.requests.map(({ id }) => id);
  const isGone = statusCode === 404 && observed.headers['mcp-session-id'] !== undefined;
  await ignoringOutages(async () => {
    await remember(sandbox, key, ({ forbidden, ...memory }, nowMs) => ({
      ...memory,
      exchanges: memory.exchanges.map((each) =>
        ids.includes(each.id) ? { ...each, isOpen: false } : each,
      ),
      forbidden: isStepUp ? forbidden + 1 : forbidden,
      ...(retryAfter > 0 && { notBeforeMs: nowMs + 1000 * retryAfter }),
      ...(isGone && { isGone }),
    }));
    // The client has no session when it begins another.
    const named = isGone && observed.session && namedKey(observed, observed.session.client);
    if (named) await remember(sandbox, named, (memory) => ({ ...memory, isGone }));
  });
}

/** Notes the request that began a session, whose id the session must not use again. */
export async function noteSession(
  { request: { sandbox }, observed }: Watched,
  sessionId: string,
): Promise<void> {
  await ignoringOutages(() =>
    remember(sandbox, sessionKey(sessionId), (memory, nowMs) => {
      const { exchanges, ...others } = withRequests(memory, observed, nowMs);
      return { ...others, exchanges: exchanges.map((each) => ({ ...each, isOpen: false })) };
    }),
  );
}

/** Notes a rule that is about a misbehaviour, when its client meets or accepts it. */
export async function noteRule({ sandbox, id }: Judged, rule: Rule, sent?: string): Promise<void> {
  if (sandbox.name === sharedSandboxName) return;
  const observation = sent === undefined ? { rule } : { rule, sent };
  await ignoringOutages(() => recordObservations(sandbox, judgeName, id, [observation]));
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
  { request: { sandbox, id: requestId }, key }: Watched,
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
