/** Resources whose caching the caller chooses, and the list of requests that reached the origin. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { ofSandbox } from '#faults/wire/failure-response.js';
import { bodyText, checkHead, readBody, rejectContentEncoding } from '#http/body/request-body.js';
import { addVary } from '#http/caching/caching.js';
import { checkPreconditions, preconditionsOf } from '#http/caching/conditional.js';
import type { Request } from '#http/exchange.js';
import { headerValueFault } from '#http/headers/settable-headers.js';
import { HttpError, jsonContentType, rejectFaults, rejectField } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { failures } from '#http/schemas/error-schema.js';
import {
  cacheControl,
  contentSecurityPolicy,
  ifMatch,
  ifNoneMatch,
  noSniff,
  optional,
  vary,
} from '#http/schemas/header-schemas.js';
import { anyBodies, anyContent } from '#kit/describe/any-body.js';
import { objectOf, optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import type { Examples } from '#kit/example.js';
import { presetToken } from '#kit/offers/front-page.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { arrivalBefore } from '#kit/verdict/exchange.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { sharedSandboxName } from '#state/state.js';
import type { Topic } from '../topic.js';
import { cacheJudge } from './cache-judge.js';
import {
  cachingHeaders,
  checkChoices,
  choiceFields,
  choicesOf,
  directiveNames,
} from './choices.js';
import { listHits, reportReuse } from './hits-endpoints.js';
import {
  firstVersion,
  noteHit,
  params,
  path,
  type Resource,
  resourceOf,
  resourcesSpace,
  sharedResource,
  tagOf,
  variantOf,
} from './resource.js';

const maxContentBytes = 64 * 1024;
const preconditionFailed =
  'The resource does not match If-Match, If-Unmodified-Since or If-None-Match. GET it to see its validators.';

export const cachingTopic: Topic = {
  name: 'caching',
  title: 'Caching',
  start: '/api/http/cache/practice?maxAge=60',
  summary:
    'Resources whose caching you choose, conditional requests, and the list of requests that reached the origin.',
  collection: {
    adaptations: {
      getHttpCacheByName: { keeps: { cachedResponse: { header: 'X-Request-Id' } } },
      postHttpCacheByNameReuses: { body: { requestId: '{{cachedResponse}}' } },
    },
    leftOutOfFile: { postHttpCacheByNameReuses: 'It needs the id of an earlier response.' },
  },
  offers: [
    judgeToken.of(() => cacheJudge),
    presetToken.of(() => ({
      title: 'caching',
      method: 'GET',
      path: '/api/http/cache/practice?maxAge=60&age=20',
    })),
  ],
  endpoints: ({ runtime: { clock } }) => [
    changeResource(clock),
    getResource(clock),
    listHits,
    reportReuse(clock),
  ],
};

const date = optionalText('An HTTP date.');
const conditions = {
  ...ifNoneMatch,
  ...ifMatch,
  'If-Modified-Since': date,
  'If-Unmodified-Since': date,
  'Accept-Language': optionalText(
    'An example: the response shows the values of the headers in Vary.',
  ),
};

const cachingResponseHeaders = optional({
  ...cacheControl,
  ...vary,
  ...noSniff,
  ...contentSecurityPolicy,
  ETag: Type.String({ pattern: '^(?:W/)?"[^"]*"$' }),
  'Last-Modified': Type.String(),
  Age: Type.Integer({ minimum: 0 }),
  Expires: Type.String(),
});

const page = { path: { name: 'page' }, headers: { 'X-Sandbox': 'mine' } };
const storedText = { path: { name: 'text' }, headers: { 'X-Sandbox': 'mine' } };

const resourceSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer({ description: 'Increases with each PUT.' }),
    variant: Type.Optional(
      objectOf({ type: ['string', 'null'] }, 'The values of the headers in Vary for this variant.'),
    ),
  },
  { title: 'CachedResource' },
);

const resourceContent = {
  description: 'The resource, or the content of the last PUT.',
  content: {
    'application/json': { schema: resourceSchema },
    '*/*': { schema: Type.Unknown() },
  },
};

const reads: Examples = {
  'Cacheable for a minute': {
    ...page,
    query: { maxAge: 60, swr: 30, vary: 'Accept-Language', lastModified: 'true', age: 5 },
    headers: { ...page.headers, 'Accept-Language': 'de' },
    keeps: { reused: { header: 'X-Request-Id' } },
  },
  'Without Cache-Control': page,
  'A failure': { ...page, query: { status: 503 } },
  'The stored text': storedText,
};

