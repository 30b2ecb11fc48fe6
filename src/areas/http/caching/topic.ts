/** Resources whose caching the caller chooses, and what of a client's requests reached them. */

import { ofSandbox } from '../../../faults/wire/failure-response.js';
import { rejectFaults } from '../../../http/body/header-parameters.js';
import { addVary } from '../../../http/caching/caching.js';
import { checkPreconditions, preconditionsOf } from '../../../http/caching/conditional.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { headerValues } from '../../../http/header-values.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import { isolatingHeaders } from '../../../http/isolating-headers.js';
import { bodyText, readBody, rejectContentEncoding } from '../../../http/request-body.js';
import { checkSettableHeaders } from '../../../http/settable-headers.js';
import type { Services } from '../../../kit/area.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import { type Sandbox, sharedSandboxName } from '../../../state/state.js';
import type { Topic } from '../topic.js';
import {
  type CachingHeaders,
  type Choices,
  cachingHeaders,
  checkChoices,
  choicesOf,
} from './choices.js';
import {
  firstVersion,
  type Resource,
  resourcesSpace,
  sharedResource,
  tagOf,
  type Variant,
} from './resource.js';
import * as schemas from './schemas.js';

const path = '/api/http/cache/:name';
const maxContentBytes = 64 * 1024;
const noBytes = Buffer.alloc(0);

type OfName = Request<{ Params: { name: string }; Querystring: Choices }>;

export const cachingTopic = {
  name: 'caching',
  title: 'Caching',
  start: '/api/http/cache/practice?maxAge=60',
  summary:
    'Resources whose caching you choose, conditional requests, and the requests that arrived.',
  presets: [
    {
      title: 'something to keep',
      method: 'GET',
      path: '/api/http/cache/practice?maxAge=60&age=20',
    },
  ],
  addRoutes(app, services) {
    app.get(path, { schema: schemas.give }, (request, reply) =>
      give(services, request as OfName, reply),
    );
    app.put(path, { schema: schemas.change }, (request, reply) =>
      change(services, request as OfName, reply),
    );
    app.get(`${path}/hits`, { schema: schemas.listHits }, (request) => listHits(services, request));
  },
} satisfies Topic;

async function give(services: Services, request: OfName, reply: Reply) {
  const { name } = request.params;
  rejectFaults(checkChoices(request.query));
  const sandbox = services.sandboxOf(request);
  const isShared = sandbox.name === sharedSandboxName;
  const realNowMs = services.clock();
  const resource = isShared ? sharedResource : await resourceOf(sandbox, name, realNowMs);
  const nowMs = isShared ? realNowMs : await sandbox.now();
  const asked = request.query;
  const vary = asked.vary ?? resource.choices.vary;
  const variant = variantOf(request, vary);
  const caching = cachingHeaders(resource.choices, asked, {
    nowMs: realNowMs,
    keptForMs: nowMs - resource.changedAtMs,
    changedAtMs: resource.lastModifiedMs,
    tag: tagOf(name, resource, variant),
  });
  const outcome = checkPreconditions(preconditionsOf(request), caching);
  const status = outcome === 'proceed' ? 200 : outcome;
  if (!isShared) await noteHit(sandbox, request, { status, nowMs, variant });
  if (status === 412) throw notAsExpected();
  setCaching(request, reply, caching, vary);
  return send(reply, status, name, resource, variant);
}

function setCaching(
  { raw }: Request,
  reply: Reply,
  { headers }: CachingHeaders,
  vary: string | undefined,
): void {
  // Where nothing was chosen, caches have to find out by themselves.
  reply.removeHeader('cache-control');
  reply.headers(headers);
  if (vary !== undefined) addVary(reply, vary);
  // An address without a sandbox in it is another resource for whoever names one by header.
  if (raw.sandboxAddress === undefined) addVary(reply, ofSandbox);
}

function send(
  reply: Reply,
  status: 200 | 304,
  name: string,
  { version, content }: Resource,
  variant: Variant,
) {
  if (content !== undefined) reply.headers(isolatingHeaders);
  if (status === 304) return reply.code(304).send();
  if (content !== undefined) {
    return reply.header('content-type', content.type).send(Buffer.from(content.text));
  }
  const isVaried = Object.keys(variant).length > 0;
  const description = { name, version, ...(isVaried && { variant }) };
  return reply
    .header('content-type', jsonContentType)
    .send(Buffer.from(JSON.stringify(description)));
}

