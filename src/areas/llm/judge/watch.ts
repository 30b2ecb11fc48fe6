/** Watches the exchanges of clients, and records what they do with broken streams and rules. */

import type { JsonObject } from '#base/json-object.js';
import type { Reply, Request } from '#http/exchange.js';
import type { HttpError } from '#http/http-error.js';
import { arrivalBefore } from '#kit/verdict/exchange.js';
import { type Observation, recordObservations } from '#kit/verdict/findings.js';
import { isHeldBack, noteWhenSent } from '#kit/verdict/handover.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { changeTestStep } from '#kit/verdict/test-runs.js';
import {
  CapacityError,
  StateFullError,
  sharedSandboxName,
  type Transaction,
} from '#state/state.js';
import type { Completion, Conversation } from '../messages/conversation.js';
import { hasKey } from '../messages/keys.js';
import { runCaseOf } from '../messages/mount.js';
import type { Provider } from '../messages/provider.js';
import { llmRuns, type Observed, observe, type Step } from '../plan/runs.js';
import { brokenStream } from '../streams/cases.js';
import {
  type Broken,
  callDigest,
  cutCallsOf,
  digest,
  digestsOf,
  type Exchange,
  historyKey,
  historyMs,
  historySpace,
  maxExchanges,
  wholeOf,
} from './history.js';
import { type Check, checkRules, judgeStream } from './judge-relation.js';
import { relate, type Sent } from './relate.js';
import { judgeName, ruleNamed } from './rules.js';

/** The shared sandbox has no judge outside of runs, because all its clients would be one. */
const isJudged = (request: Request) =>
  request.sandbox.name !== sharedSandboxName || runCaseOf(request) !== undefined;

/** The same text only for the same request of the same client: some have the model in the path. */
function sentOf({ request: { url, headers }, provider, body }: Judged) {
  const keys = (provider.keyPlaces?.headers ?? []).map((name) => headers[name]);
  return digest([url, headers.authorization, ...keys, body]);
}

/** A key in the query of another provider was rejected before. */
function checkKeyPlace({ request, provider: { keyPlaces } }: Judged): Check {
  if (keyPlaces === undefined) return undefined;
  const { parameter } = keyPlaces;
  return parameter === undefined || !hasKey((request.query as JsonObject)[parameter]);
}

/** Now, by the real clock. */
const nowMs = () => performance.timeOrigin + performance.now();

/** Returns when a request was sent, which may be long before it is judged. */
async function sentAt(judged: Judged, conversation: Conversation): Promise<Sent> {
  const { request, reply } = judged;
  const arrival = arrivalBefore(reply, nowMs());
  const agoMs = performance.now() - reply.startedAtMs;
  const atMs = (await request.sandbox.now()) - agoMs;
  return { conversation, sent: sentOf(judged), arrival, atMs };
}

export interface Judged {
  readonly request: Request;
  readonly reply: Reply;
  readonly provider: Provider;
  readonly body: JsonObject;
}

/** Judges a valid request by the earlier ones. */
export async function judgeRequest(judged: Judged, conversation: Conversation): Promise<void> {
  const { request } = judged;
  if (!isJudged(request)) return;
  const { sandbox, headers, id } = request;
  const key = historyKey(runCaseOf(request));
  await ignoringOutages(async () => {
    const history = await sandbox.read(historySpace, key);
    const hasThinking = conversation.turns.some((turn) => turn.hasThinking);
    const unaltered = hasThinking && { 'thinking-unaltered': true };
    await record(request, { 'key-not-in-url': checkKeyPlace(judged), ...unaltered }, '');
    const sent = await sentAt(judged, conversation);
    const relation = history && relate(sent, history);
    if (relation === undefined) return;
    const { kind, exchange, isSame } = relation;
    if (kind === 'repeat' && isSame) await amend(request, { repeatedBy: id }, exchange.requestId);
    const observed = judgeStream(relation);
    if (observed !== undefined) await observeStep(request, observed);
    const checks = checkRules(relation, sent, {
      isAutomatic: Number(headers['x-stainless-retry-count'] ?? 0) > 0,
      isWaitDemanded: judged.provider.demandsWait === true,
    });
    await record(request, checks, `${kind} of request ${exchange.requestId}`);
  });
}

