/** Where an API key can travel, and what was found there. */

import type { Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/headers/header-values.js';
import { cookieValues } from '../cookie-values.js';

export interface KeyLocation {
  /** The last segment of its path. */
  readonly name: 'header' | 'query' | 'cookie';
  /** As the description of the service names it. */
  readonly scheme: 'apiKeyHeader' | 'apiKeyQuery' | 'apiKeyCookie';
  /** As the response names it. */
  readonly location: string;
  readonly howTo: string;
  /** Every key sent there; with more than one it is not clear which is meant. */
  readonly read: (request: Request) => readonly string[];
}

export const keyLocations: readonly KeyLocation[] = [
  {
    name: 'header',
    scheme: 'apiKeyHeader',
    location: 'X-API-Key header',
    howTo: 'Send it in the header X-API-Key',
    read: (request) => headerValues(request, 'x-api-key'),
  },
  {
    name: 'query',
    scheme: 'apiKeyQuery',
    location: 'api_key query parameter',
    howTo: 'Send it as ?api_key= in the URL',
    read: ({ query }) => {
      const value = (query as Record<string, string | string[] | undefined>).api_key;
      return value === undefined ? [] : [value].flat();
    },
  },
  {
    name: 'cookie',
    scheme: 'apiKeyCookie',
    location: 'api_key cookie',
    howTo: 'Send it as Cookie: api_key=',
    read: ({ headers }) => cookieValues(headers.cookie, 'api_key'),
  },
];
