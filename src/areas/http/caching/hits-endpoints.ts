/** The requests that reached the origin, the verdicts, and reports of requests that did not arrive. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { objectOf, oneOf, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { verdictSchema } from '#kit/verdict/verdict.js';
import { judgeHits } from './judge-hits.js';
import { params, path, type Reuse, resourcesSpace, reusesSpace } from './resource.js';

const ofPage = { path: { name: 'page' }, headers: { 'X-Sandbox': 'mine' } };

export const listHits = endpoint('GET', `${path}/hits`, {
  summary: 'List the requests that reached the origin',
  description:
    'Requires a private sandbox. Lists the newest 100 in order of arrival. Responses from a cache are not in the list.',
  params,
  query: openExceptTypos({}),
  responses: {
    200: Type.Object({
      name: Type.String(),
      count: Type.Integer({
        description: 'Number of all requests, including those no longer listed.',
      }),
      hits: Type.Array(
        Type.Object({
          at: text('By the clock of the sandbox.'),
          method: Type.String(),
          target: text('The path without the sandbox prefix, and the query.'),
          status: Type.Integer({ description: 'Status of the response; 304 is a hit as well.' }),
          headers: objectOf(
            { type: 'string' },
            'Conditions, Cache-Control, Via, and the headers in Vary.',
          ),
          requestId: Type.String(),
        }),
      ),
      verdicts: Type.Array(verdictSchema, {
        description: 'About the cache that sent the requests: a shared cache if they have Via.',
      }),
    }),
    ...failures(403),
  },
  examples: { 'The requests': ofPage },
  async handle(request) {
    const { name } = request.params;
    const sandbox = ownSandbox(request, 'Recorded hits need');
    const log = sandbox.log(resourcesSpace, name);
    const status = await log.status();
    const entries = await log.newest(resourcesSpace.maxEntries);
    const reuses = await sandbox.log(reusesSpace, name).newest(reusesSpace.maxEntries);
    const hits = entries.map(({ item }) => item).reverse();
    return {
      name,
      count: status?.lastSequence ?? 0,
      hits: hits.map(({ atMs, method, target, status, headers, requestId }) => {
        return { at: new Date(atMs).toISOString(), method, target, status, headers, requestId };
      }),
      verdicts: judgeHits(hits, reuses.map(({ item }) => item).reverse()),
    };
  },
});

export const reportReuse = (clock: Clock) =>
  endpoint('POST', `${path}/reuses`, {
    summary: 'Report that your cache responded without a request',
    description:
      'For tests: the origin cannot see such a response. Report it right after it came; `requestId` is its X-Request-Id. The verdicts then judge the reuse. Requires a private sandbox.',
    params,
    query: openExceptTypos({}),
    body: Type.Object(
      {
        requestId: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'X-Request-Id of the response that the cache used, as in `hits`.',
        }),
        cache: Type.Optional(
          oneOf(['private', 'shared'], {
            description: 'A shared cache responds to several users. Default: private.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: {
      200: Type.Object({
        requestId: Type.String(),
        cache: Type.String(),
        at: text('By the real clock, as caches measure time.'),
      }),
      ...failures(403, 404),
    },
    examples: {
      'The last response, again': { ...ofPage, json: { requestId: '{{reused}}' } },
      'An unknown response': { ...ofPage, json: { requestId: 'none' } },
    },
    async handle(request) {
      const { name } = request.params;
      const { requestId, cache = 'private' } = request.body;
      const sandbox = ownSandbox(request, 'Reports of reuse need');
      const entries = await sandbox.log(resourcesSpace, name).newest(resourcesSpace.maxEntries);
      if (!entries.some(({ item }) => item.requestId === requestId && item.sent !== undefined)) {
        const message = `No recent response of ${name} has this requestId. GET its hits to see them.`;
        throw new HttpError(404, message);
      }
      const reuse: Reuse = { requestId, cache, reportedAtMs: clock() };
      await sandbox.transact((view) => view.append(reusesSpace, name, reuse, ''));
      return { requestId, cache, at: new Date(reuse.reportedAtMs).toISOString() };
    },
  });