async function observeStep(request: Request, observed: Observed): Promise<void> {
  const runCase = runCaseOf(request);
  if (runCase === undefined) return;
  const evidence = `${observed.evidence} (request ${request.id})`;
  const change = (step: Step) => observe(step, { ...observed, evidence });
  await changeTestStep(llmRuns, request.sandbox, runCase, change);
}

/** Records the rule that an invalid request breaks, if it breaks one. */
export async function judgeMistake(request: Request, { extra }: HttpError): Promise<void> {
  const { rule, decidedBy } = extra;
  if (typeof rule !== 'string' || !isJudged(request)) return;
  const check = typeof decidedBy === 'string' ? { decidedBy } : false;
  await record(request, { [rule]: check }, `request ${request.id}`);
}

/** Records what a request says about rules. A full sandbox or an outage changes no response. */
export async function record(
  request: Request,
  checks: Readonly<Record<string, Check>>,
  sent: string,
): Promise<void> {
  const { sandbox, id } = request;
  if (sandbox.name === sharedSandboxName) return;
  const observations = Object.entries(checks).flatMap(([name, isKept]): Observation[] => {
    const rule = ruleNamed(name);
    if (rule === undefined || isKept === undefined) return [];
    if (typeof isKept === 'object') return [{ rule, sent, ...isKept }];
    return [isKept ? { rule } : { rule, sent }];
  });
  if (observations.length === 0) return;
  await ignoringOutages(() => recordObservations(sandbox, judgeName, id, observations));
}

/** Arguments that the stream itself has changed are never whole. */
const wholeCallsOf = ({ calls }: Completion, { name }: Broken) =>
  brokenStream(name).arguments ? [] : calls.map(callDigest);

export interface Completed {
  readonly completion: Completion;
  readonly isStream: boolean;
  readonly broken: Broken | undefined;
}

/** Remembers the completion to a request, before it is sent, in one step with a change that is made in any case. */
export async function rememberCompletion<Result>(
  judged: Judged,
  conversation: Conversation,
  { completion, isStream, broken }: Completed,
  change: (view: Transaction) => Result,
): Promise<Result> {
  const { request } = judged;
  if (!isJudged(request)) return request.sandbox.transact(change);
  const outcome: Outcome = {
    whole: wholeOf(completion),
    callIds: completion.calls.map(({ id }) => id),
    cut: cutCallsOf(completion, conversation),
    ...(broken?.at === 'arguments' && { wholeCalls: wholeCallsOf(completion, broken) }),
    ...(broken && { broken }),
    hasContent: broken !== undefined && broken.at !== 'start',
  };
  const exchange = exchangeOf(judged, conversation, outcome, isStream);
  const result = await rememberWith(request, exchange, change);
  if (!isStream) await amendWhenSent(request, exchange);
  const runCase = runCaseOf(request);
  if (broken === undefined || runCase === undefined) return result;
  const { nature } = broken;
  const meet = (step: Step): Step => ({ ...step, metBy: step.metBy ?? request.id, nature });
  await ignoringOutages(async () => {
    await changeTestStep(llmRuns, request.sandbox, runCase, meet);
  });
  return result;
}

/** Remembers how long the client should wait. */
export async function rememberFailure(
  judged: Judged,
  conversation: Conversation,
  { headers }: HttpError,
): Promise<void> {
  const { request } = judged;
  if (!isJudged(request)) return;
  const inMs = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  await ignoringOutages(async () => {
    const sandboxMs = await request.sandbox.now();
    const exchange = exchangeOf(judged, conversation, {
      ...(inMs > 0 && { notBeforeMs: sandboxMs + inMs }),
      ...(headers['x-should-retry'] === 'false' && { mustNotRetry: true }),
    });
    await request.sandbox.transact((view) => remember(view, request, exchange));
    await amendWhenSent(request, exchange);
  });
}

/** Changes what is remembered of the response to a request, or to an earlier one. */
export async function amend(
  request: Request,
  more: Partial<Exchange>,
  id: string = request.id,
): Promise<void> {
  if (!isJudged(request)) return;
  await ignoringOutages(() =>
    request.sandbox.update(
      historySpace,
      historyKey(runCaseOf(request)),
      (history: readonly Exchange[] = [], atMs) => ({
        value: history.map((each) => (each.requestId === id ? { ...each, ...more } : each)),
        expiresAtMs: atMs + historyMs,
        result: undefined,
      }),
    ),
  );
}

