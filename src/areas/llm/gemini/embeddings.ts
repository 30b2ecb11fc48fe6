/** Embeddings of contents. */

import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { array } from '#kit/input/fields/parts.js';
import { maybe, titled, type ValueOf } from '#kit/input/fields/reader.js';
import { choice, integer, text } from '#kit/input/fields/values.js';
import { reject } from '../messages/mistake.js';
import { embeddingModel } from '../messages/models.js';
import { embed, wordsOf } from '../model/embed.js';
import { countTokens } from '../model/tokens.js';
import { fieldOf, numeric, object, pathTo } from './faults.js';
import { content, wholeText } from './request/contents.js';
import { checkModel, modelNotFound } from './request/read-request.js';

const maxTokens = 8192;
const maxRequests = 100;
const defaultDimensions = 256;

const taskTypes = [
  ...['TASK_TYPE_UNSPECIFIED', 'RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT', 'SEMANTIC_SIMILARITY'],
  ...['CLASSIFICATION', 'CLUSTERING', 'QUESTION_ANSWERING', 'FACT_VERIFICATION'],
  'CODE_RETRIEVAL_QUERY',
];

const own = {
  content,
  taskType: maybe(choice(taskTypes)),
  title: maybe(text()),
  outputDimensionality: maybe(numeric(integer({ min: 1, max: 1536 }))),
};

export const embedBody = titled('LlmGeminiEmbedding', object({ model: maybe(text()), ...own }));

export const batchBody = object({
  requests: array(object({ model: text(), ...own }), { min: 1, max: maxRequests }),
});

export function embedContent(body: JsonObject, request: Request): JsonObject {
  requireModel(request, 'embedContent');
  const read = embedBody(fieldOf(body));
  checkModel(read.model, embeddingModel);
  return { embedding: vectorOf(read, 'content') };
}

export function embedBatch(body: JsonObject, request: Request): JsonObject {
  requireModel(request, 'batchEmbedContents');
  const { requests } = batchBody(fieldOf(body));
  return {
    embeddings: requests.map((each, index) => {
      const path = pathTo('requests', index);
      checkModel(each.model, embeddingModel, pathTo(path, 'model'));
      return vectorOf(each, pathTo(path, 'content'));
    }),
  };
}

function requireModel({ params }: Request, method: string): void {
  const { model } = params as { readonly model: string };
  if (model !== embeddingModel) throw modelNotFound(model, method);
}

function vectorOf(read: Omit<ValueOf<typeof embedBody>, 'model'>, path: string): JsonObject {
  const { content: given, taskType = '', title, outputDimensionality = defaultDimensions } = read;
  if (title !== undefined && taskType !== 'RETRIEVAL_DOCUMENT') {
    reject(path.replace(/content$/, 'title'), 'needs the task type RETRIEVAL_DOCUMENT.');
  }
  const whole = wholeText(given);
  if (whole.trim() === '') reject(path, 'must have text.');
  const tokens = countTokens(whole);
  if (tokens > maxTokens) reject(path, `has ${tokens} tokens; the model accepts ${maxTokens}.`);
  return { values: embed(wordsOf(whole), outputDimensionality) };
}
