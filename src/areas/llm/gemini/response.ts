/** Responses of Gemini, whole and in chunks. */

import type { JsonObject } from '#base/json-object.js';
import type { Completion, StopReason, ToolCall } from '../messages/conversation.js';
import type { Place, ProviderEvent, Stamp, StreamForm } from '../messages/provider.js';
import { inTurns } from '../model/in-turns.js';
import { logprobsOf } from '../model/logprobs.js';
import { parsedArguments } from '../model/parsed-arguments.js';
import { piecesOf } from '../model/tokens.js';
import { signCall, textSignature } from './request/parts.js';
import type { GeminiRequest } from './request/read-request.js';

export const finishReasons: Readonly<Record<StopReason, string>> = {
  end: 'STOP',
  stop: 'STOP',
  tools: 'STOP',
  length: 'MAX_TOKENS',
  window: 'MAX_TOKENS',
  refusal: 'SAFETY',
  filter: 'SAFETY',
  recitation: 'RECITATION',
  malformed: 'MALFORMED_FUNCTION_CALL',
  pause: 'OTHER',
};

const rating = {
  category: 'HARM_CATEGORY_DANGEROUS_CONTENT',
  probability: 'HIGH',
  blocked: true,
};

/** Members of every chunk. */
function headOf({ conversation }: GeminiRequest, stamp: Stamp): JsonObject {
  return { modelVersion: conversation.model, responseId: stamp.id(22) };
}

function usageOf(completions: readonly Completion[]): JsonObject {
  const [{ usage: { input = 0 } = {} } = {} as Partial<Completion>] = completions;
  const thoughts = completions.reduce((sum, { usage }) => sum + usage.thinking, 0);
  const output = completions.reduce((sum, { usage }) => sum + usage.output, 0);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: input + output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  };
}

/** A refusal of a script blocks the prompt: there are no candidates. */
const isBlocked = ([first]: readonly Completion[]) => first?.refusal !== undefined;

const blocked = { promptFeedback: { blockReason: 'SAFETY', safetyRatings: [rating] } };

export function writeResponse(
  request: GeminiRequest,
  completions: readonly Completion[],
  stamp: Stamp,
): JsonObject {
  const body = isBlocked(completions)
    ? blocked
    : { candidates: completions.map((each, index) => candidateOf(request, each, index)) };
  return { ...body, usageMetadata: usageOf(completions), ...headOf(request, stamp) };
}

function candidateOf(request: GeminiRequest, completion: Completion, index: number): JsonObject {
  const { thinking, text, calls, usage } = completion;
  const isSigned = request.conversation.thinks;
  const parts = [
    ...(thinking !== '' && request.showsThoughts ? [{ text: thinking, thought: true }] : []),
    ...(text === '' && calls.length > 0 ? [] : [textPart(text, isSigned && calls.length === 0)]),
    ...calls.map((call, place) => callPart(call, isSigned && place === 0)),
  ];
  return {
    content: { parts, role: 'model' },
    ...endOf(completion),
    index,
    ...logprobsIn(request, text),
    tokenCount: usage.output,
  };
}

const textPart = (text: string, isSigned: boolean): JsonObject => ({
  text,
  ...(isSigned && { thoughtSignature: textSignature }),
});

function callPart({ id, name, arguments: text }: ToolCall, isSigned: boolean): JsonObject {
  const args = parsedArguments(text);
  const thoughtSignature = signCall(name, JSON.stringify(args));
  return { functionCall: { name, args, id }, ...(isSigned && { thoughtSignature }) };
}

function endOf({ stop }: Completion): JsonObject {
  const finishReason = finishReasons[stop];
  return { finishReason, ...(finishReason === 'SAFETY' && { safetyRatings: [rating] }) };
}

function logprobsIn({ logprobs }: GeminiRequest, text: string): JsonObject {
  if (logprobs === undefined || text === '') return {};
  const tokens = [...logprobsOf(text, logprobs)];
  const sum = tokens.reduce((total, { logprob }) => total + logprob, 0);
  const written = ({ token, logprob: logProbability }: { token: string; logprob: number }) => ({
    ...{ token, logProbability },
  });
  return {
    avgLogprobs: Math.round((sum / tokens.length) * 1e6) / 1e6,
    logprobsResult: {
      chosenCandidates: tokens.map(written),
      ...(logprobs > 0 && {
        topCandidates: tokens.map(({ top }) => ({ candidates: top.map(written) })),
      }),
    },
  };
}

/** Candidates take turns, as the model writes them at the same time. */
export function* streamResponse(
  request: GeminiRequest,
  completions: readonly Completion[],
  stamp: Stamp,
  form: StreamForm,
): Generator<ProviderEvent> {
  const head = headOf(request, stamp);
  const usageMetadata = usageOf(completions);
  const chunk = (at: Place, body: JsonObject): ProviderEvent => ({
    at,
    data: { ...body, usageMetadata, ...head },
  });
  if (isBlocked(completions)) yield chunk('end', blocked);
  else {
    for (const { at, candidate } of inTurns(completions, (each, index) =>
      chunksOf(request, each, index),
    )) {
      yield chunk(at, { candidates: [candidate] });
    }
  }
  if (form === 'array') yield { at: 'end', data: ']' };
}

interface Chunk {
  readonly at: Place;
  readonly candidate: JsonObject;
}

function* chunksOf(
  request: GeminiRequest,
  completion: Completion,
  index: number,
): Generator<Chunk> {
  const { thinking, text, calls } = completion;
  const isSigned = request.conversation.thinks;
  const having = (at: Place, part: JsonObject, end: JsonObject = {}): Chunk => {
    return { at, candidate: { content: { parts: [part], role: 'model' }, ...end, index } };
  };
  if (request.showsThoughts) {
    for (const piece of piecesOf(thinking))
      yield having('thinking', { text: piece, thought: true });
  }
  for (const piece of piecesOf(text)) yield having('text', { text: piece });
  for (const [place, call] of calls.entries()) {
    yield having('arguments', callPart(call, isSigned && place === 0));
  }
  const last = textPart('', isSigned && calls.length === 0);
  yield having('end', last, { ...endOf(completion), ...logprobsIn(request, text) });
}
