/** The models of the OpenAI API. */

import { Type } from 'typebox';
import type { JsonObject } from '#base/json-object.js';
import { array, object } from '#kit/input/fields/parts.js';
import { choice, integer, text } from '#kit/input/fields/values.js';
import { createdAt, embeddingModel, modelNames } from '../../messages/models.js';
import type { ProviderRoute } from '../../messages/provider.js';
import { modelNotFound } from '../read/common.js';

const names: readonly string[] = [...modelNames, embeddingModel];

const model = object({
  id: choice(names),
  object: choice(['model']),
  created: integer({ min: 0 }),
  owned_by: text(),
});

export const modelRoutes: readonly ProviderRoute[] = [
  {
    method: 'GET',
    path: '/models',
    isHidden: true,
    summary: 'List the models',
    response: object({ object: choice(['list']), data: array(model) }).schema,
    handle: () => ({ object: 'list', data: names.map(modelOf) }),
  },
  {
    method: 'GET',
    path: '/models/:model',
    isHidden: true,
    summary: 'Get a model',
    response: model.schema,
    params: { model: Type.String() },
    handle({ request }) {
      const { model: name } = request.params as { readonly model: string };
      if (!names.includes(name)) throw modelNotFound(name);
      return modelOf(name);
    },
  },
];

function modelOf(id: string): JsonObject {
  return { id, object: 'model', created: createdAt, owned_by: 'practice-api' };
}
