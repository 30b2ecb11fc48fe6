/** The OpenAPI 3.1 description of the service, made from the schemas of its routes. */

import { packageVersion } from '../../base/package-folder.js';
import type { Steps } from '../../base/run-steps.js';
import type { Area } from '../../kit/area.js';
import { type CataloguedRoute, pathTemplate } from '../../kit/route-catalogue.js';
import { serviceKeyName, serviceKeyScheme } from '../../kit/service-key.js';
import { commonComponents } from './common-parts.js';
import { ComponentSchemas } from './component-schemas.js';
import { shareExamples } from './describe-examples.js';
import { describeGuide, describeOperation } from './describe-operation.js';
import type { JsonObject, JsonValue } from './json.js';
import type { RecordedCalls } from './recorded-calls.js';
import { shareParts } from './share-parts.js';

export interface DescriptionOptions {
  /** The address that paths begin with, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether operations that are not open need the key of an account. */
  readonly isAccountRequired: boolean;
  /** Calls and their responses, which become the examples. */
  readonly recordedCalls: RecordedCalls;
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

export function* describeService(
  routes: readonly CataloguedRoute[],
  { baseUrl, isAccountRequired, recordedCalls }: DescriptionOptions,
): Steps<JsonObject> {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, JsonObject>> = {};
  // What readers came for before what the service says of itself.
  const ordered = [
    ...routes.filter(({ area }) => !area.isInfrastructure),
    ...routes.filter(({ area }) => area.isInfrastructure),
  ];
  for (const route of ordered) {
    const path = pathTemplate(route.url);
    paths[path] ??= {};
    const operation = describeOperation(route, {
      schemas,
      isAccountRequired,
      recordedCalls,
      baseUrl,
    });
    paths[path][route.method.toLowerCase()] = operation;
    yield;
  }
  const areas = [...new Set(ordered.map(({ area }) => area))].map(({ area }) => area);
  const start = areas.find(({ front }) => front.credentials)?.front.start;
  const credentials =
    start === undefined ? '' : ` Every test credential is listed by \`GET ${start}\`.`;
  const { paths: withExamples, examples } = yield* shareExamples(paths);
  const shared = yield* shareParts(withExamples);
  const common = commonComponents(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Practice API',
      version: packageVersion,
      summary: 'The service that people practise API clients and tests against.',
      description: `The service that people practise API clients and tests against. ${isAccountRequired ? accountTerms : openTerms}${credentials}\n\n${atEveryPath}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
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
      parameters: { ...common.parameters, ...shared.components.parameters },
      headers: { ...common.headers, ...shared.components.headers },
      responses: { ...common.responses, ...shared.components.responses },
      examples,
      securitySchemes: describeSchemes(areas, baseUrl, isAccountRequired),
    },
  };
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
