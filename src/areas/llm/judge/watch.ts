/** Watches the exchanges of clients, and records what they do with broken streams and rules. */

import type { Request } from '../../../http/exchange.js';
import type { HttpError } from '../../../http/http-error.js';
import { type Observation, recordObservations } from '../../../kit/verdict/findings.js';
import { ignoringOutages } from '../../../kit/verdict/ignoring-outages.js';
import { sharedSandboxName } from '../../../state/state.js';
import type { Completion, Conversation } from '../messages/conversation.js';
import { runCaseOf } from '../messages/mount.js';
import { changeStep, observe } from '../plan/runs.js';
import { brokenStream } from '../streams/cases.js';
import {
  type Broken,
  cutIdsOf,
  digestsOf,
  type Exchange,
  historyKey,
  historyMs,
  historySpace,
  maxExchanges,
  wholeOf,
} from './history.js';
import { checkRules, judgeStream, relate } from './relate.js';
import { judgeName, ruleNamed } from './rules.js';

/** The shared sandbox has no judge outside of runs, because all its clients would be one. */
const isJudged = (request: Request) =>
  request.sandbox.name !== sharedSandboxName || runCaseOf(request) !== undefined;

/** Judges a valid request by the earlier ones. */
export async function judgeRequest(request: Request, conversation: Conversation): Promise<void> {
  if (!isJudged(request)) return;
  const { sandbox, headers, id } = request;
  const runCase = runCaseOf(request);
  await ignoringOutages(async () => {
    const history = await sandbox.read(historySpace, historyKey(runCase));
    const hasThinking = conversation.turns.some((turn) => turn.hasThinking);
    const unaltered = hasThinking && { 'thinking-unaltered': true };
    await record(request, { 'key-not-in-url': true, ...unaltered }, '');
    const relation = history && relate(conversation, history);
    if (relation === undefined) return;
    const { outcome, evidence } = judgeStream(relation);
    if (outcome !== undefined && runCase !== undefined) {
      await changeStep(sandbox, runCase, (step) =>
        observe(step, outcome, `${evidence} (request ${id})`),
      );
    }
    const retries = Number(headers['x-stainless-retry-count'] ?? 0);
    const checks = checkRules(relation, retries, await sandbox.now());
    await record(request, checks, `${relation.kind} of request ${relation.exchange.requestId}`);
  });
}

/** Records the rule that an invalid request breaks, if it breaks one. */
export async function judgeMistake(request: Request, { extra }: HttpError): Promise<void> {
  const { rule } = extra;
  if (typeof rule !== 'string' || !isJudged(request)) return;
  await record(request, { [rule]: false }, `request ${request.id}`);
}

/** Records rules that were kept (`true`) and broken. A full sandbox or an outage changes no response. */
export async function record(
  request: Request,
  checks: Readonly<Record<string, boolean | undefined>>,
  sent: string,
): Promise<void> {
  const { sandbox, id } = request;
  if (sandbox.name === sharedSandboxName) return;
  const observations = Object.entries(checks).flatMap(([name, isKept]): Observation[] => {
    const rule = ruleNamed(name);
    if (rule === undefined || isKept === undefined) return [];
    return [isKept ? { rule } : { rule, sent }];
  });
  if (observations.length === 0) return;
  await ignoringOutages(() => recordObservations(sandbox, judgeName, id, observations));
}

/** Remembers the completion to a request, before it is sent. */
export async function rememberCompletion(
  request: Request,
  conversation: Conversation,
  completion: Completion,
  broken: Broken | undefined,
): Promise<void> {
  await remember(request, conversation, {
    whole: wholeOf(completion),
    callIds: completion.calls.map(({ id }) => id),
    cutIds: cutIdsOf(completion),
    ...(broken && { broken }),
    hasContent: broken !== undefined && broken.at !== 'start',
  });
  const runCase = runCaseOf(request);
  if (broken === undefined || runCase === undefined) return;
  await ignoringOutages(() =>
    changeStep(request.sandbox, runCase, (step) => ({
      ...step,
      metBy: step.metBy ?? request.id,
      nature: broken.nature,
    })),
  );
}

/** Remembers how long the client should wait. */
export async function rememberFailure(
  request: Request,
  conversation: Conversation,
  { headers }: HttpError,
): Promise<void> {
  const inMs = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  await ignoringOutages(async () => {
    const nowMs = await request.sandbox.now();
    await remember(request, conversation, {
      ...(inMs > 0 && { notBeforeMs: nowMs + inMs }),
      ...(headers['x-should-retry'] === 'false' && { mustNotRetry: true }),
    });
  });
}

/** Changes what is remembered of the response to a request. */
export async function amend(request: Request, more: Partial<Exchange>): Promise<void> {
  if (!isJudged(request)) return;
  await ignoringOutages(() =>
    request.sandbox.update(
      historySpace,
      historyKey(runCaseOf(request)),
      (history: readonly Exchange[] = [], nowMs) => ({
        value: history.map((each) => (each.requestId === request.id ? { ...each, ...more } : each)),
        expiresAtMs: nowMs + historyMs,
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
    const evidence = `The client continued with the fragment (request ${request.id}).`;
    if (runCase !== undefined) {
      await changeStep(request.sandbox, runCase, (step) => observe(step, 'mishandled', evidence));
    }
    const { rule } = found.broken ? brokenStream(found.broken.name) : {};
    if (rule !== undefined) await record(request, { [rule]: false }, `continues ${responseId}`);
  });
}

async function remember(
  request: Request,
  conversation: Conversation,
  outcome: Omit<Exchange, 'requestId' | 'turns' | 'digest' | 'textLength'>,
): Promise<void> {
  if (!isJudged(request)) return;
  const digest = digestsOf(conversation).at(-1) ?? '';
  const { length: turns } = conversation.turns;
  const textLength = conversation.turns.at(-1)?.text.length ?? 0;
  const exchange = { requestId: request.id, turns, digest, textLength, ...outcome };
  await ignoringOutages(() =>
    request.sandbox.update(
      historySpace,
      historyKey(runCaseOf(request)),
      (history: readonly Exchange[] | undefined, nowMs) => ({
        value: [...(history ?? []), exchange].slice(-maxExchanges),
        expiresAtMs: nowMs + historyMs,
        result: undefined,
      }),
    ),
  );
}

/** Records what a client did while the stream was silent. */
export async function judgeSilence(
  request: Request,
  outcome: 'handled' | 'mishandled',
): Promise<void> {
  const runCase = runCaseOf(request);
  if (runCase === undefined) return;
  const evidence =
    outcome === 'handled'
      ? `The client closed the silent stream (request ${request.id}).`
      : `The client waited for more than 15 s in silence (request ${request.id}).`;
  await ignoringOutages(() =>
    changeStep(request.sandbox, runCase, (step) => observe(step, outcome, evidence)),
  );
}
