/** API keys. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { Scheme } from '../scheme.js';
import { seeIndex } from '../see-index.js';
import { apiKeyCollection } from './collection.js';
import { addApiKeyRoutes } from './routes.js';
import { apiKeySettings } from './settings.js';

export const apiKeyScheme = {
  name: 'api-key',
  title: 'API keys',
  settings: apiKeySettings,
  index: {
    schema: { apiKey: Type.String() },
    read: (config) => ({ apiKey: valuesIn(config, apiKeySettings).apiKey }),
  },
  credentials: (config) => [
    {
      title: 'API key',
      parts: [{ name: 'Key', value: valuesIn(config, apiKeySettings).apiKey }],
    },
  ],
  securitySchemes: {
    apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: seeIndex },
    apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key', description: seeIndex },
    apiKeyCookie: { type: 'apiKey', in: 'cookie', name: 'api_key', description: seeIndex },
  },
  collection: apiKeyCollection,
  addRoutes: addApiKeyRoutes,
} satisfies Scheme;
