/** Compares requests and responses with the description: anything undescribed is a violation. */

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/describe/openapi/json.js';
import { type Address, isCommonHeader, type MadeCall } from './caller.js';
import type { Received } from './exchange.js';

export interface DescribedOperation {
  readonly address: Address;
  readonly operation: JsonObject;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: JsonObject;
}

/** Requests may have these headers undescribed: OpenAPI describes them elsewhere. */
const undescribedHeaders = new Set([
  'accept',
  'authorization',
  'accept-encoding',
  'cookie',
  // Headers of an upgrade, which OpenAPI cannot describe.
  'connection',
  'upgrade',
  'sec-websocket-version',
  'sec-websocket-key',
  'sec-websocket-protocol',
]);

const definitionsId = 'https://definitions.invalid/';

export class Contract {
  readonly operations = new Map<string, DescribedOperation>();
  /** The names of the headers and parameters of API keys, in lower case; a signature is in two headers, and is none. */
  readonly keyNames: ReadonlySet<string>;
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  readonly #validators = new Map<string, ReturnType<Ajv2020['compile']>>();

  readonly #description: JsonObject;

  constructor(description: JsonObject) {
    this.#description = description;
    ajvFormats.default(this.#ajv);
    const { schemas, securitySchemes = {} } = description.components as {
      schemas: JsonObject;
      securitySchemes?: Readonly<Record<string, { name?: string }>>;
    };
    const names = Object.values(securitySchemes).map(({ name = '' }) => name.toLowerCase());
    this.keyNames = new Set(names.filter((name) => name !== '' && name !== 'signature'));
    // Compiled once, whatever refers to them.
    this.#ajv.addSchema({ $id: definitionsId, $defs: strictly(schemas) });
    for (const [path, item] of Object.entries(description.paths as JsonObject)) {
      for (const [method, operation] of Object.entries(item as JsonObject)) {
        const address = { method: method.toUpperCase(), path };
        const { operationId } = operation as { operationId: string };
        this.operations.set(operationId, { address, operation: operation as JsonObject });
      }
    }
  }

  /** Operations by name; also by other methods that they describe, such as `putHttpDump`. */
  get addresses(): ReadonlyMap<string, Address> {
    const addresses = new Map<string, Address>();
    for (const [id, { address, operation }] of this.operations) {
      const { method, path } = address;
      for (const other of (operation['x-methods'] ?? []) as readonly string[]) {
        const named = other.toLowerCase() + id.slice(method.length);
        if (!this.operations.has(named)) {
          addresses.set(named, { method: other, path, describedAs: id });
        }
      }
      addresses.set(id, address);
    }
    return addresses;
  }

  /** The target of a reference, or the value itself. */
  resolve<Value extends JsonValue>(value: JsonValue | undefined): Value {
    const { $ref } = (value ?? {}) as { $ref?: string };
    if ($ref === undefined) return value as Value;
    const steps = $ref.slice(2).split('/');
    const found = steps.reduce<JsonValue>((node, step) => {
      return (node as JsonObject)[step] as JsonValue;
    }, this.#description);
    return found as Value;
  }

  get paths(): JsonObject & Readonly<Record<string, JsonObject>> {
    return this.#description.paths as Readonly<Record<string, JsonObject>>;
  }

  operation(operationId: string): DescribedOperation {
    const found = this.operations.get(operationId);
    if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
    return found;
  }

  parameters(operationId: string): Parameter[] {
    const { parameters = [] } = this.operation(operationId).operation;
    const resolved = (parameters as JsonValue[]).map((each) => this.resolve(each));
    return resolved as unknown as Parameter[];
  }

  /** Every violation by the response; empty when it is as described. */
  breachesOfResponse(operationId: string, received: Received, method?: string): string[] {
    const { address, operation } = this.operation(operationId);
    const responses = operation.responses as JsonObject;
    const exact = responses[String(received.status)];
    // Only bins respond with configured statuses.
    const isFree = (responses.default as JsonObject).$ref === undefined;
    if (exact === undefined && !isFree) return [`the status ${received.status} is not described`];
    const response = this.resolve<JsonObject>(exact ?? responses.default);
    return [
      ...this.#breachesOfHeaders(response, received, isFree),
      ...this.#breachesOfBody(response, received, method ?? address.method),
    ];
  }

  #breachesOfHeaders(response: JsonObject, received: Received, isFree: boolean): string[] {
    const breaches: string[] = [];
    const described = Object.entries((response.headers ?? {}) as JsonObject);
    const names = new Set(described.map(([name]) => name.toLowerCase()));
    for (const [name, value] of Object.entries(received.headers)) {
      if (names.has(name) || name === 'content-type' || isCommonHeader(name, value)) continue;
      if (!isFree) breaches.push(`the header ${name} is not described`);
    }
    for (const [name, reference] of described) {
      const header = this.resolve<JsonObject>(reference);
      const text = received.headers[name.toLowerCase()];
      if (text === undefined) {
        if (header.required) breaches.push(`the header ${name} is missing`);
        continue;
      }
      breaches.push(
        ...this.faults(`header ${name}`, header.schema as JsonObject, read(text, header)),
      );
    }
    return breaches;
  }

  #breachesOfBody(response: JsonObject, { bytes, headers }: Received, method: string): string[] {
    const content = response.content as JsonObject | undefined;
    if (content === undefined || method === 'HEAD') {
      return bytes.length === 0 ? [] : ['a body is not described'];
    }
    const sent = (headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const described = content[sent] ?? content['*/*'];
    if (described === undefined) return [`the media type ${sent} is not described`];
    // A body described as anything may be lines of JSON.
    const isJson = content[sent] !== undefined && /(?<!nd)json$/.test(sent);
    const whole = isJson ? decoded(bytes, headers['content-encoding']) : bytes;
    const text = whole.toString('utf8');
    const body = isJson ? JSON.parse(text) : /yaml$/.test(sent) ? parse(text) : text;
    return this.faults('body', (described as JsonObject).schema as JsonObject, body);
  }

  /** Every violation by an accepted request. */
  breachesOfRequest({ operationId, request }: MadeCall): string[] {
    const breaches: string[] = [];
    const parameters = this.parameters(operationId);
    const headers = Object.entries(request.headers ?? {});
    const given = {
      path: request.path ?? {},
      query: request.query ?? {},
      header: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      cookie: {},
    } satisfies Record<Parameter['in'], Readonly<Record<string, unknown>>>;
    const objects = parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ schema }) => this.resolve<JsonObject>(schema))
      .filter(({ type }) => type === 'object');
    const isAnyQueryTaken = objects.some(({ properties }) => properties === undefined);
    const { security } = this.operation(operationId).operation;
    const secured = JSON.stringify(security);
    for (const [place, values] of Object.entries(given)) {
      for (const [name, value] of Object.entries(values)) {
        const parameter = parameters.find((each) => {
          const own = place === 'header' ? each.name.toLowerCase() : each.name;
          return each.in === place && own === name;
        });
        if (parameter !== undefined) {
          const schema = this.resolve<JsonObject>(parameter.schema);
          const faults = this.faults(`${place} ${name}`, schema, read(value, { schema }));
          breaches.push(...faults);
          continue;
        }
        const members = place === 'query' && objects.find((each) => schemaOfMember(each, name));
        if (members) {
          // Each value of a repeated parameter has that type.
          for (const each of [value].flat()) {
            const schema = schemaOfMember(members, name) ?? {};
            breaches.push(...this.faults(`${place} ${name}`, schema, read(each, { schema })));
          }
          continue;
        }
        const isElsewhere =
          (place === 'header' && undescribedHeaders.has(name)) ||
          (place === 'query' && isAnyQueryTaken) ||
          /apiKey|serviceKey|teacherKey/.test(secured);
        if (!isElsewhere) breaches.push(`the ${place} parameter ${name} is not described`);
      }
    }
    for (const { name, in: place, required } of parameters) {
      const own = place === 'header' ? name.toLowerCase() : name;
      if (required && place !== 'cookie' && !Object.hasOwn(given[place], own)) {
        breaches.push(`the ${place} parameter ${name} is required`);
      }
    }
    return [...breaches, ...this.#breachesOfRequestBody(operationId, request)];
  }

  #breachesOfRequestBody(operationId: string, { json, body, type }: MadeCall['request']): string[] {
    const { operation, address } = this.operation(operationId);
    const requestBody =
      operation.requestBody === undefined
        ? undefined
        : this.resolve<JsonObject>(operation.requestBody);
    const isSent = json !== undefined || body !== undefined;
    if (requestBody === undefined) {
      // Tools reject descriptions of a body with GET, which the service parses nevertheless.
      return isSent && address.method !== 'GET' ? ['a body is not described'] : [];
    }
    if (!isSent) return requestBody.required ? ['the body is required'] : [];
    const mediaType = json === undefined ? (type ?? '').split(';', 1)[0] : 'application/json';
    const described = (requestBody.content as JsonObject)[mediaType ?? ''] as JsonObject;
    if (described === undefined) return [`the media type ${mediaType} is not described`];
    if (mediaType === 'application/x-www-form-urlencoded') {
      const form = Object.fromEntries(new URLSearchParams(String(body)));
      return this.faults('form', described.schema as JsonObject, form);
    }
    // Only the type of other bodies is described.
    return json === undefined ? [] : this.faults('body', described.schema as JsonObject, json);
  }

  /** The errors that a schema reports for a value. */
  faults(what: string, schema: JsonObject, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      validate = this.#ajv.compile(strictly(schema) as JsonObject);
      this.#validators.set(key, validate);
    }
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    return errors.map(({ instancePath, message, params }) => {
      return `${what}${instancePath} ${message} ${JSON.stringify(params)}`;
    });
  }
}

