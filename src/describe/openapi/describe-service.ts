/** The OpenAPI 3.1 description of the service, made from the schemas of its routes. */

import { packageVersion } from '../../base/package/package-files.js';
import type { Steps } from '../../base/run-steps.js';
import type { Area } from '../../kit/area.js';
import { type CataloguedRoute, pathTemplate } from '../../kit/route-catalogue.js';
import { serviceKeyName, serviceKeyScheme } from '../../kit/service-key.js';
import { commonComponents } from './common-parts.js';
import { ComponentSchemas } from './component-schemas.js';
import { describeGuide, describeOperation, shortResponses } from './describe-operation.js';
import type { Formats } from './formats.js';
import type { JsonObject, JsonValue } from './json.js';
import type { RecordedCalls } from './recorded-calls.js';
import { hoistParameters, shareParts } from './share-parts.js';
import { shareSchemas } from './share-schemas.js';

export interface DescriptionOptions {
  /** The address that paths begin with, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether operations that are not open need the key of an account. */
  readonly isAccountRequired: boolean;
  /** Calls and their responses, which become the examples. */
  readonly recordedCalls: RecordedCalls;
  /** With `json`, bodies have no other format where they have JSON, and one short example. */
  readonly formats: Formats;
}

const openTerms = 'Everything here works as it is: no account, and no key to ask for.';

const accountTerms =
  'Most areas need the key of an account in `X-Service-Key`. It is free: `POST /api/accounts`, or the page `/account`.';

const atEveryPath = `What holds at every path:

- A GET gets a response to HEAD as well, with the same status and headers and no body, except where a path is there for one method alone: then HEAD is 405.
- A method that a path does not support gets 405, and \`Allow\` lists those it supports.
- Errors have the shape of the schema Error. GraphQL, OAuth and SOAP have shapes of their own, which are described where they live.
- Paths match in any letter case, and with a slash at the end.
- Below \`/s/{sandbox}\` is every path inside that sandbox, as with \`X-Sandbox\`.
- Every origin may call (CORS), and preflights get responses.
- Malformed HTTP gets 400, headers over 16 KiB 431, and a request that does not arrive in time 408.

Methods that OpenAPI has no place for, such as PURGE, work where every method that it has a place for is described.`;

const ofEveryOperation = `What every operation has, described once:

- The request header \`X-Sandbox\` names the sandbox that is read and written. Any name makes a copy of all data and state. Without it, the sandbox is the one that all callers share, or the one of the path.
- \`X-Request-Id\` of a request is repeated in the response. If it is missing or malformed, the response has a new one.
- Every response has \`X-Request-Id\` and \`Cache-Control\`. \`X-Simulated: true\` marks a simulated delay or failure, and \`X-Fault\` names the rule of a fault plan.
- An operation can fail in more ways than it lists: as \`?error=\` or a fault plan says, or with 503 and \`Retry-After\`. The body then has the shape of the schema Error, or that of its area.

Bodies are described as JSON, with one short example. \`?formats=all\` describes every format, every example, comparisons of texts, and all headers of each response.`;

export function* describeService(
  routes: readonly CataloguedRoute[],
  options: DescriptionOptions,
): Steps<JsonObject> {
  const { baseUrl, isAccountRequired, formats } = options;
  const schemas = new ComponentSchemas();
  // What readers came for before what the service says of itself.
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
      summary: 'The service that people practise API clients and tests against.',
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
  const credentials =
    start === undefined ? '' : ` Every test credential is listed by \`GET ${start}\`.`;
  const terms = isAccountRequired ? accountTerms : openTerms;
  const ofAll = formats === 'json' ? `\n\n${ofEveryOperation}` : '';
  return `The service that people practise API clients and tests against. ${terms}${credentials}\n\n${atEveryPath}${ofAll}`;
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

/** Text that begins with a slash stands for an address of this service. */
function withAddresses(value: JsonValue, baseUrl: string): JsonValue {
  if (typeof value === 'string') return value.startsWith('/') ? baseUrl + value : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, withAddresses(each, baseUrl)]));
}