const getResource = (clock: Clock) =>
  endpoint('GET', path, {
    summary: 'Get a resource whose caching you choose',
    description:
      'The query applies to this request only; PUT stores choices. Conditional requests follow RFC 9110 section 13.2.2. Without any choice, the response has an ETag and no Cache-Control.',
    params,
    query: openExceptTypos(choiceFields, directiveNames),
    headers: conditions,
    responses: {
      200: resourceContent,
      304: Type.Null(),
      ...failures(412),
      default: anyContent('The same, with the chosen status.'),
    },
    responseHeaders: { 200: cachingResponseHeaders, 304: cachingResponseHeaders },
    examples: reads,
    async handle(request, reply) {
      const { name } = request.params;
      const { query: asked, sandbox, raw } = request;
      rejectFaults(checkChoices(asked));
      const isShared = sandbox.name === sharedSandboxName;
      const realNowMs = clock();
      const resource = isShared ? sharedResource : await resourceOf(sandbox, name, realNowMs);
      const nowMs = isShared ? realNowMs : await sandbox.now();
      const varied = asked.vary ?? resource.choices.vary;
      const variant = variantOf(request, varied);
      const caching = cachingHeaders(resource.choices, asked, {
        nowMs: realNowMs,
        keptForMs: nowMs - resource.changedAtMs,
        changedAtMs: resource.lastModifiedMs,
        tag: tagOf(name, resource, variant),
      });
      const isError = caching.status >= 500;
      // Conditions apply only if the response would be 2xx: RFC 9110 section 13.2.1.
      const outcome = isError ? 'proceed' : checkPreconditions(preconditionsOf(request), caching);
      const status = outcome === 'proceed' ? caching.status : outcome;
      if (!isShared) {
        const arrival = arrivalBefore(reply, clock());
        const noted = { status, atMs: nowMs, realMs: realNowMs, arrival, variant };
        const isReusable = status !== 412 && !isError;
        await noteHit(request, isReusable ? { ...noted, sent: caching.sent } : noted);
      }
      if (isError)
        throw new HttpError(status, `Simulated failure: the resource has ?status=${status}.`);
      if (outcome === 412) throw new HttpError(412, preconditionFailed);
      // Without choices, no Cache-Control is sent, so caches decide themselves.
      reply.removeHeader('cache-control').headers(caching.headers);
      if (varied !== undefined) addVary(reply, varied);
      // If the URL has no sandbox, clients with another X-Sandbox get another resource.
      if (raw.sandboxAddress === undefined) addVary(reply, ofSandbox);
      const { version, content } = resource;
      if (content !== undefined) reply.headers(isolatingHeaders);
      reply.code(status);
      if (status === 304) return reply.send();
      if (content !== undefined) return reply.type(content.type).send(Buffer.from(content.text));
      const shown = Object.keys(variant).length > 0 ? variant : undefined;
      const description = JSON.stringify({ name, version, variant: shown });
      return reply.type(jsonContentType).send(Buffer.from(description));
    },
  });

const changeSchema = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  changedAt: text('By the clock of the sandbox.'),
  url: Type.String(),
});

const changeResource = (clock: Clock) =>
  endpoint('PUT', path, {
    summary: 'Change the resource, and its caching',
    description:
      'Requires a private sandbox. Later GETs return the text of the body, at most 64 KiB, or without one a description of the resource.',
    params,
    query: openExceptTypos(choiceFields, directiveNames),
    headers: conditions,
    ...anyBodies,
    responses: { 200: changeSchema, ...failures(403, 412, 413, 415) },
    responseHeaders: { 200: { ETag: Type.Optional(Type.String()) } },
    examples: {
      'Stored headers': { ...page, query: { maxAge: 60 } },
      Text: { ...storedText, type: 'text/plain', body: 'Hello' },
    },
    async handle(request, reply) {
      const { name } = request.params;
      rejectFaults(checkChoices(request.query));
      const sandbox = ownSandbox(request, 'Changes of a resource need');
      checkContent(request);
      const realNowMs = clock();
      const validatorsOf = (resource: Resource) => {
        // The precondition uses the stored choices; the query of a PUT has the next ones.
        const { choices, lastModifiedMs: changedAtMs } = resource;
        const tag = tagOf(name, resource, variantOf(request, choices.vary));
        return cachingHeaders(choices, {}, { nowMs: realNowMs, keptForMs: 0, changedAtMs, tag });
      };
      const isMet = (resource: Resource) =>
        checkPreconditions(preconditionsOf(request), validatorsOf(resource)) === 'proceed';
      // Before the content: RFC 9110 section 13.2.1.
      const isMetNow = isMet(await resourceOf(sandbox, name, realNowMs));
      const content = isMetNow ? await contentOf(request) : {};
      const changed = await sandbox.update(resourcesSpace, name, (before, nowMs) => {
        const current = before ?? firstVersion(nowMs, realNowMs);
        if (!isMetNow || !isMet(current)) return { value: current, result: undefined };
        const value: Resource = {
          ...firstVersion(nowMs, realNowMs),
          version: current.version + 1,
          choices: choicesOf(request.query),
          ...content,
        };
        return { value, result: value };
      });
      const status = changed === undefined ? 412 : 200;
      const arrival = arrivalBefore(reply, clock());
      await noteHit(request, { status, atMs: await sandbox.now(), realMs: realNowMs, arrival });
      if (changed === undefined) throw new HttpError(412, preconditionFailed);
      const { entityTag } = validatorsOf(changed);
      if (entityTag !== undefined) reply.header('etag', entityTag);
      return {
        name,
        version: changed.version,
        changedAt: new Date(changed.changedAtMs).toISOString(),
        url: `${request.baseUrl}/api/http/cache/${name}`,
      };
    },
  });

function checkContent(request: Request): void {
  const checkCoding = () => rejectContentEncoding(request.headers['content-encoding']);
  checkHead(request, maxContentBytes, checkCoding);
}

/** Returns the body to store for later GETs; nothing without a body. */
async function contentOf(request: Request): Promise<Pick<Resource, 'content'>> {
  const { 'content-type': type = 'text/plain; charset=utf-8' } = request.headers;
  const { bytes } = await readBody(request, maxContentBytes, maxContentBytes);
  if (bytes.length === 0) return {};
  rejectContentEncoding(request.headers['content-encoding']);
  const fault = headerValueFault('Content-Type', type);
  if (fault !== undefined) rejectField('headers.Content-Type', fault);
  return { content: { type, text: bodyText(bytes) } };
}
