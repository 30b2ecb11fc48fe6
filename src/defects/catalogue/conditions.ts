/** Defects of conditional requests and of repeated requests. */

import type { Request } from '#http/exchange.js';
import type { SandboxChanges } from '#state/copy/changed-sandbox.js';
import { changeQuery, ignoreHeaders, setHeader } from '../change-request.js';
import { defectsOf } from '../defect.js';

const constantTag = ({ params }: Request) =>
  `"country-${(params as { readonly id?: string }).id ?? ''}"`;

/** The constant tag matches every state of the record. */
function matchConstantTag(request: Request): void {
  const tag = constantTag(request);
  for (const name of ['if-match', 'if-none-match']) {
    const value = request.raw.headers[name];
    if (typeof value === 'string' && value.includes(tag)) setHeader(request, name, '*');
  }
}

/** The stored response is not read. It is kept, so that a replay still knows the documented one. */
function forgetsResponse(): SandboxChanges {
  const responses = 'idempotent-answers';
  let isKnown = false;
  return {
    read(space, value) {
      if (space !== responses) return value;
      isKnown = value !== undefined;
      return undefined;
    },
    write: (asked) => (asked.space === responses && isKnown ? undefined : asked),
  };
}

export const conditionDefects = defectsOf('Conditional and repeated requests', {
  'photos-lost-update': {
    level: 'junior',
    kind: 'concurrency',
    endpoints: ['PUT /api/Photos/:id', 'PATCH /api/Photos/:id'],
    wrong: 'If-Match and If-Unmodified-Since are ignored, so that an update overwrites another.',
    right: 'A condition that is not met gets 412.',
    stores: ['/api/Photos', '/api/Albums'],
    before: ignoreHeaders('if-match', 'if-unmodified-since'),
  },
  'countries-tag-never-changes': {
    level: 'middle',
    kind: 'caching',
    endpoints: [
      'GET /api/Countries/:id',
      'PUT /api/Countries/:id',
      'PATCH /api/Countries/:id',
      'DELETE /api/Countries/:id',
    ],
    wrong: 'The entity tag of a country remains the same when the country changes.',
    right: 'Every change of a record changes its entity tag.',
    stores: ['/api/Countries'],
    before: matchConstantTag,
    after(response, request) {
      if (response.header('etag') !== undefined) response.setHeader('etag', constantTag(request));
    },
  },
  'books-always-sent': {
    level: 'junior',
    kind: 'caching',
    endpoints: ['GET /api/Books/:id'],
    wrong: 'If-None-Match is ignored: the response is always 200 with the book.',
    right: 'A book with the entity tag in If-None-Match gets 304.',
    before: ignoreHeaders('if-none-match'),
  },
  'products-never-modified': {
    level: 'junior',
    kind: 'caching',
    endpoints: ['GET /api/Products/:id'],
    wrong: 'A request with If-Modified-Since gets 304, also if the product was modified later.',
    right: 'A record that was modified later gets 200.',
    before(request) {
      if (request.raw.headers['if-modified-since'] === undefined) return;
      setHeader(request, 'if-modified-since', undefined);
      setHeader(request, 'if-none-match', '*');
    },
  },
  'posts-created-twice': {
    level: 'middle',
    kind: 'stored-data',
    endpoints: ['POST /api/Posts'],
    wrong: 'A request that is repeated with the same Idempotency-Key creates another post.',
    right: 'The repeated request gets the first response, and is performed only once.',
    stores: ['/api/Posts', '/api/Users', '/graphql'],
    state: forgetsResponse,
  },
  'events-key-not-required': {
    level: 'junior',
    kind: 'status',
    endpoints: ['POST /api/Events'],
    wrong: 'requireIdempotency=true accepts requests without an Idempotency-Key.',
    right: 'With requireIdempotency=true, a missing Idempotency-Key gets 400.',
    stores: ['/api/Events'],
    before: changeQuery((query) => query.delete('requireIdempotency')),
  },
});
