/** A GraphQL API over the same records as the REST areas. */

import { parseSwitch, type Switch } from '#config/parse-settings.js';
import { setting, valuesIn } from '#config/setting.js';
import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Area, Failure } from '#kit/area.js';
import { importedFileToken } from '#kit/offers/front-page.js';
import { endOperation, path, reserveStream, runPosted, runQuery } from './endpoints.js';
import { errorsBody, requestError } from './outcome/format-error.js';
import { chooseMediaType, decideResponse } from './request/decide-response.js';
import { Responder } from './responder.js';

const settings = {
  /** Whether clients may request the schema. Default: `on`. */
  introspection: setting<Switch>({
    group: 'operation',
    flag: 'introspection',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may request the schema: on, off',
    default: 'on',
    parse: parseSwitch,
  }),
  /** Whether clients may subscribe. Default: `on`. */
  subscriptions: setting<Switch>({
    group: 'operation',
    flag: 'subscriptions',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may subscribe to changes: on, off',
    default: 'on',
    isDescribed: true,
    parse: parseSwitch,
  }),
};

export const graphqlArea = {
  name: 'graphql',
  title: 'GraphQL',
  guide: 'graphql',
  summary: 'A GraphQL API over thirteen datasets: 20 queries, 6 mutations, 5 subscriptions.',
  front: {
    group: 'protocols',
    live: {
      method: 'GET',
      path: `${path}?query=${encodeURIComponent('{book(id:1){title}}')}`,
      shows: [
        'HTTP/1.1 200 OK',
        '',
        '{',
        '  "data": {',
        '    "book": {',
        '      "title": "The Hobbit"',
      ],
    },
    page: { path },
    purposes: [
      {
        purpose: 'test',
        title: 'GraphQL',
        says: 'Queries, mutations, subscriptions, partial failures.',
        base: '/graphql',
        line: `curl -s {base}/graphql -H 'Content-Type: application/json' -d '{"query":"{ books { title } }"}'`,
        links: [
          ['Editor', '/graphql'],
          ['Guide', '/guides/graphql'],
        ],
      },
    ],
    banner: (baseUrl) => ['GraphQL', baseUrl + path],
    start: `${path}?query=${encodeURIComponent('{ books { id title author } }')}`,
    examples: () => [
      {
        title: 'Request two fields of a country',
        method: 'POST',
        path,
        json: {
          query: 'query Capital($code: String!) { country(code: $code) { name capital } }',
          variables: { code: 'JP' },
        },
        response: { status: 200, has: '"capital":"Tokyo"' },
      },
      {
        title: 'Request an unknown field',
        method: 'POST',
        path,
        headers: { Accept: 'application/graphql-response+json' },
        json: { query: '{ books { titel } }' },
        response: { status: 400, has: '"field":"titel"' },
      },
    ],
  },
  offers: [
    importedFileToken.of(() => ({
      path: `${path}?sdl`,
      name: 'GraphQL schema',
      format: 'GraphQL SDL',
      for: 'GraphQL clients and type generators.',
    })),
  ],
  settings,
  postman: [{ leftOut: { deleteGraphql: 'It ends an operation of an open stream.' } }],
  defaults: { caching: 'sandbox' },
  failures: { shape: shapeFailure },
  endpoints(services) {
    const { introspection, subscriptions } = valuesIn(services.runtime.config, settings);
    const hasSubscriptions = subscriptions === 'on';
    const responder = new Responder(services, introspection === 'on', hasSubscriptions);
    const always = [runPosted(responder), runQuery(responder)];
    return hasSubscriptions ? [...always, reserveStream, endOperation] : always;
  },
} satisfies Area;

/**
 * Writes a planned failure as a GraphQL over HTTP error, in the media type that the client accepts.
 */
function shapeFailure({ headers }: Request, { status, message }: Failure): ShapedFailure {
  const mediaType = chooseMediaType(headers.accept);
  const code =
    status === 503 ? 'STATE_UNAVAILABLE' : status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST';
  return {
    contentType: decideResponse(mediaType, 'executed').headers['content-type'],
    body: errorsBody([requestError(code, message)]),
  };
}
