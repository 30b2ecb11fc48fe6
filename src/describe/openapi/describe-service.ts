/** Makes the OpenAPI 3.1 description of the service from the schemas of its routes. */

import { packageVersion } from '#base/package/package-files.js';
import type { Steps } from '#base/run-steps.js';
import type { Area } from '#kit/area.js';
import { type CataloguedRoute, pathTemplate } from '#kit/route-catalogue.js';
import { serviceKeyName, serviceKeyScheme } from '#kit/service-key.js';
import { commonComponents } from './common-parts.js';
import { ComponentSchemas } from './component-schemas.js';
import { describeGuide, describeOperation, shortResponses } from './describe-operation.js';
import type { Formats } from './formats.js';
import type { JsonObject, JsonValue } from './json.js';
import type { RecordedCalls } from './recorded-calls.js';
import { hoistParameters, shareParts } from './share-parts.js';
import { shareSchemas } from './share-schemas.js';

export interface DescriptionOptions {
  /** Base URL of the paths, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether operations that are not open need the key of an account. */
  readonly isAccountRequired: boolean;
  /** Calls and their responses, used as examples. */
  readonly recordedCalls: RecordedCalls;
  /** With `json`, bodies have only JSON where they have it, and one short example. */
  readonly formats: Formats;
}

const openTerms = 'No account and no API key are needed.';

const accountTerms =
  'Most areas need an account key in `X-Service-Key`. Keys are free: `POST /api/accounts`, or the page `/account`.';

const atEveryPath = `Every path:

- HEAD works wherever GET does, with the same status and headers and no body. A few paths support only one method, and respond to HEAD with 405.
- Unsupported methods get 405, and \`Allow\` lists the supported ones.
- Errors have the shape of the schema Error. GraphQL, OAuth and SOAP describe their own error shapes.
- Browsers, which prefer \`text/html\`, get a page for a 404 and a 405; the response then has \`Vary: Accept\`.
- Paths match in any letter case, and with a slash at the end.
- Below \`/s/{sandbox}\` is every path inside that sandbox, as with \`X-Sandbox\`.
- CORS is open to every origin, and preflights get responses.
- Malformed HTTP gets 400, headers over 16 KiB 431, and a request that arrives too slowly 408.

Methods that OpenAPI cannot describe, such as PURGE, work where every method that it can describe does.`;

const ofEveryOperation = `Every operation, described once:

- The request header \`X-Sandbox\` names the sandbox to read and write. Any name creates a private copy of all data and state. Default: the shared sandbox, or the one in the path.
- \`X-Request-Id\` of a request is echoed in the response. If missing or malformed, a new id is generated.
- Every response has \`X-Request-Id\` and \`Cache-Control\`. \`X-Simulated: true\` marks a simulated delay or failure, and \`X-Fault\` names the rule of a fault plan.
- An operation can fail in more ways than it lists: with \`?error=\` (\`&times=2\` limits the failures, \`&key=\` counts them apart), a fault plan, or 503 and \`Retry-After\`. The body then has the shape of the schema Error, or the error shape of its area.

Bodies are described as JSON, with one short example. \`?formats=all\` describes every format, every example, text filters, and all headers of each response.`;

export function* describeService(
  routes: readonly CataloguedRoute[],
  options: DescriptionOptions,
): Steps<JsonObject> {
  const { baseUrl, isAccountRequired, formats } = options;
  const schemas = new ComponentSchemas();
  // Areas come before paths about the service itself.
  const ordered = [
    ...routes.filter(({ area }) => !area.isInfrastructure),
    ...routes.filter(({ area }) => area.isInfrastructure),
  ];
  const paths = yield* describePaths(ordered, { ...options, schemas });
  const areas = [...new Set(ordered.map(({ area }) => area))].map(({ area }) => area);
  const shared = yield* shareParts(formats === 'json' ? hoistParameters(paths) : paths);
  const { responses: commonResponses, ...common } = commonComponents(schemas);
  const { parameters = {}, headers = {} } = formats === 'all' ? common : {};
  yield;
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'Practice API',
      version: packageVersion,
      summary: 'A service to practise and test API clients against.',
      description: describeUse(areas, isAccountRequired, formats),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    ...(formats === 'json' && { security: [] }),
    servers: [{ url: baseUrl, description: 'This service.' }],
    tags: areas.map(({ name, title, summary, guide }) => ({
      name,
      'x-displayName': title,
      description: summary,
      ...describeGuide(guide, baseUrl),
    })),
    paths: shared.paths,
    components: {
      schemas: schemas.all(),
      parameters: { ...parameters, ...shared.components.parameters },
      headers: { ...headers, ...shared.components.headers },
      responses: {
        ...(formats === 'all' ? commonResponses : shortResponses(commonResponses)),
        ...shared.components.responses,
      },
      requestBodies: shared.components.requestBodies,
      examples: shared.components.examples,
      securitySchemes: describeSchemes(areas, baseUrl, isAccountRequired),
    },
  };
  return formats === 'json' ? shareSchemas(description) : description;
}

function* describePaths(
  routes: readonly CataloguedRoute[],
  options: Parameters<typeof describeOperation>[1],
): Steps<Record<string, Record<string, JsonObject>>> {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const path = pathTemplate(route.url);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeOperation(route, options);
    yield;
  }
  return paths;
}

function describeUse(
  areas: readonly Area[],
  isAccountRequired: boolean,
  formats: DescriptionOptions['formats'],
): string {
  const start = areas.find(({ front }) => front.credentials)?.front.start;
  const credentials = start === undefined ? '' : ` \`GET ${start}\` lists every test credential.`;
  const terms = isAccountRequired ? accountTerms : openTerms;
  const ofAll = formats === 'json' ? `\n\n${ofEveryOperation}` : '';
  return `A service to practise and test API clients against. ${terms}${credentials}\n\n${atEveryPath}${ofAll}`;
}

function describeSchemes(
  areas: readonly Area[],
  baseUrl: string,
  isAccountRequired: boolean,
): JsonObject {
  const schemes = Object.assign({}, ...areas.map(({ securitySchemes }) => securitySchemes));
  if (isAccountRequired) schemes[serviceKeyName] = serviceKeyScheme;
  return withAddresses(schemes, baseUrl) as JsonObject;
}

/** Turns text that begins with a slash into a URL of this service. */
function withAddresses(value: JsonValue, baseUrl: string): JsonValue {
  if (typeof value === 'string') return value.startsWith('/') ? baseUrl + value : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, withAddresses(each, baseUrl)]));
}
