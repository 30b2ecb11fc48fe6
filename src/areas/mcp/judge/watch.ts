/** Judges a request and its responses, and records which rules its client keeps and breaks. */

import type { Awaitable } from '#base/awaitable.js';
import { isObject, type JsonObject } from '#base/json-object.js';
import { redact } from '#base/text/redact.js';
import type { Reply, Request } from '#http/exchange.js';
import { parseHttpDate } from '#http/headers/http-date.js';
import { type Observation, type Rule, recordObservations } from '#kit/verdict/findings.js';
import { noteWhenSent } from '#kit/verdict/handover.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { type LogSpace, type Sandbox, sharedSandboxName } from '#state/state.js';
import type { RpcId } from '../messages/message.js';
import { clientRules, judgeName } from './all-rules.js';
import {
  callOf,
  clientKey,
  connectionOf,
  isGoneAfter,
  loginKey,
  memoryEnd,
  memorySpace,
  namedKey,
  type Rejection,
  sessionKey,
  withForms,
  withoutDelays,
  withoutResponse,
  withRejection,
  withRequests,
  withResponse,
  withRetry,
} from './memory.js';
import type { Observed, Seen } from './observed.js';
import { type Memory, noMemory, type StepUp } from './remembered.js';

/** One message, as the page and the settings list it. */
export interface LoggedMessage {
  readonly from: 'client' | 'server';
  readonly what: string;
  readonly requestId: string;
  readonly atMs: number;
}

/** One log, under the key {@link judgeName}. */
export const messageLog: LogSpace<true, LoggedMessage> = {
  name: 'mcp-messages',
  maxKeys: 1,
  maxEntries: 200,
  isAlwaysThere: true,
};

type Judged = Pick<Request, 'sandbox' | 'id'>;

/** A request that the judge watches. */
export interface Watched {
  readonly request: Request;
  readonly observed: Observed;
  /** Identifies the client. */
  readonly key: string;
}

/** Adds what the judge remembers of the client. */
export async function recognise(request: Request, seen: Seen): Promise<Watched> {
  const key = clientKey(seen);
  const { sandbox } = request;
  const memory = { ...noMemory, ...(await sandbox.read(memorySpace, key)) };
  const ofLogin = seen.login && (await sandbox.read(memorySpace, loginKey(seen.login)));
  return { request, observed: { ...seen, memory, stepUp: ofLogin?.stepUp }, key };
}

export async function judgeRequest(watched: Watched): Promise<void> {
  const { request, observed } = watched;
  await recordObservations(request.sandbox, judgeName, request.id, judge(observed));
  const change = (memory: Memory, nowMs: number) =>
    withRequests(withoutDelays(memory, observed), observed, nowMs);
  await rememberHeard(watched, change, { from: 'client', what: describe(observed) });
}

function judge(observed: Observed): readonly Observation[] {
  return clientRules.flatMap((rule): readonly Observation[] => {
    const checked = rule.check(observed);
    if (checked === undefined) return [];
    if (checked === true) return [{ rule }];
    return typeof checked === 'string' ? [{ rule, sent: checked }] : [{ rule, ...checked }];
  });
}

/** Runs a note when the response is handed to the socket. An outage changes no response. */
const whenSent = ({ request }: Watched, note: (isSent: boolean) => Awaitable<void>) =>
  noteWhenSent(request, (isSent) => ignoringOutages(() => note(isSent)));

/** Notes a JSON-RPC response, before it is sent. */
export async function noteResponse(watched: Watched, message: JsonObject): Promise<void> {
  const { id, error } = message;
  const outcome = isObject(error) ? `error ${error.code}: ${error.message}` : 'result';
  await whenSent(watched, (isSent) =>
    rememberHeard(
      watched,
      (memory, nowMs) =>
        isSent ? withResponse(memory, message, nowMs) : withoutResponse(memory, [id]),
      { from: 'server', what: `${JSON.stringify(id) ?? 'no id'} ${outcome}` },
    ),
  );
}

/** Notes the forms among requests to the client; `ids` has their keys. */
export async function noteForms(
  { request: { sandbox }, key: client }: Watched,
  requests: unknown,
  ids: ReadonlyMap<RpcId, string>,
): Promise<void> {
  const idOf = (key: string) => [...ids].find(([, each]) => each === key)?.[0] ?? key;
  await ignoringOutages(() =>
    remember(sandbox, client, (memory) => withForms(memory, requests, idOf)),
  );
}

