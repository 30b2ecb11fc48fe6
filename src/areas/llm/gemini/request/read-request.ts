/** Reads bodies of requests that generate content, or count its tokens. */

import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { maybe, titled, type ValueOf } from '#kit/input/fields/reader.js';
import { text } from '#kit/input/fields/values.js';
import type { Conversation, ToolChoice, ToolSpec, Turn } from '../../messages/conversation.js';
import { mistake, reject } from '../../messages/mistake.js';
import { embeddingModel, isModel, type ModelName, models } from '../../messages/models.js';
import { countPrompt } from '../../model/tokens.js';
import { fieldOf, object } from '../faults.js';
import {
  cachedContent,
  generationConfig,
  safetySettings,
  systemInstruction,
  toolConfig,
  tools,
} from './config.js';
import { contents, turnsOf, wholeText } from './contents.js';
import { admit } from './schemas.js';

const members = {
  model: maybe(text()),
  contents,
  systemInstruction: maybe(systemInstruction),
  tools: maybe(tools),
  toolConfig: maybe(toolConfig),
  safetySettings: maybe(safetySettings),
  generationConfig: maybe(generationConfig),
  cachedContent: maybe(cachedContent),
  serviceTier: maybe(text()),
};

export const generateBody = titled('LlmGeminiRequest', object(members));

export const countBody = object({
  contents: maybe(contents),
  generateContentRequest: maybe(object(members)),
});

type Body = ValueOf<typeof generateBody>;
type Config = NonNullable<Body['generationConfig']>;

export interface GeminiRequest {
  readonly conversation: Conversation;
  readonly count: number;
  readonly showsThoughts: boolean;
  /** Number of alternatives of each token; absent without log probabilities. */
  readonly logprobs?: number | undefined;
}

/** Returns the model of the path. Throws 404 for an unknown one. */
export function modelIn(request: Request, method: string): ModelName {
  const { model } = request.params as { readonly model: string };
  if (isModel(model)) return model;
  throw modelNotFound(model, method);
}

export function modelNotFound(name: string, method: string): Error {
  const isKnown = isModel(name) || name === embeddingModel;
  const is = isKnown ? `does not support ${method}` : 'is unknown';
  const message = `The model 'models/${name.slice(0, 60)}' ${is}. GET /models lists the models.`;
  return mistake(404, message, { param: 'model' });
}

export function readGenerate(given: JsonObject, request: Request, method: string): GeminiRequest {
  const model = modelIn(request, method);
  const body = generateBody(fieldOf(given));
  checkModel(body.model, model);
  const { generationConfig: config = {} as Config } = body;
  const conversation = conversationOf(model, body);
  checkConfig(config, model, conversation.tools);
  requireRoom(conversation, config);
  const { responseLogprobs, logprobs = 0, thinkingConfig } = config;
  return {
    conversation,
    count: config.candidateCount ?? 1,
    showsThoughts: thinkingConfig?.includeThoughts === true,
    ...(responseLogprobs === true && { logprobs }),
  };
}

/** Returns the number of tokens of a prompt, also if it is too long. */
export function countTokensIn(given: JsonObject, request: Request): number {
  const model = modelIn(request, 'countTokens');
  const { contents: plain, generateContentRequest: whole } = countBody(fieldOf(given));
  if (plain !== undefined && whole !== undefined) {
    reject('generate_content_request', 'cannot be beside contents.');
  }
  if (whole !== undefined) {
    checkModel(whole.model, model, 'generate_content_request.model');
    return countPrompt(conversationOf(model, whole));
  }
  if (plain === undefined) reject('contents', 'is required.');
  return countPrompt({ turns: turnsOf(plain ?? [], false), tools: [] });
}

export function checkModel(given: string | undefined, model: string, path = 'model'): void {
  if (given === undefined || given === `models/${model}` || given === model) return;
  reject(path, `must be models/${model}, as in the path.`);
}

