/** Describes responses of Gemini. */

import { array, object, record } from '#kit/input/fields/parts.js';
import { optional, titled } from '#kit/input/fields/reader.js';
import { boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';
import { embeddingModel, modelNames } from '../messages/models.js';
import { finishReasons } from './response.js';

const count = integer({ min: 0 });
const names = [...modelNames, embeddingModel].map((name) => `models/${name}`);

const ratings = array(object({ category: text(), probability: text(), blocked: boolean }));
const details = array(object({ modality: choice(['TEXT']), tokenCount: count }));

const candidate = object({
  content: object({ parts: array(record), role: choice(['model']) }),
  // Only the last chunk of a stream has them.
  finishReason: optional(choice([...new Set(Object.values(finishReasons))])),
  safetyRatings: optional(ratings),
  index: count,
  avgLogprobs: optional(decimal({ min: -1000 })),
  logprobsResult: optional(record),
  tokenCount: optional(count),
});

export const generated = titled(
  'LlmGeminiResponse',
  object({
    candidates: optional(array(candidate)),
    promptFeedback: optional(object({ blockReason: text(), safetyRatings: ratings })),
    usageMetadata: object({
      promptTokenCount: count,
      candidatesTokenCount: count,
      totalTokenCount: count,
      thoughtsTokenCount: optional(count),
      promptTokensDetails: details,
    }),
    modelVersion: choice(modelNames),
    responseId: text(),
  }),
);

export const tokenCount = object({ totalTokens: count, promptTokensDetails: details });

const vector = object({ values: array(decimal({ min: -1 })) });

export const embedding = object({ embedding: vector });
export const embeddings = object({ embeddings: array(vector) });

export const model = object({
  name: choice(names),
  version: text(),
  displayName: text(),
  description: text(),
  inputTokenLimit: count,
  outputTokenLimit: count,
  supportedGenerationMethods: array(text()),
  temperature: optional(count),
  maxTemperature: optional(count),
  topP: optional(count),
  topK: optional(count),
  thinking: optional(boolean),
});

export const modelList = object({ models: array(model), nextPageToken: optional(text()) });
