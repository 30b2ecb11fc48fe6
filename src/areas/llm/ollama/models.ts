/** Models and embeddings, in the format of Ollama. */

import { hash } from 'node:crypto';
import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { array, openObject as object } from '#kit/input/fields/parts.js';
import { either, maybe, reader, titled } from '#kit/input/fields/reader.js';
import { boolean, integer, text } from '#kit/input/fields/values.js';
import { mistake } from '../messages/mistake.js';
import { createdAt, embeddingModel, isModel, models } from '../messages/models.js';
import { embed, wordsOf } from '../model/embed.js';
import { countTokens } from '../model/tokens.js';
import { fieldOf } from './faults.js';
import { loadedModels } from './loaded.js';
import { keepAlive, knownNames, modelOf, options, plainName } from './options.js';

const bytesPerModel = 1_000_000;

const detailsOf = (): JsonObject => ({
  ...{ parent_model: '', format: 'gguf', family: 'practice', families: ['practice'] },
  ...{ parameter_size: '0B', quantization_level: 'F32' },
});

const contextOf = (name: string) => (isModel(name) ? models[name].contextTokens : maxTokens);

function summaryOf(name: string): JsonObject {
  const tagged = `${name}:latest`;
  return {
    ...{ name: tagged, model: tagged, size: bytesPerModel },
    digest: hash('sha256', name, 'hex'),
    details: detailsOf(),
  };
}

const modifiedAt = new Date(createdAt * 1000).toISOString();

export const listTags = (): JsonObject => ({
  models: knownNames.map((name) => ({
    ...summaryOf(name),
    modified_at: modifiedAt,
    capabilities: capabilitiesOf(name),
  })),
});

export async function listLoaded({ sandbox }: Request): Promise<JsonObject> {
  const loaded = await loadedModels(sandbox);
  return {
    models: loaded.map(({ name, untilMs }) => ({
      ...summaryOf(name),
      ...{ expires_at: new Date(untilMs).toISOString(), size_vram: 0 },
      context_length: contextOf(name),
    })),
  };
}

function capabilitiesOf(name: string): readonly string[] {
  if (!isModel(name)) return ['embedding'];
  return ['completion', 'tools', ...(models[name].canThink ? ['thinking'] : [])];
}

export const showBody = titled(
  'LlmOllamaShow',
  object({ model: modelOf(400), verbose: maybe(boolean) }),
);

export function showModel(body: JsonObject): JsonObject {
  // The older name of the member.
  const given = body.model === undefined ? { ...body, model: body.name } : body;
  const name = plainName(showBody(fieldOf(given)).model);
  return {
    ...{ license: 'MIT', modelfile: `FROM ${name}`, parameters: '', template: '{{ .Prompt }}' },
    details: detailsOf(),
    model_info: {
      'general.architecture': 'practice',
      'general.parameter_count': 0,
      'practice.context_length': contextOf(name),
    },
    capabilities: capabilitiesOf(name),
    modified_at: modifiedAt,
  };
}

const maxTokens = 8192;
const maxInputs = 2048;
const defaultDimensions = 256;
/** Numbers of all vectors of a response. */
const maxNumbers = 65_536;

const input = either<readonly string[]>([text(), array(text())], ({ value }) => {
  const isEmpty = value === '' || value === undefined || value === null;
  const all: readonly unknown[] = isEmpty ? [] : [value].flat();
  const wrong = all.findIndex((each) => typeof each !== 'string');
  if (wrong < 0 && all.length <= maxInputs) return all as readonly string[];
  const param = Array.isArray(value) && wrong >= 0 ? `input[${wrong}]` : 'input';
  throw mistake(400, `input must be a string, or at most ${maxInputs} strings.`, { param });
});

export const embedBody = titled(
  'LlmOllamaEmbed',
  object({
    model: modelOf(404),
    input: reader(input.schema, input, true),
    truncate: maybe(boolean),
    dimensions: maybe(integer({ min: 0 })),
    keep_alive: keepAlive,
    options,
  }),
);

/** Chat models embed texts, too. */
export function embedTexts(body: JsonObject): JsonObject {
  const { model, input: texts, truncate = true, dimensions = 0 } = embedBody(fieldOf(body));
  const size = Math.min(dimensions || defaultDimensions, 1536);
  const context = plainName(model) === embeddingModel ? maxTokens : contextOf(plainName(model));
  const counts = texts.map((each) => countTokens(each));
  if (!truncate && counts.some((count) => count > context)) {
    throw mistake(400, `input has a text of more than ${context} tokens.`, { param: 'input' });
  }
  if (texts.length * size > maxNumbers) {
    throw mistake(400, `Use at most ${maxNumbers} numbers (texts × dimensions).`, {
      param: 'input',
    });
  }
  return {
    model,
    embeddings: texts.map((each) => embed(wordsOf(each), size)),
    ...{ total_duration: 1_000_000, load_duration: 0 },
    prompt_eval_count: counts.reduce((sum, count) => sum + Math.min(count, context), 0),
  };
}
