/** The models of the OpenAI API. */

import { Type } from 'typebox';
import type { JsonObject } from '../../../../base/json-object.js';
import { createdAt, embeddingModel, modelNames } from '../../messages/models.js';
import type { ProviderRoute } from '../../messages/provider.js';
import { modelNotFound } from '../read/common.js';

const names: readonly string[] = [...modelNames, embeddingModel];

export const modelRoutes: readonly ProviderRoute[] = [
  {
    method: 'GET',
    path: '/models',
    isHidden: true,
    summary: 'List the models',
    handle: () => ({ object: 'list', data: names.map(modelOf) }),
  },
  {
    method: 'GET',
    path: '/models/:model',
    isHidden: true,
    summary: 'Get a model',
    params: { model: Type.String() },
    handle({ request }) {
      const { model } = request.params as { readonly model: string };
      if (!names.includes(model)) throw modelNotFound(model);
      return modelOf(model);
    },
  },
];

function modelOf(id: string): JsonObject {
  return { id, object: 'model', created: createdAt, owned_by: 'practice-api' };
}
