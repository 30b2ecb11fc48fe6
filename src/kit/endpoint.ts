/** Endpoints: one value says everything about an endpoint, and everything else is derived from it. */

import type { Static, TObject, TSchema } from 'typebox';
import { lazily } from '../base/lazily.js';
import type { Fields, Reply, Request, Traits } from '../http/exchange.js';

/** Names of the area's security schemes, with scopes; any of several requirements lets a caller in. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Does a part of the work on a request. It throws an HttpError to end it, or sends a response. */
export type Step = (request: Request, reply: Reply) => Promise<void> | void;

/** The schema of a JSON body, or schemas by media type. */
export type ResponseSchema =
  | object
  | {
      readonly description?: string;
      readonly content?: Readonly<Record<string, { readonly schema: object }>>;
    };

/** What an endpoint is, apart from its methods and path. */
export interface EndpointSpec<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Headers extends Fields = Fields,
  Body extends TSchema = TSchema,
> extends Traits {
  /** What the endpoint does, in a few words. */
  readonly summary?: string;
  /** What a caller should know beyond that. */
  readonly description?: string;
  /** The path under which the description has it, once for all endpoints that are described alike. */
  readonly describedAs?: string;
  /** Left out of the API description. */
  readonly hide?: boolean;
  readonly deprecated?: boolean;
  readonly security?: readonly SecurityRequirement[];
  readonly params?: Params;
  /** Validated; other names are rejected unless they simulate a fault. See {@link open} and {@link unvalidated}. */
  readonly query?: Query;
  /** Validated beside any others; see {@link unvalidated}. */
  readonly headers?: Headers;
  /** Cookies are described here, and read by the handler. */
  readonly cookies?: Fields;
  /** A JSON body, which is parsed and validated; with a default it may be left out. */
  readonly body?: Body;
  /** Bodies of other types, by media type, which the handler reads or `otherBodies` parses. */
  readonly bodies?: Readonly<Record<string, TSchema>>;
  /** Whether a body that the handler reads may be left out. */
  readonly isBodyOptional?: boolean;
  /** By status; any other as `default`. */
  readonly responses?: {
    readonly [status: number]: ResponseSchema;
    readonly default?: ResponseSchema;
  };
  /** The headers of responses by status, beyond those that every response has. One that may be absent is optional. */
  readonly responseHeaders?: Readonly<Record<number, Fields>>;
  /** The handler validates path, query and body by itself; the body is parsed. */
  readonly validatesItself?: boolean;
  /** The handler reports faults of the input by itself, from `inputFaults`. */
  readonly reportsFaultsItself?: boolean;
  /** Runs before the input is read. */
  readonly before?: Step | undefined;
  /** Runs once the input is valid. */
  readonly beforeHandler?: Step | undefined;
  /** Returns the body of a 200 response, the reply, or nothing once the response was sent. */
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
  /** As routes are written, such as `/api/Events/:id`. */
  readonly path: string;
  /** Whether HEAD comes with GET. */
  readonly isHeadAdded: boolean;
  /** Made when it is first read. */
  readonly spec: AnySpec;
}

/** A spec whose handler gets any request. */
export type AnySpec = Omit<EndpointSpec, 'handle'> & {
  readonly handle: (request: Request, reply: Reply) => unknown;
};

/**
 * Makes an endpoint. `GET` brings `HEAD` with it; a list of methods means these and no others. A function makes the
 * rest when it is first needed, for endpoints whose schemas are large.
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

/** All methods, with the HEAD that comes with GET. */
export function methodsOf({ methods, isHeadAdded }: Endpoint): readonly string[] {
  return isHeadAdded ? [...methods, 'HEAD'] : methods;
}

const isDetailKey = Symbol('described among all formats');
const isOpenKey = Symbol('other names are accepted');
const isUnvalidatedKey = Symbol('not validated');

/** Query parameters beside which others of any name are accepted. */
export function open<const Given extends Fields>(fields: Given): Given {
  return { ...fields, [isOpenKey]: true };
}

/** A parameter that few callers need: the description has it with `?formats=all`. */
export function detail<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, [isDetailKey]: true };
}

export function isDetail(schema: object): boolean {
  return isDetailKey in schema;
}

/** Query parameters or headers that are described here, and that the handler reads and validates by itself. */
export function unvalidated<const Given extends Fields>(fields: Given): Given {
  const marked = Object.entries(fields).map(([name, schema]) => [
    name,
    Object.defineProperties({ [isUnvalidatedKey]: true }, Object.getOwnPropertyDescriptors(schema)),
  ]);
  return Object.fromEntries(marked);
}

/** The fields that are validated; `undefined` where there are none. */
export function validatedOf(fields: Fields = {}): Fields | undefined {
  const names = Object.entries(fields).filter(([, schema]) => !(isUnvalidatedKey in schema));
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

/** Whether query parameters of other names are rejected. */
export function isClosed(query: Fields): boolean {
  return !(isOpenKey in query) && validatedOf(query) !== undefined;
}