/** Notes a failure of HTTP, also one before the handler. */
export async function noteFailure(watched: Watched, reply: Reply): Promise<void> {
  const { request, observed, key } = watched;
  const { sandbox } = request;
  const { statusCode: status } = reply;
  const waitMs = retryAfterMs(reply.getHeader('retry-after'));
  const challenge = String(reply.getHeader('www-authenticate'));
  const stepUp = stepUpAfter(observed, challenge);
  const isStepUp = status === 403 && challenge.includes('insufficient_scope');
  const rejectionAt = (respondedAtMs: number): Rejection => ({
    ...{ status, isStepUp, respondedAtMs },
    ...(waitMs !== undefined && { notBeforeMs: respondedAtMs + waitMs }),
  });
  await whenSent(watched, async (isSent) => {
    await remember(sandbox, key, (memory, nowMs) =>
      isSent
        ? withRejection(memory, observed, rejectionAt(nowMs))
        : withoutResponse(
            memory,
            observed.requests.map(({ id }) => id),
          ),
    );
    if (!isSent) return;
    if (isStepUp && stepUp !== undefined && observed.login) {
      const key = loginKey(observed.login);
      await remember(sandbox, key, (memory) => ({ ...memory, stepUp }));
    }
    // The client has no session when it begins another.
    const isGone = isGoneAfter(observed, status);
    const named = isGone && observed.session && namedKey(observed, observed.session.client);
    if (!named) return;
    await remember(sandbox, named, (memory, respondedAtMs) => ({
      ...memory,
      gone: { respondedAtMs, ...connectionOf(observed) },
    }));
  });
}

/** Returns what a client needs after 403 with this challenge. */
function stepUpAfter({ login, requests }: Observed, challenge: string): StepUp | undefined {
  const [request] = requests;
  const [, scope = ''] = / scope="([^"]*)"/.exec(challenge) ?? [];
  if (login === undefined || request === undefined) return undefined;
  const scopes = [...new Set([...login.scopes, ...scope.split(' ')])];
  return { call: callOf(request), grantId: login.grantId, scopes };
}

/** Notes that a stream ended with the field `retry`, before the client can read it. */
export async function noteRetry(
  sandbox: Sandbox,
  sessionId: string,
  eventId: string,
  ms: number,
): Promise<void> {
  if (sandbox.name === sharedSandboxName) return;
  await ignoringOutages(() =>
    remember(sandbox, sessionKey(sessionId), (memory, nowMs) =>
      withRetry(memory, eventId, ms, nowMs),
    ),
  );
}

/** A date is by the real clock, to the second. */
function retryAfterMs(sent: unknown): number | undefined {
  const text = String(sent ?? '');
  if (/^\d+$/.test(text)) return 1000 * Number(text);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - Date.now() - 1000);
}

/** Lists what became of an elicitation, beside the messages. */
export async function noteElicitation(
  sandbox: Sandbox,
  id: string,
  what: string,
  requestId = '',
): Promise<void> {
  if (sandbox.name === sharedSandboxName) return;
  await ignoringOutages(() =>
    sandbox.transact((view) => {
      const message = { what: `elicitation ${id}: ${what}`, requestId, atMs: view.nowMs };
      view.append(messageLog, judgeName, { from: 'client', ...message }, '');
    }),
  );
}

/** Notes the request that began a session, whose id the session must not use again. */
export async function noteSession(watched: Watched, sessionId: string): Promise<void> {
  const { request, observed } = watched;
  await whenSent(watched, () =>
    remember(request.sandbox, sessionKey(sessionId), (memory, nowMs) => {
      const { exchanges, ...others } = withRequests(memory, observed, nowMs);
      const closed = { isOpen: false, respondedAtMs: nowMs };
      return { ...others, exchanges: exchanges.map((each) => ({ ...each, ...closed })) };
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
    value: change({ ...noMemory, ...memory }, nowMs),
    expiresAtMs: memoryEnd(nowMs),
    result: undefined,
  }));
}

const maxShownLength = 200;

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
  { from, what }: Pick<LoggedMessage, 'from' | 'what'>,
): Promise<void> {
  await sandbox.transact((view) => {
    const { nowMs } = view;
    const memory = change({ ...noMemory, ...view.read(memorySpace, key) }, nowMs);
    view.write(memorySpace, key, memory, { expiresAtMs: memoryEnd(nowMs) });
    const message = { from, what: redact(what).slice(0, maxShownLength), requestId, atMs: nowMs };
    view.append(messageLog, judgeName, message, '');
  });
}

export async function forgetMessages(sandbox: Sandbox): Promise<void> {
  await sandbox.transact((view) => view.write(messageLog, judgeName, undefined));
}