/**
 * Resolves references of schemas to the definitions, and forbids undescribed members of objects.
 */
function strictly(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(strictly);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) =>
    key === '$ref'
      ? [key, String(each).replace('#/components/schemas/', `${definitionsId}#/$defs/`)]
      : [key, strictly(each)],
  );
  const schema = Object.fromEntries(entries);
  const { type, properties, additionalProperties } = schema;
  const isObject = [type].flat().includes('object') && typeof properties === 'object';
  if (isObject && additionalProperties === undefined) schema.additionalProperties = false;
  return schema;
}

/** A member of the object that represents the parameters. */
function schemaOfMember(object: JsonObject, name: string): JsonObject | undefined {
  const { properties = {}, patternProperties = {} } = object as Record<string, JsonObject>;
  if (Object.hasOwn(properties, name)) return properties[name] as JsonObject;
  const found = Object.entries(patternProperties).find(([each]) => new RegExp(each).test(name));
  return found?.[1] as JsonObject | undefined;
}

/**
 * Converts text to the type that a schema expects, if possible. Several values are always a list; a
 * single value is a list only if nothing else is allowed.
 */
function read(value: unknown, { schema }: { readonly schema?: JsonValue }): unknown {
  const { type, items, anyOf } = (schema ?? {}) as Record<string, JsonValue | undefined>;
  if (Array.isArray(anyOf)) return readAs(value, anyOf as readonly JsonObject[]);
  const types = [type].flat();
  if (Array.isArray(value) || (types.includes('array') && !types.includes('string'))) {
    return [value].flat().map((each) => read(each, items === undefined ? {} : { schema: items }));
  }
  if (typeof value !== 'string') return types.includes('string') ? String(value) : value;
  if (types.includes('integer') || types.includes('number'))
    return value === '' ? value : Number(value);
  if (types.includes('boolean')) return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

/** One of several types: a list only for several values. */
function readAs(value: unknown, alternatives: readonly JsonObject[]): unknown {
  const [first = {}, ...others] = alternatives;
  const readOne = (each: unknown) => read(each, { schema: first });
  if (Array.isArray(value)) return value.map(readOne);
  const isText = others.some(({ type }) => type === 'string');
  const known = readOne(value);
  return isText && Number.isNaN(known) ? value : known;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
};

function decoded(bytes: Buffer, coding = 'identity'): Buffer {
  try {
    return decoders[coding]?.(bytes) ?? bytes;
  } catch {
    // The request selects a wrong Content-Type.
    return bytes;
  }
}
