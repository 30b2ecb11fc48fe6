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
import { checkKey, isQuotaKey } from './exchange/keys.js';
import { readObject } from './exchange/read-body.js';
import { serveGeneration } from './exchange/serve.js';
import { gemini } from './gemini/errors.js';
import { geminiRoutes } from './gemini/routes.js';
import { judgeMistake } from './judge/watch.js';
import { outOfQuota, rateHeaderNames } from './limits/rate-headers.js';
import { basePaths, type Mount, providerNameOf, runsPath } from './messages/mount.js';
import type {
  Generation,
  LlmParts,
  Provider,
  ProviderCall,
  ProviderRoute,
} from './messages/provider.js';
import { ollama } from './ollama/errors.js';
import { ollamaRoutes } from './ollama/routes.js';
import { openai } from './openai/errors.js';
import { openaiRoutes } from './openai/routes.js';

const providers = [
  { provider: openai, routes: openaiRoutes },
  { provider: anthropic, routes: anthropicRoutes },
  { provider: gemini, routes: geminiRoutes },
  { provider: ollama, routes: ollamaRoutes },
];

export function providerEndpoints(parts: LlmParts): readonly Endpoint[] {
  return providers.flatMap(({ provider, routes }) => {
    const path = basePaths[provider.name];
    const ofRun = `${runsPath}/:run/:name/${provider.name}`;
    const mounts: readonly Mount[] = [
      { provider, path, isOfRun: false },
      { provider, path: `${ofRun}/${provider.version}`, isOfRun: true },
      // Its SDK adds /v1 to the base URL, and other clients do not.
      ...(provider === anthropic ? [{ provider, path: ofRun, isOfRun: true }] : []),
    ];
    return mounts.flatMap((mount) => routes.map((route) => endpointOf(parts, mount, route)));
  });
}

/** Returns the provider that a path belongs to; `undefined` for other endpoints of the area. */
export function providerOf(request: Pick<Request, 'url'>): Provider | undefined {
  const name = providerNameOf(request);
  return providers.find(({ provider }) => provider.name === name)?.provider;
}

const json = (schema: JsonObject) => ({
  'application/json': { schema: Type.Unsafe<object>(schema) },
});
const streamOf = ({ name }: Provider) => ({
  [name === 'ollama' ? 'application/x-ndjson' : 'text/event-stream']: {
    schema: Type.Unsafe<string>({ type: 'string' }),
  },
});
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
function errorsOf(provider: Provider, { method }: ProviderRoute) {
  const { errorSchema, keyStatuses } = provider;
  const ofBody = [400, 404, 413, 415];
  const statuses = [...keyStatuses, ...(method === 'POST' ? ofBody : [])];
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

function examplesOf({ headers, name }: Provider, example: Generation['example']): Examples {
  // Gemini has the model in the path, and a path for streams.
  const isInPath = name === 'gemini';
  const at = (model: string) => (isInPath ? { path: { model } } : {});
  const json = { ...(!isInPath && { model: 'practice-1' }), ...example };
  const unknown = { ...json, model: 'other' };
  const usual = { ...at('practice-1'), headers };
  return {
    'A response': { ...usual, json, isRequestOnly: true },
    ...(!isInPath && {
      'A stream': { ...usual, json: { ...json, stream: true }, isNoExample: true as const },
    }),
    'An empty body': { ...usual, json: {}, isNoExample: true },
    ...(name === 'gemini' && {
      'No key': { ...at('practice-1'), json, isNoExample: true as const },
      'A token of OAuth': {
        ...{ ...at('practice-1'), headers: { Authorization: 'Bearer ya29' } },
        ...{ json, isNoExample: true as const },
      },
    }),
    ...(!isInPath && {
      'An unknown model': { headers, json: unknown, isNoExample: true as const },
    }),
  };
}

function endpointOf(parts: LlmParts, mount: Mount, route: ProviderRoute): Endpoint {
  const { provider, isOfRun } = mount;
  const { keyPlaces } = provider;
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
    ...(keyPlaces && { security: [{ [keyPlaces.security]: [] }] }),
    ...(bodySchema && { bodies: { 'application/json': Type.Unsafe<object>(bodySchema) } }),
    responses: {
      200: {
        description: 'The response.',
        content: {
          ...json(route.response),
          ...(generation && !generation.neverStreams && streamOf(provider)),
        },
      },
      ...errorsOf(provider, route),
    },
    responseHeaders: headersOf(mount, route),
    ...(generation && { examples: examplesOf(provider, generation.example) }),
    async handle(request, reply) {
      try {
        const apiKey = checkKey(provider, request);
        if (provider.name === 'anthropic') checkVersion(request);
        const body = bodySchema ? await readObject(request, provider.acceptsAnyType) : {};
        if (method === 'POST' && isQuotaKey(apiKey)) throw outOfQuota(provider.name);
        const call: ProviderCall = { request, reply, parts, body };
        if (generation === undefined) return await route.handle?.(call);
        const other = await generation.instead?.(call);
        if (other !== undefined) return other;
        await serveGeneration({ ...call, provider, generation, apiKey });
        return reply;
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        await judgeMistake(request, error);
        throw error;
      }
    },
  });
}
