/** Reads requests for embeddings. */

import type { JsonObject } from '#base/json-object.js';
import { array, object } from '#kit/input/fields/parts.js';
import { either, mapped, nullable, reader } from '#kit/input/fields/reader.js';
import { choice, integer, text } from '#kit/input/fields/values.js';
import { embeddingModel, isModel } from '../../messages/models.js';
import { wordsOf } from '../../model/embed.js';
import { countTokens } from '../../model/tokens.js';
import { modelNotFound, otherModel } from '../read/common.js';
import { fieldOf, invalid, missing, wrongType } from '../read/faults.js';

export interface EmbeddingRequest {
  /** Words or tokens of each input. */
  readonly inputs: readonly (readonly string[])[];
  readonly tokens: number;
  readonly dimensions: number;
  readonly isBase64: boolean;
}

const defaultDimensions = 256;
const maxInputs = 2048;
/** Tokens of one input, and of all. */
const maxTokens = 8192;
const maxAllTokens = 300_000;
/** Numbers of all vectors of a response. */
const maxNumbers = 65_536;

/** Words of an input, and its tokens. */
interface Input {
  readonly words: readonly string[];
  readonly tokens: number;
}

const filled = text({ isFilled: true });

const textInput = mapped(filled, (value, { path }): Input => {
  if (value.trim() === '') {
    throw invalid(path, 'empty_string', `Invalid '${path}': it must not be empty.`);
  }
  const tokens = countTokens(value);
  requireShort(path, tokens);
  return { words: wordsOf(value), tokens };
});

const token = integer({ min: 0, max: 2 ** 31 });

const tokenInput = mapped(
  array(token, { min: 1, max: maxTokens }),
  (tokens): Input => ({ words: tokens.map(String), tokens: tokens.length }),
);

const item = either([textInput, tokenInput], (field): Input => {
  if (typeof field.value === 'string') return textInput(field);
  if (Array.isArray(field.value)) return tokenInput(field);
  throw wrongType(field, 'a string or an array of integers');
});

const items = array(item, { min: 1, max: maxInputs });

const input = either([textInput, tokenInput, items], (field): readonly Input[] => {
  const { path, value } = field;
  if (value === undefined) throw missing(path);
  if (typeof value === 'string') return [textInput(field)];
  if (!Array.isArray(value)) throw wrongType(field, 'a string or an array');
  if (typeof value[0] === 'number') return [tokenInput(field)];
  return items(field);
});

function requireShort(path: string, tokens: number): void {
  if (tokens <= maxTokens) return;
  const message = `Invalid '${path}': use at most ${maxTokens} tokens; it has ${tokens}.`;
  throw invalid(path, 'context_length_exceeded', message);
}

const anyModel = text();

const model = reader({ type: 'string', enum: [embeddingModel] }, (field): string => {
  const name = anyModel(field);
  if (isModel(name)) throw otherModel(`'${name}' embeds no texts; use ${embeddingModel}.`);
  if (name !== embeddingModel) throw modelNotFound(name, embeddingModel);
  return name;
});

export const embeddingBody = object({
  model,
  dimensions: nullable(integer({ min: 1, max: 1536 })),
  encoding_format: nullable(choice(['float', 'base64'])),
  user: nullable(text({ max: 512 })),
  input,
});

export function readEmbeddings(given: JsonObject): EmbeddingRequest {
  const body = embeddingBody(fieldOf(given));
  const dimensions = body.dimensions ?? defaultDimensions;
  const tokens = body.input.reduce((sum, each) => sum + each.tokens, 0);
  if (tokens > maxAllTokens) {
    const message = `Invalid 'input': use at most ${maxAllTokens} tokens; it has ${tokens}.`;
    throw invalid('input', 'max_tokens_per_request', message);
  }
  const numbers = body.input.length * dimensions;
  if (numbers > maxNumbers) {
    const message = `Use at most ${maxNumbers} numbers (inputs × dimensions); you requested ${numbers}.`;
    throw invalid('input', 'array_above_max_length', message);
  }
  return {
    inputs: body.input.map(({ words }) => words),
    tokens,
    dimensions,
    isBase64: body.encoding_format === 'base64',
  };
}
