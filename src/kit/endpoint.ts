/** Endpoints: one value describes an endpoint, and everything else is derived from it. */

import type { Static, TObject, TSchema } from 'typebox';
import { lazily } from '#base/lazily.js';
import type { Fields, Reply, Request, Traits } from '#http/exchange.js';
import type { Examples } from './example.js';

/**
 * Security schemes of the area by name, with scopes; any one of several requirements is sufficient.
 */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Performs a part of the work on a request. Throws an HttpError or sends a response to end it. */
export type Step = (request: Request, reply: Reply) => Promise<void> | void;

/** The schema of a JSON body, or schemas by media type. */
export type ResponseSchema =
  | object
  | {
      readonly description?: string;
      readonly content?: Readonly<Record<string, { readonly schema: object }>>;
    };

/** Properties of an endpoint other than methods and path. */
export interface EndpointSpec<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Headers extends Fields = Fields,
  Body extends TSchema = TSchema,
> extends Traits {
  /** Short description of the endpoint. */
  readonly summary?: string;
  /** Further details for callers. */
  readonly description?: string;
  /** Path in the description, shared by endpoints with the same description. */
  readonly describedAs?: string;
  /** Left out of the API description. */
  readonly hide?: boolean;
  readonly deprecated?: boolean;
  readonly security?: readonly SecurityRequirement[];
  readonly params?: Params;
  /**
   * Validated; other names are rejected unless they simulate a fault. See {@link open} and {@link
   * unvalidated}.
   */
  readonly query?: Query;
  /** Validated; other headers are accepted. See {@link unvalidated}. */
  readonly headers?: Headers;
  /** Cookies are described here, and read by the handler. */
  readonly cookies?: Fields;
  /** A JSON body, which is parsed and validated; optional if it has a default. */
  readonly body?: Body;
  /** Bodies of other types by media type, which the handler reads or `otherBodies` parses. */
  readonly bodies?: Readonly<Record<string, TSchema>>;
  /** Whether a body that the handler reads is optional. */
  readonly isBodyOptional?: boolean;
  /**
   * By status; `default` is any other status. These follow: 400 from all input, 413 and 415 from `body`, 401 from
   * `security`. `undefined` for a status that does not.
   */
  readonly responses?: {
    readonly [status: number]: ResponseSchema | undefined;
    readonly default?: ResponseSchema;
  };
  /**
   * Headers of responses by status, in addition to the headers of every response. Optional headers
   * may be absent.
   */
  readonly responseHeaders?: Readonly<Record<number, Fields>>;
  /**
   * `own`: the handler validates path, query and body itself; the body is parsed. `reported`: the handler reports the
   * faults of the input, from `inputFaults`.
   */
  readonly validation?: 'own' | 'reported';
  /** With a function, of each method of an endpoint with several; it gets a method in capitals. */
  readonly examples?: Examples | ((method: string) => Examples);
  /** Runs before the input is read. */
  readonly before?: Step | undefined;
  /** Runs before a malformed body is rejected with 400, and may reject it for another reason. */
  readonly beforeBodyFault?: Step | undefined;
  /** Runs after the input was validated. */
  readonly beforeHandler?: Step | undefined;
  /** Returns the body of a 200 response, the reply, or nothing if the response was sent. */
  readonly handle: (
    request: Request<{
      Params: Static<TObject<Params>>;
      Querystring: Static<TObject<Query>>;
      Headers: Static<TObject<Headers>>;
      Body: Static<Body>;
    }>,
    reply: Reply,
  ) => unknown;
}

export interface Endpoint {
  readonly methods: readonly string[];
  /** In the syntax of routes, such as `/api/Events/:id`. */
  readonly path: string;
  /** Whether HEAD is supported with GET. */
  readonly isHeadAdded: boolean;
  /** Made on first use. */
  readonly spec: AnySpec;
}

