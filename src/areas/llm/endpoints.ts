/** The endpoints of the providers, at their base URLs and in the cases of runs. */

import { Type } from 'typebox';
import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { type Endpoint, endpoint, openExceptTypos, unvalidated } from '#kit/endpoint.js';
import type { Examples } from '#kit/example.js';
import { anthropic } from './anthropic/errors.js';
import { anthropicRoutes } from './anthropic/routes.js';
import { checkVersion } from './anthropic/version.js';
import { checkKey, isQuotaKey, keys } from './exchange/keys.js';
import { readObject } from './exchange/read-body.js';
import { serveGeneration } from './exchange/serve.js';
import { judgeMistake } from './judge/watch.js';
import { outOfQuota, rateHeaderNames } from './limits/rate-headers.js';
import { basePaths, lostPaths, type Mount, root, runsPath } from './messages/mount.js';
import type {
  Generation,
  LlmParts,
  Provider,
  ProviderCall,
  ProviderRoute,
} from './messages/provider.js';
import { openai } from './openai/errors.js';
import { openaiRoutes } from './openai/routes.js';

const providers = [
  { provider: openai, routes: openaiRoutes },
  { provider: anthropic, routes: anthropicRoutes },
];

export function providerEndpoints(parts: LlmParts): readonly Endpoint[] {
  return providers.flatMap(({ provider, routes }) => {
    const path = basePaths[provider.name];
    const ofRun = `${runsPath}/:run/:name/${provider.name}`;
    const mounts: readonly Mount[] = [
      { provider, path, isOfRun: false },
      { provider, path: `${ofRun}/v1`, isOfRun: true },
      // Its SDK adds /v1 to the base URL, and other clients do not.
      ...(provider === anthropic ? [{ provider, path: ofRun, isOfRun: true }] : []),
    ];
    return mounts.flatMap((mount) => routes.map((route) => endpointOf(parts, mount, route)));
  });
}

/** Returns the provider that a path belongs to; `undefined` for other endpoints of the area. */
export function providerOf({ url }: Pick<Request, 'url'>): Provider | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const found = providers.find(
    ({ provider: { name } }) =>
      path.startsWith(`${root}/${name}/`) ||
      (path.startsWith(`${runsPath}/`) && path.includes(`/${name}/`)),
  )?.provider;
  if (found !== undefined || !lostPaths.some((end) => path.endsWith(end))) return found;
  return path.endsWith('/messages') ? anthropic : openai;
}

const json = (schema: JsonObject) => ({
  'application/json': { schema: Type.Unsafe<object>(schema) },
});
const streams = { 'text/event-stream': { schema: Type.Unsafe<string>({ type: 'string' }) } };
const misbehaving = openExceptTypos(
  unvalidated({
    misbehave: Type.Optional(Type.String({ description: 'A name of GET /llm/test-plan.' })),
    at: Type.Optional(Type.String({ description: 'Where the stream breaks.' })),
  }),
);

const versionHeader = unvalidated({
  'Anthropic-Version': Type.String({ examples: ['2023-06-01'] }),
});

/** Statuses whose body is an error of the provider. */
function errorsOf({ errorSchema }: Provider, { method }: ProviderRoute) {
  const statuses = method === 'POST' ? [400, 401, 404, 413, 415] : [401];
  const error = { description: 'An error of the provider.', content: json(errorSchema) };
  return Object.fromEntries(statuses.map((status) => [status, error]));
}

function headersOf({ provider }: Mount, route: ProviderRoute) {
  const { name } = provider;
  const ofAll = name === 'anthropic' ? ['request-id'] : [];
  const ofStream = route.generation ? [...rateHeaderNames(name), 'x-accel-buffering'] : [];
  const others = Object.keys(errorsOf(provider, route)).map((status) => [status, fieldsOf(ofAll)]);
  return { ...Object.fromEntries(others), 200: fieldsOf([...ofAll, ...ofStream]) };
}

const fieldsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((each) => [each, Type.Optional(Type.String())]));

function examplesOf({ name }: Provider, example: Generation['example']): Examples {
  const headers =
    name === 'openai'
      ? { Authorization: `Bearer ${keys.openai}` }
      : { 'X-Api-Key': keys.anthropic, 'Anthropic-Version': '2023-06-01' };
  const json = { model: 'practice-1', ...example };
  return {
    'A response': { headers, json, isRequestOnly: true },
    'A stream': { headers, json: { ...json, stream: true }, isNoExample: true },
    'No model': { headers, json: {}, isNoExample: true },
    'An unknown model': { headers, json: { ...json, model: 'other' }, isNoExample: true },
  };
}

function endpointOf(parts: LlmParts, mount: Mount, route: ProviderRoute): Endpoint {
  const { provider, isOfRun } = mount;
  const {
    method,
    summary,
    description,
    isHidden,
    body: bodySchema,
    params,
    query = {},
    generation,
  } = route;
  const runParams = isOfRun ? { run: Type.String(), name: Type.String() } : {};
  return endpoint(method, mount.path + route.path, {
    summary,
    ...((isOfRun || isHidden) && { hide: true }),
    ...(description && { description }),
    ...(method === 'POST' && { onlyReads: true as const }),
    params: { ...runParams, ...params },
    query: generation ? { ...misbehaving, ...unvalidated(query) } : unvalidated(query),
    ...(provider.name === 'anthropic' && { headers: versionHeader }),
    security: [{ [provider.name === 'openai' ? 'openaiKey' : 'apiKeyAnthropic']: [] }],
    ...(bodySchema && { bodies: { 'application/json': Type.Unsafe<object>(bodySchema) } }),
    responses: {
      200: {
        description: 'The response.',
        content: { ...json(route.response), ...(generation && streams) },
      },
      ...errorsOf(provider, route),
    },
    responseHeaders: headersOf(mount, route),
    ...(generation && { examples: examplesOf(provider, generation.example) }),
    async handle(request, reply) {
      try {
        const apiKey = checkKey(provider.name, request);
        if (provider.name === 'anthropic') checkVersion(request);
        const body = bodySchema === undefined ? {} : await readObject(request);
        if (method === 'POST' && isQuotaKey(apiKey)) throw outOfQuota(provider.name);
        const call: ProviderCall = { request, reply, parts, body };
        if (generation === undefined) return await route.handle?.(call);
        await serveGeneration({ ...call, provider: provider.name, generation, apiKey });
        return reply;
      } catch (error) {
        if (error instanceof HttpError) await judgeMistake(request, error);
        throw error;
      }
    },
  });
}
