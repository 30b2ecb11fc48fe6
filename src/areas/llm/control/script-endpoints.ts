/** The script of the model in a sandbox. */

import { type Static, Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { StopReason } from '../messages/conversation.js';
import {
  readScript,
  type ScriptTurn,
  type Settings,
  usualLimits,
  writeScript,
} from '../script/script.js';
import { readMisbehaviour } from '../streams/read-misbehaviour.js';

export const path = '/api/sandbox/llm';

export const sandboxOf = (request: Request) => ownSandbox(request, 'Scripts of the model need');

/** Names of all providers, and ours. */
const stopReasons: Readonly<Record<string, StopReason>> = {
  ...{ end: 'end', length: 'length', stop: 'stop', tools: 'tools', refusal: 'refusal' },
  ...{ tool_calls: 'tools', content_filter: 'filter' },
  ...{ end_turn: 'end', max_tokens: 'length', stop_sequence: 'stop', tool_use: 'tools' },
  ...{ pause_turn: 'pause', model_context_window_exceeded: 'window' },
  ...{ STOP: 'end', MAX_TOKENS: 'length', SAFETY: 'filter', RECITATION: 'recitation' },
  MALFORMED_FUNCTION_CALL: 'malformed',
};

const maxTurns = 100;
const maxCalls = 20;
const maxTokens = 1_000_000_000;

const optional = Type.Optional;
const closed = { additionalProperties: false };
const count = (most: number) => Type.Integer({ minimum: 0, maximum: most });
const text = (maxLength: number) => Type.String({ maxLength });

const turn = Type.Object(
  {
    text: optional(text(200_000)),
    toolCalls: optional(
      Type.Array(
        Type.Object(
          {
            name: text(200),
            arguments: Type.Union([Type.Object({}), Type.String()]),
            result: optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'What only an execution returns, so that the judge recognises it.',
              }),
            ),
          },
          closed,
        ),
        { maxItems: maxCalls },
      ),
    ),
    thinking: optional(text(200_000)),
    refusal: optional(text(10_000)),
    stopReason: optional(Type.String({ enum: Object.keys(stopReasons) })),
    usage: optional(
      Type.Object(
        { inputTokens: optional(count(maxTokens)), outputTokens: optional(count(maxTokens)) },
        closed,
      ),
    ),
    pace: optional(Type.Object({ chunkMs: count(10_000) }, closed)),
    fault: optional(
      Type.Object(
        {
          status: Type.Integer({ minimum: 400, maximum: 599 }),
          code: optional(text(100)),
          message: optional(text(1000)),
          retryAfter: optional(count(86_400)),
          retryAfterMs: optional(count(86_400_000)),
          shouldRetry: optional(Type.Boolean()),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'LlmTurn' },
);

const perMinute = Type.Integer({ minimum: 1, maximum: maxTokens });

const scriptSchema = Type.Object(
  {
    turns: optional(Type.Array(turn, { maxItems: maxTurns })),
    limits: optional(
      Type.Object(
        { requestsPerMinute: optional(perMinute), tokensPerMinute: optional(perMinute) },
        closed,
      ),
    ),
    misbehave: optional(
      Type.Union([
        Type.Null(),
        Type.String(),
        Type.Object({ name: Type.String(), at: optional(Type.String()) }, closed),
      ]),
    ),
  },
  { ...closed, title: 'LlmScript' },
);

/** The script, with `used` and `cancelled`. */
const statusSchema = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

export const scriptEndpoints = [
  endpoint('GET', path, {
    summary: 'Get what is left of the script of the model',
    description: '`cancelled` counts streams that clients closed.',
    responses: { 200: statusSchema, ...failures(403) },
    handle: (request) => describe(request),
  }),
  endpoint('PUT', path, {
    summary: 'Set the next completions of the model',
    description: 'Each accepted request uses one turn. Replaces the script.',
    before: (request) => void sandboxOf(request),
    body: scriptSchema,
    responses: { 200: statusSchema, ...failures(400, 403, 413, 415) },
    examples: {
      'A turn': { ...inSandbox(), json: { turns: [{ text: 'Hello from the script.' }] } },
      'An unknown member': { ...inSandbox(), json: { turn: [] } },
    },
    async handle(request) {
      await writeScript(sandboxOf(request), readScriptBody(request.body));
      return describe(request);
    },
  }),
  endpoint('DELETE', path, {
    summary: 'End the script of the model',
    responses: { 204: Type.Null(), ...failures(403) },
    async handle(request, reply) {
      await writeScript(sandboxOf(request));
      return reply.code(204).send();
    },
  }),
];

async function describe(request: Request) {
  const { misbehave, ...others } = await readScript(sandboxOf(request));
  return { ...others, misbehave: misbehave ?? null };
}

function readScriptBody(
  body: Static<typeof scriptSchema>,
): Settings & { readonly turns: readonly ScriptTurn[] } {
  const { turns = [], limits, misbehave } = body;
  return {
    turns: turns.map(readTurn),
    limits: { ...usualLimits, ...limits },
    ...(misbehave != null && { misbehave: misbehaviourOf(misbehave) }),
  };
}

function readTurn({ stopReason, ...others }: Static<typeof turn>): ScriptTurn {
  const reason = stopReason === undefined ? undefined : stopReasons[stopReason];
  return { ...others, ...(reason && { stopReason: reason }) } as ScriptTurn;
}

function misbehaviourOf(given: string | { readonly name: string; readonly at?: string }) {
  const { name, at } = typeof given === 'string' ? { name: given } : given;
  try {
    return readMisbehaviour(name, at);
  } catch (error) {
    throw error instanceof HttpError ? new HttpError(400, `misbehave: ${error.message}`) : error;
  }
}
