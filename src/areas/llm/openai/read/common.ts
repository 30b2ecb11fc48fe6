/** Readers of fields that several endpoints have. */

import { cutText } from '#base/text/cut-text.js';
import { array, record } from '#kit/input/fields/parts.js';
import {
  checked,
  described,
  either,
  type Field,
  type Reader,
  reader,
} from '#kit/input/fields/reader.js';
import { choice, text } from '#kit/input/fields/values.js';
import { mistake } from '../../messages/mistake.js';
import {
  embeddingModel,
  isModel,
  type Model,
  type ModelName,
  modelNames,
  models,
} from '../../messages/models.js';
import { invalid, wrongType } from './faults.js';

/** Pattern of names of functions and schemas. */
export const namePattern = /^[a-zA-Z0-9_-]+$/;

export const toolName = text({ max: 64, pattern: namePattern, isFilled: true });

export const shortId = text({ max: 64, isFilled: true });

export const effort = choice(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

export const verbosity = choice(['low', 'medium', 'high']);

export const serviceTier = choice(['auto', 'default', 'flex', 'scale', 'priority']);

export const cacheRetention = choice(['in_memory', '24h']);

const maxShown = 60;

export function modelNotFound(name: string, right: string = 'practice-1'): Error {
  return otherModel(
    `Unknown model '${cutText(name, maxShown)}'; use ${right}. GET /models lists all.`,
  );
}

export function otherModel(message: string): Error {
  return mistake(404, message, { param: 'model', code: 'model_not_found' });
}

const anyModel = text();

/** Accepts a model that writes text. Others have 404. */
export const modelName = reader({ type: 'string', enum: modelNames }, (field): ModelName => {
  const name = anyModel(field);
  if (name === embeddingModel) throw otherModel(`'${name}' writes no text; use practice-1.`);
  if (!isModel(name)) throw modelNotFound(name);
  return name;
});

const maxPairs = 16;
const maxKey = 64;
const maxValue = 512;

const metadataValue = text({ max: maxValue });

function readMetadata(field: Field): Readonly<Record<string, string>> {
  const value = record(field);
  const entries = Object.entries(value);
  if (entries.length > maxPairs) {
    const message = `Invalid '${field.path}': use at most ${maxPairs} pairs.`;
    throw invalid(field.path, 'object_above_max_properties', message);
  }
  for (const [key, each] of entries) {
    const path = `${field.path}.${cutText(key, maxKey)}`;
    if (key.length > maxKey) {
      const message = `Invalid '${field.path}': use keys of at most ${maxKey} characters.`;
      throw invalid(field.path, 'string_above_max_length', message);
    }
    metadataValue({ ...field, path, value: each });
  }
  return value as Readonly<Record<string, string>>;
}

export const metadata = reader(
  {
    type: 'object',
    additionalProperties: metadataValue.schema,
    propertyNames: { maxLength: maxKey },
    maxProperties: maxPairs,
  },
  readMetadata,
);

interface TokenLimit {
  readonly model: ModelName;
  readonly promptTokens: number;
  readonly requested: { readonly path: string; readonly value: number | undefined };
  /** Parameter of the prompt. */
  readonly prompt: string;
}

/** Returns the maximum output, or rejects a prompt that is too long for the model. */
export function maxTokensOf({ model, promptTokens, requested, prompt }: TokenLimit): number {
  const { contextTokens, maxOutputTokens }: Model = models[model];
  const { path, value } = requested;
  if (value !== undefined && value > maxOutputTokens) {
    const message = `Invalid '${path}': ${model} writes at most ${maxOutputTokens} tokens.`;
    throw invalid(path, 'integer_above_max_value', message);
  }
  if (promptTokens + (value ?? 1) > contextTokens) {
    const sum = value === undefined ? `${promptTokens}` : `${promptTokens} + ${value}`;
    const message = `The context of ${model} is ${contextTokens} tokens; you requested ${sum}.`;
    throw invalid(prompt, 'context_length_exceeded', message);
  }
  return value ?? Math.min(maxOutputTokens, contextTokens - promptTokens);
}

const urlText = text({ isFilled: true });

const imagePattern = /^(?:data:image\/(?:png|jpeg|webp|gif);base64,|https?:\/\/\S)/;

/** An image by its URL, which is not fetched. */
export const imageUrl = described(
  checked(urlText, (url, { path }) => {
    if (imagePattern.test(url)) return;
    const message = `Invalid '${path}': use an http(s) URL or a base64 data URL.`;
    throw invalid(path, 'invalid_image_url', message);
  }),
  { ...urlText.schema, pattern: imagePattern.source, examples: ['https://example.com/a.png'] },
);

/** Accepts a text or a list of parts, whose texts are joined by line breaks. */
export function textOrParts(part: Reader<string>, max = 2048): Reader<string> {
  const whole = text();
  const parts = array(part, { min: 1, max });
  return either([whole, parts], (field) => {
    const { value } = field;
    if (typeof value === 'string' || value === undefined) return whole(field);
    if (!Array.isArray(value)) throw wrongType(field, 'a string or an array');
    return parts(field)
      .filter((each) => each !== '')
      .join('\n');
  });
}
