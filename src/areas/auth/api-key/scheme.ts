/** API keys. */

import { Type } from 'typebox';
import { credential, valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { apiKeyEndpoints } from './endpoints.js';

const settings = {
  /** The API key. */
  apiKey: credential({
    flag: 'auth-api-key',
    placeholder: 'key',
    meaning: 'the API key',
    demo: 'demo-api-key',
    parse: parseApiKey,
  }),
};

export function parseApiKey(text: string): string {
  // What a cookie can hold unquoted and undecoded (RFC 6265 section 4.1.1), less the percent sign.
  if (!/^[!#$&-+\--:<-[\]-~]+$/.test(text)) {
    throw new Error(
      'must be printable ASCII without space, quote, comma, semicolon, backslash or percent',
    );
  }
  return text;
}

const apiKeyOf = (config: Config) => valuesIn(config, settings).apiKey;

const value = '{{apiKey}}';

export const apiKeyScheme = {
  name: 'api-key',
  title: 'API keys',
  settings,
  index: { schema: { apiKey: Type.String() }, read: (config) => ({ apiKey: apiKeyOf(config) }) },
  credentials: (config) => [
    { title: 'API key', parts: [{ name: 'Key', value: apiKeyOf(config) }] },
  ],
  securitySchemes: {
    apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: seeIndex },
    apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key', description: seeIndex },
    apiKeyCookie: { type: 'apiKey', in: 'cookie', name: 'api_key', description: seeIndex },
  },
  collection: {
    variables: (config) => ({ apiKey: apiKeyOf(config) }),
    // The cookie is a header like any other: tools have no place of its own for it.
    presents: {
      apiKeyHeader: { kind: 'apiKey', in: 'header', name: 'X-API-Key', value },
      apiKeyQuery: { kind: 'apiKey', in: 'query', name: 'api_key', value },
    },
  },
  endpoints: ({ config }) => apiKeyEndpoints(apiKeyOf(config)),
} satisfies Scheme;