async function change(services: Services, request: OfName, reply: Reply) {
  const { name } = request.params;
  rejectFaults(checkChoices(request.query));
  const sandbox = ownSandbox(services, request, 'A resource is changed in');
  const content = await contentOf(request);
  const realNowMs = services.clock();
  const outcome = await sandbox.update(resourcesSpace, name, (before, nowMs) => {
    const current = before ?? firstVersion(nowMs, realNowMs);
    const isMet = isAsExpected(request, name, current, realNowMs);
    if (!isMet) return { value: current, result: undefined };
    const changed: Resource = {
      ...firstVersion(nowMs, realNowMs),
      version: current.version + 1,
      choices: choicesOf(request.query),
      ...content,
    };
    return { value: changed, result: changed };
  });
  const nowMs = await sandbox.now();
  await noteHit(sandbox, request, {
    status: outcome === undefined ? 412 : 200,
    nowMs,
    variant: {},
  });
  if (outcome === undefined) throw notAsExpected();
  const { headers } = validatorsOf(request, name, outcome, realNowMs);
  if (headers.etag !== undefined) reply.header('etag', headers.etag);
  return {
    name,
    version: outcome.version,
    changedAt: new Date(outcome.changedAtMs).toISOString(),
    url: `${services.baseUrlOf(request)}/api/http/cache/${name}`,
  };
}

/** What was sent to stand there from now on; nothing without a body. */
async function contentOf(request: Request): Promise<Pick<Resource, 'content'>> {
  const { 'content-type': type = 'text/plain; charset=utf-8' } = request.headers;
  const { bytes } = await readBody(request, maxContentBytes, maxContentBytes);
  if (bytes.length === 0) return {};
  rejectContentEncoding(request.headers['content-encoding']);
  rejectFaults(checkSettableHeaders({ 'Content-Type': type }, 'headers'));
  return { content: { type, text: bodyText(bytes) } };
}

function isAsExpected(
  request: Request,
  name: string,
  current: Resource,
  realNowMs: number,
): boolean {
  const validators = validatorsOf(request, name, current, realNowMs);
  return checkPreconditions(preconditionsOf(request), validators) === 'proceed';
}

/** By what is kept, since the query of a PUT is about what comes. */
function validatorsOf(request: Request, name: string, resource: Resource, nowMs: number) {
  const { choices, lastModifiedMs: changedAtMs } = resource;
  const tag = tagOf(name, resource, variantOf(request, choices.vary));
  return cachingHeaders(choices, {}, { nowMs, keptForMs: 0, changedAtMs, tag });
}

/** The first request makes it, so that there is something to note hits at. */
async function resourceOf(sandbox: Sandbox, name: string, realNowMs: number): Promise<Resource> {
  const known = await sandbox.read(resourcesSpace, name);
  if (known !== undefined) return known;
  return sandbox.update(resourcesSpace, name, (before, nowMs) => {
    const resource = before ?? firstVersion(nowMs, realNowMs);
    return { value: resource, result: resource };
  });
}

function variantOf(request: Request, vary: string | undefined): Variant {
  if (vary === undefined || vary === '*') return {};
  const names = vary.split(',').map((name) => name.trim().toLowerCase());
  const sent = (name: string) => headerValues(request, name).join(', ').slice(0, 200) || null;
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, sent(name)]));
}

const notedHeaders = [
  'cache-control',
  'pragma',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
];

async function noteHit(
  sandbox: Sandbox,
  request: OfName,
  { status, nowMs, variant }: { status: number; nowMs: number; variant: Variant },
): Promise<void> {
  const noted = notedHeaders.flatMap((name) => {
    const value = headerValues(request, name).join(', ');
    return value === '' ? [] : [[name, value.slice(0, 200)] as const];
  });
  const varied = Object.entries(variant).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const hit = {
    atMs: nowMs,
    method: request.method,
    target: request.url.slice(0, 500),
    status,
    headers: Object.fromEntries([...noted, ...varied]),
  };
  await sandbox.log(resourcesSpace, request.params.name).append(hit, noBytes);
}

async function listHits(services: Services, request: Request<{ Params: { name: string } }>) {
  const { name } = request.params;
  const log = ownSandbox(services, request, 'Hits are noted in').log(resourcesSpace, name);
  const [status, entries] = await Promise.all([
    log.status(),
    log.newest(resourcesSpace.maxEntries),
  ]);
  const hits = entries.map(({ item: { atMs, ...hit } }) => {
    return { at: new Date(atMs).toISOString(), ...hit };
  });
  return { name, count: status?.lastSequence ?? 0, hits: hits.reverse() };
}

function notAsExpected(): HttpError {
  return new HttpError(
    412,
    'The resource is not as If-Match, If-Unmodified-Since or If-None-Match expects. GET it to see its validators.',
  );
}
