/** Responds to a request that continues a conversation, in fixed steps. */

import type { JsonObject } from '#base/json-object.js';
import { turns } from '#base/work-in-turns.js';
import type { Reply, Request } from '#http/exchange.js';
import type { HeldRequest } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { doLongWork } from '#kit/limits/long-work.js';
import type { Transaction } from '#state/state.js';
import {
  judgeFragment,
  judgeRequest,
  rememberCompletion,
  rememberFailure,
} from '../judge/watch.js';
import { rateHeaders, rateLimited } from '../limits/rate-headers.js';
import { type Costs, charge, type RateState, windowKey } from '../limits/rate-window.js';
import type { Completion } from '../messages/conversation.js';
import { mistake } from '../messages/mistake.js';
import type { Generation, LlmParts, Provider, Reading } from '../messages/provider.js';
import { textFromData } from '../model/dataset-questions.js';
import { think } from '../model/think.js';
import { countPrompt, countTokens } from '../model/tokens.js';
import { playTurn } from '../script/play-turn.js';
import { readSettings, type ScriptTurn, scriptOf } from '../script/script.js';
import { applies, breakCompletion } from '../streams/break-stream.js';
import { type Misbehaviour, natureFor } from '../streams/cases.js';
import { chooseMisbehaviour } from './choose-misbehaviour.js';
import { isLargeRequest } from './read-body.js';
import { respond } from './respond.js';
import { stampOf } from './stamp.js';

export interface GenerationCall {
  readonly request: Request;
  readonly reply: Reply;
  readonly parts: LlmParts;
  readonly provider: Provider;
  readonly generation: Generation;
  readonly apiKey: string;
  readonly body: JsonObject;
}

export async function serveGeneration(call: GenerationCall): Promise<void> {
  const { request } = call;
  // Many requests may arrive at once, and each may need some milliseconds.
  await turns.whenFree();
  const misbehaviour = await chooseMisbehaviour(request);
  const reading = await read(call);
  const { conversation } = reading;
  try {
    const [, begun] = await together(judgeRequest(call, conversation), begin(call, reading));
    await complete(call, reading, begun, misbehaviour);
  } catch (error) {
    if (error instanceof HttpError) await rememberFailure(call, conversation, error);
    throw error;
  }
}

/** Waits for both, also if one fails. A shared store writes what they change at once. */
async function together<One, Other>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

interface Begun {
  readonly heldRequest: HeldRequest | undefined;
  readonly turn: ScriptTurn | undefined;
}

/** Charges for the prompt, and uses a turn of the script. */
async function begin(call: GenerationCall, { isStream, conversation }: Reading): Promise<Begun> {
  const { request, reply, parts } = call;
  // Before a turn is used, because it fails if too many requests are held.
  const heldRequest = isStream ? parts.services.held.hold(request, reply, maxStreamMs) : undefined;
  const costs = { requests: 1, tokens: countPrompt(conversation) };
  return { heldRequest, turn: await chargeFor(call, costs, scriptOf(request.sandbox)) };
}

/** A rejected request counts, too. */
async function read(call: GenerationCall): Promise<Reading> {
  const { generation, request, parts, body } = call;
  try {
    const run = () => generation.read(body, request, parts);
    return await (isLargeRequest(request) ? doLongWork(request, run) : run());
  } catch (error) {
    if (error instanceof HttpError) {
      await judgeFragment(request, body.previous_response_id);
      await chargeFor(call, { requests: 1, tokens: 0 }, () => {});
    }
    throw error;
  }
}

/** Makes another change if there is room. Throws 429 if a limit is exceeded. */
async function chargeFor<Result>(
  call: GenerationCall,
  costs: Costs,
  change: (view: Transaction) => Result,
): Promise<Result> {
  const chargeIn = await chargerOf(call, costs);
  const { state, result } = await call.request.sandbox.transact((view) => {
    const charged = chargeIn(view);
    return { state: charged, result: charged.exceeded ? undefined : change(view) };
  });
  if (state.exceeded) throw rateLimited(call.provider.name, state);
  return result as Result;
}