/** Judges a request that continues a response by its id, although the stream was broken. */
export async function judgeFragment(request: Request, responseId: unknown): Promise<void> {
  const runCase = runCaseOf(request);
  if (typeof responseId !== 'string' || !isJudged(request)) return;
  await ignoringOutages(async () => {
    const history = (await request.sandbox.read(historySpace, historyKey(runCase))) ?? [];
    const found = history.find((each) => each.responseId === responseId);
    if (found === undefined) return;
    const evidence = 'The client continued with the fragment.';
    await observeStep(request, { outcome: 'mishandled', evidence });
    const { rule } = found.broken ? brokenStream(found.broken.name) : {};
    if (rule !== undefined) await record(request, { [rule]: false }, `continues ${responseId}`);
  });
}

/**
 * Notes when the last bytes of a stream are sent; by default, now. Until then, no request reacts to
 * the stream.
 */
export const noteStreamEnd = (
  request: Request,
  agoMs = 0,
  more: Pick<Exchange, 'hasContent'> = {},
): Promise<void> =>
  noteWhenSent(request, async (isSent) => {
    if (isSent) await amend(request, { respondedAtMs: nowMs() - agoMs, ...more });
  });

type Outcome = Omit<
  Exchange,
  'requestId' | 'turns' | 'digest' | 'textLength' | 'sent' | 'respondedAtMs' | 'connection'
>;

function exchangeOf(
  judged: Judged,
  conversation: Conversation,
  outcome: Outcome,
  isStream = false,
): Exchange {
  const { request, reply } = judged;
  const beganAtMs = nowMs();
  const isLater = isStream || isHeldBack(request);
  const respondedAtMs = isLater ? Number.MAX_SAFE_INTEGER : beganAtMs;
  const { connection } = arrivalBefore(reply, beganAtMs);
  return {
    requestId: request.id,
    turns: conversation.turns.length,
    digest: digestsOf(conversation).at(-1) ?? '',
    textLength: conversation.turns.at(-1)?.text.length ?? 0,
    sent: sentOf(judged),
    respondedAtMs,
    ...(connection !== undefined && { connection }),
    ...outcome,
  };
}

function remember(view: Transaction, request: Request, exchange: Exchange): void {
  const key = historyKey(runCaseOf(request));
  const history = [...(view.read(historySpace, key) ?? []), exchange].slice(-maxExchanges);
  view.write(historySpace, key, history, { expiresAtMs: view.nowMs + historyMs });
}

/** Without room for the exchange, only the other change is made. */
async function rememberWith<Result>(
  request: Request,
  exchange: Exchange,
  change: (view: Transaction) => Result,
): Promise<Result> {
  const { sandbox } = request;
  try {
    return await sandbox.transact((view) => {
      remember(view, request, exchange);
      return change(view);
    });
  } catch (error) {
    if (!(error instanceof CapacityError || error instanceof StateFullError)) throw error;
    return sandbox.transact(change);
  }
}

/** Notes when a response that is held back reaches the client. Until then, no request reacts to it. */
async function amendWhenSent(request: Request, { notBeforeMs }: Exchange): Promise<void> {
  if (!isHeldBack(request)) return;
  const beganAtMs = nowMs();
  await noteWhenSent(request, async (isSent) => {
    if (!isSent) return;
    const respondedAtMs = nowMs();
    const heldMs = respondedAtMs - beganAtMs;
    await amend(request, {
      respondedAtMs,
      ...(notBeforeMs !== undefined && { notBeforeMs: notBeforeMs + heldMs }),
    });
  });
}

const ofSilence: Readonly<Record<'handled' | 'mishandled', Observed>> = {
  handled: { outcome: 'handled', evidence: 'The client closed the silent stream.' },
  mishandled: {
    outcome: 'mishandled',
    isCertain: true,
    evidence: 'The client waited for more than 15 s in silence.',
  },
};

/** Records what a client did while the stream was silent. */
export const judgeSilence = (request: Request, outcome: 'handled' | 'mishandled') =>
  ignoringOutages(() => observeStep(request, ofSilence[outcome]));