/** A spec whose handler accepts any request. */
export type AnySpec = Omit<EndpointSpec, 'handle'> & {
  readonly handle: (request: Request, reply: Reply) => unknown;
};

/**
 * Makes an endpoint. `GET` adds `HEAD`; a list of methods adds none. A function makes the rest on
 * first use, for endpoints with large schemas.
 */
export function endpoint<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Headers extends Fields = Fields,
  Body extends TSchema = TSchema,
>(
  methods: string | readonly string[],
  path: string,
  spec:
    | EndpointSpec<Params, Query, Headers, Body>
    | (() => EndpointSpec<Params, Query, Headers, Body>),
): Endpoint {
  const specOf = (typeof spec === 'function' ? lazily(spec) : () => spec) as () => AnySpec;
  return {
    methods: [methods].flat(),
    path,
    isHeadAdded: methods === 'GET',
    get spec() {
      return specOf();
    },
  };
}

/** Returns all methods, including the HEAD of GET. */
export function methodsOf({ methods, isHeadAdded }: Endpoint): readonly string[] {
  return isHeadAdded ? [...methods, 'HEAD'] : methods;
}

const isDetailKey = Symbol('described among all formats');
const isOpenKey = Symbol('other names are accepted');
const synonymsKey = Symbol('misspelled names are rejected');
const isUnvalidatedKey = Symbol('not validated');
const isSecretKey = Symbol('not shown in recordings');

/** Query parameters that allow others of any name. */
export function open<const Given extends Fields>(fields: Given): Given {
  return { ...fields, [isOpenKey]: true };
}

/**
 * Query parameters that allow others of any name, except misspelled names of these. `synonyms` lead from other names that
 * clients try to the right ones.
 */
export function openExceptTypos<const Given extends Fields>(
  fields: Given,
  synonyms: Readonly<Record<string, string>> = {},
): Given {
  return { ...open(fields), [synonymsKey]: synonyms };
}

/** Returns the synonyms of query parameters whose misspelled names are rejected. */
export function synonymsOf(query: Fields): Readonly<Record<string, string>> | undefined {
  return (query as { readonly [synonymsKey]?: Readonly<Record<string, string>> })[synonymsKey];
}

/** A parameter that few callers need; only `?formats=all` describes it. */
export function detail<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, [isDetailKey]: true };
}

export function isDetail(schema: object): boolean {
  return isDetailKey in schema;
}

/** Query parameters or headers that the handler reads and validates itself. */
export function unvalidated<const Given extends Fields>(fields: Given): Given {
  const marked = Object.entries(fields).map(([name, schema]) => [
    name,
    withMark(schema, isUnvalidatedKey),
  ]);
  return Object.fromEntries(marked);
}

/**
 * A part of the path, a query parameter or a header whose value recordings do not show. Names such
 * as `password` and `token` need no mark.
 */
export function secret<Schema extends TSchema>(schema: Schema): Schema {
  return withMark(schema, isSecretKey);
}

export function secrets<const Given extends Fields>(fields: Given): Given {
  const marked = Object.entries(fields).map(([name, schema]) => [name, secret(schema)]);
  return Object.fromEntries(marked);
}

export function isSecret(schema: object): boolean {
  return isSecretKey in schema;
}

/** Types of optional fields are not enumerable. */
function withMark<Schema extends TSchema>(schema: Schema, mark: symbol): Schema {
  return Object.defineProperties(
    { [mark]: true },
    Object.getOwnPropertyDescriptors(schema),
  ) as never;
}

/** Returns the validated fields; `undefined` if there are none. */
export function validatedOf(fields: Fields = {}): Fields | undefined {
  const names = Object.entries(fields).filter(([, schema]) => !(isUnvalidatedKey in schema));
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

/** Returns whether query parameters of other names are rejected. */
export function isClosed(query: Fields): boolean {
  return !(isOpenKey in query) && validatedOf(query) !== undefined;
}