function conversationOf(model: ModelName, body: Body): Conversation {
  const {
    generationConfig: config = {} as Config,
    systemInstruction: system,
    tools: own = [],
  } = body;
  const { maxOutputTokens, stopSequences = [], seed } = config;
  const { canThink } = models[model];
  const instruction: readonly Turn[] =
    system === undefined ? [] : [{ role: 'system', text: wholeText(system) }];
  return {
    model,
    turns: [...instruction, ...turnsOf(body.contents, canThink)],
    ...chosenOf(own, body.toolConfig),
    format: formatOf(config),
    maxTokens: maxOutputTokens,
    stop: stopSequences,
    thinks: canThink && config.thinkingConfig?.thinkingBudget !== 0,
    seed,
  };
}

function chosenOf(all: readonly ToolSpec[], config: Body['toolConfig']) {
  const { mode = 'AUTO', allowedFunctionNames: names } = config?.functionCallingConfig ?? {};
  const path = 'tool_config.function_calling_config';
  const isForced = mode === 'ANY' || mode === 'VALIDATED';
  if (isForced && all.length === 0) reject(path, 'needs tools with function_declarations.');
  if (names === undefined || names.length === 0) return { tools: all, toolChoice: choiceOf(mode) };
  if (!isForced) reject(`${path}.allowed_function_names`, 'needs the mode ANY or VALIDATED.');
  const known = new Set(all.map(({ name }) => name));
  const wrong = names.findIndex((name) => !known.has(name));
  if (wrong >= 0) {
    reject(`${path}.allowed_function_names[${wrong}]`, 'must be the name of a function.');
  }
  const tools = all.filter(({ name }) => names.includes(name));
  return { tools, toolChoice: choiceOf(mode) };
}

const choiceOf = (mode: string): ToolChoice => {
  if (mode === 'NONE') return 'none';
  return mode === 'ANY' ? 'required' : 'auto';
};

function formatOf(config: Config): JsonObject | 'json' | undefined {
  const schema = config.responseSchema ?? config.responseJsonSchema;
  return schema ?? (config.responseMimeType === 'application/json' ? 'json' : undefined);
}

const at = (name: string) => `generation_config.${name}`;

function checkConfig(config: Config, model: ModelName, all: readonly ToolSpec[]): void {
  const { responseSchema, responseJsonSchema, responseMimeType: type = 'text/plain' } = config;
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    reject(at('response_json_schema'), 'cannot be beside response_schema.');
  }
  const schema = responseSchema ?? responseJsonSchema;
  const name = responseSchema === undefined ? 'response_json_schema' : 'response_schema';
  if (schema !== undefined) {
    if (type === 'text/plain') reject(at('response_mime_type'), 'must be application/json.');
    admit([[at(name), schema]]);
  }
  if (type !== 'text/plain' && all.length > 0) {
    reject(at('response_mime_type'), 'must be text/plain with functions.');
  }
  if (config.logprobs !== undefined && config.responseLogprobs !== true) {
    reject(at('logprobs'), 'needs response_logprobs.');
  }
  checkThinking(config, model);
}

function checkThinking({ thinkingConfig }: Config, model: ModelName): void {
  const { includeThoughts, thinkingBudget, thinkingLevel } = thinkingConfig ?? {};
  if (thinkingBudget !== undefined && thinkingLevel !== undefined) {
    reject(at('thinking_config'), 'must have either thinking_budget or thinking_level.');
  }
  const wantsThoughts =
    includeThoughts === true || thinkingLevel !== undefined || (thinkingBudget ?? 0) !== 0;
  if (wantsThoughts && !models[model].canThink) {
    reject(at('thinking_config'), 'needs a model that thinks, such as practice-1-thinking.');
  }
}

function requireRoom(conversation: Conversation, { maxOutputTokens = 1 }: Config): void {
  const { contextTokens, maxOutputTokens: most } = models[conversation.model];
  if (maxOutputTokens > most) reject(at('max_output_tokens'), `must be from 1 to ${most}.`);
  const tokens = countPrompt(conversation);
  if (tokens <= contextTokens) return;
  reject('contents', `has ${tokens} tokens; the model accepts ${contextTokens}.`);
}
