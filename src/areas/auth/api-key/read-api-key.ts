/** Where an API key can travel, and what was found there. */

import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { headerValues } from '../header-values.js';

export interface KeyLocation {
  /** The last segment of its path. */
  readonly name: 'header' | 'query' | 'cookie';
  /** As the description of the service names it. */
  readonly scheme: 'apiKeyHeader' | 'apiKeyQuery' | 'apiKeyCookie';
  /** As the answer names it. */
  readonly location: string;
  readonly howTo: string;
  /** Every key sent there; more than one leaves open which counts. */
  readonly read: (request: FastifyRequest) => readonly string[];
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

/** Every value of a cookie, since a browser sends those of several paths under one name. */
export function cookieValues(header: string | undefined, name: string): string[] {
  // One pair at a time, because the parser keeps only the first of a name.
  return (header ?? '').split(';').flatMap((pair) => parseCookie(pair)[name] ?? []);
}
