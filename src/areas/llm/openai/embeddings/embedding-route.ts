/** The endpoint of embeddings. */

import type { JsonObject } from '../../../../base/json-object.js';
import { embeddingModel } from '../../messages/models.js';
import type { ProviderRoute } from '../../messages/provider.js';
import { embed } from './embed.js';
import { readEmbeddings } from './read-embeddings.js';

export const embeddingRoute: ProviderRoute = {
  method: 'POST',
  path: '/embeddings',
  isHidden: true,
  summary: 'Create embeddings of texts',
  description: 'Texts that share words have near vectors of unit length.',
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
