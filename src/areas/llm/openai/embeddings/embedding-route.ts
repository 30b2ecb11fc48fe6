/** The endpoint of embeddings. */

import type { JsonObject } from '#base/json-object.js';
import { array, object } from '#kit/input/fields/parts.js';
import { either } from '#kit/input/fields/reader.js';
import { choice, decimal, integer, text } from '#kit/input/fields/values.js';
import { embeddingModel } from '../../messages/models.js';
import type { ProviderRoute } from '../../messages/provider.js';
import { embed } from '../../model/embed.js';
import { embeddingBody, readEmbeddings } from './read-embeddings.js';

const count = integer({ min: 0 });

const embedding = object({
  object: choice(['embedding']),
  index: count,
  embedding: either([array(decimal({ min: -1, max: 1 })), text()], ({ value }) => value),
});

const embeddings = object({
  object: choice(['list']),
  data: array(embedding),
  model: choice([embeddingModel]),
  usage: object({ prompt_tokens: count, total_tokens: count }),
});

export const embeddingRoute: ProviderRoute = {
  method: 'POST',
  path: '/embeddings',
  isHidden: true,
  summary: 'Create embeddings of texts',
  description: 'Texts that share words have near vectors of unit length.',
  body: embeddingBody.schema,
  response: embeddings.schema,
  handle: ({ body }) => writeEmbeddings(body),
};

function writeEmbeddings(body: JsonObject): JsonObject {
  const { inputs, tokens, dimensions, isBase64 } = readEmbeddings(body);
  return {
    object: 'list',
    data: inputs.map((words, index) => {
      const vector = embed(words, dimensions);
      const embedding = isBase64 ? toBase64(vector) : vector;
      return { object: 'embedding', index, embedding };
    }),
    model: embeddingModel,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Returns little-endian 32-bit floats. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes.toString('base64');
}