async function chargerOf({ request, apiKey }: GenerationCall, costs: Costs) {
  const { limits } = await readSettings(request.sandbox);
  const key = windowKey(request, apiKey);
  return (view: Transaction): RateState => charge(view, key, limits, costs);
}

async function complete(
  call: GenerationCall,
  reading: Reading,
  { heldRequest, turn }: Begun,
  chosen: Misbehaviour | undefined,
): Promise<void> {
  const { request, reply, parts, body, generation } = call;
  const { kind } = generation;
  const { conversation, isStream, form = 'events', count = 1, idOf } = reading;
  const stamp = stampOf(body, conversation.seed, await request.sandbox.now());
  await turns.whenFree();
  const made = turn ? playTurn(conversation, turn, stamp.id) : await think(conversation, ask(call));
  requireFewLogprobs(reading, made);
  const right = kind === 'messages' ? withToolUseIds(made) : withIds(made, idOf);
  const wanted = { kind, isStream, form, body, completion: right, tools: conversation.tools };
  const misbehaviour = chosen && applies(chosen, wanted) ? chosen : undefined;
  if (misbehaviour && isStream) requireShort(request, reply, count * right.usage.output);
  const completion = misbehaviour ? breakCompletion(right, misbehaviour) : right;
  const broken = misbehaviour && {
    ...misbehaviour,
    nature: natureFor(misbehaviour.name, wanted),
    // They are in one event, so that no part of a call is sent.
    hasWholeCalls: idOf !== undefined,
  };
  const state = await rememberCompletion(
    call,
    conversation,
    { completion, isStream, broken },
    await chargerOf(call, { requests: 0, tokens: count * right.usage.output }),
  );
  reply.headers(rateHeaders(call.provider.name, state));
  const chunkMs = turn?.pace?.chunkMs;
  await respond({
    request,
    heldRequest,
    reply,
    parts,
    kind,
    reading,
    completion,
    stamp,
    misbehaviour,
    chunkMs,
  });
}

const ask =
  ({ request, parts }: GenerationCall) =>
  (prompt: string) =>
    textFromData(prompt, request.sandbox, parts);

/** Also of paced streams. */
const maxStreamMs = 10 * 60_000;

/** Limits a response, with all its choices and alternatives. */
const maxLogprobs = 32_768;

function requireFewLogprobs({ logprobs, count = 1 }: Reading, { text }: Completion): void {
  if (logprobs === undefined) return;
  const all = count * countTokens(text) * (1 + logprobs);
  if (all <= maxLogprobs) return;
  const counted = 'choices × tokens × (alternatives + 1)';
  throw mistake(400, `Use at most ${maxLogprobs} log probabilities (${counted}), not ${all}.`);
}

/** All events of a broken stream are in memory. */
const maxBrokenTokens = 2000;
const bytesPerToken = 1500;

function requireShort(request: Request, reply: Reply, tokens: number): void {
  if (tokens > maxBrokenTokens) {
    throw mistake(400, `A broken stream has at most ${maxBrokenTokens} tokens, not ${tokens}.`);
  }
  reserveUntilResponse(request, reply, tokens * bytesPerToken);
}

function withIds(completion: Completion, idOf: Reading['idOf']): Completion {
  if (idOf === undefined) return completion;
  const calls = completion.calls.map((each, index) => ({ ...each, id: idOf(index) }));
  return { ...completion, calls };
}

/** Ids of Anthropic have another form. */
function withToolUseIds(completion: Completion): Completion {
  const calls = completion.calls.map((each) => {
    const id = each.id.replace(/^call_(.{22}).*$/, 'toolu_01$1');
    return { ...each, id };
  });
  return { ...completion, calls };
}
