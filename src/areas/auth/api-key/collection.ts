/** What collections of requests have to know of API keys. */

import { valuesIn } from '../../../config/setting.js';
import type { RequestCollection } from '../../../kit/request-collection.js';
import { apiKeySettings } from './settings.js';

const value = '{{apiKey}}';

export const apiKeyCollection: RequestCollection = {
  variables: (config) => ({ apiKey: valuesIn(config, apiKeySettings).apiKey }),
  // The cookie is a header like any other: tools have no place of its own for it.
  presents: {
    apiKeyHeader: { kind: 'apiKey', in: 'header', name: 'X-API-Key', value },
    apiKeyQuery: { kind: 'apiKey', in: 'query', name: 'api_key', value },
  },
};
