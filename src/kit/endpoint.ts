/** Endpoints: what an area adds to the service, and what everything else is derived from. */

import type { Static, TSchema } from 'typebox';
import type { Reply, Request, Route, RouteConfig } from '../http/exchange.js';

/** Schemas by header name; one that a response may lack is optional. */
export type HeaderSchemas = Readonly<Record<string, TSchema>>;

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface DescribedRequest {
  readonly querystring?: HeaderSchemas;
  readonly headers?: HeaderSchemas;
  readonly cookies?: HeaderSchemas;
  /** Schemas by media type. */
  readonly body?: Readonly<Record<string, TSchema>>;
  /** Whether the body may be left out. */
  readonly isBodyOptional?: true;
}

export interface EndpointSchema {
  /** What the endpoint does, in a few words, for the API description. */
  readonly summary?: string;
  /** What a caller should know beyond that. */
  readonly description?: string;
  /** The path under which the description has it, once for all endpoints that are described alike. */
  readonly describedAs?: string;
  /** Left out of the API description. */
  readonly hide?: boolean;
  readonly deprecated?: boolean;
  /** Any of these lets a caller in: names of the area's security schemes, with scopes. */
  readonly security?: readonly SecurityRequirement[];
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** What the handler reads by itself: described like the rest, but neither parsed nor validated. */
  readonly described?: DescribedRequest;
  /** Schemas of responses by status, for the description. */
  readonly response?: Readonly<Record<number, unknown>>;
  /** The headers of responses by status, beyond those that every response has. */
  readonly responseHeaders?: Readonly<Record<number, HeaderSchemas>>;
}

/** Does a part of the work on a request. It throws an HttpError to end it, or sends a response. */
export type Step = (request: Request, reply: Reply) => Promise<void> | void;

type Parsed<Schema, Part extends string> =
  Schema extends Readonly<Record<Part, infer Found>>
    ? Found extends TSchema
      ? Static<Found>
      : unknown
    : unknown;

/** A request whose parts have the types of their schemas. */
export type RequestFor<Schema> = Request<{
  Params: Parsed<Schema, 'params'>;
  Querystring: Parsed<Schema, 'querystring'>;
  Headers: Parsed<Schema, 'headers'>;
  Body: Parsed<Schema, 'body'>;
}>;

export interface EndpointOptions<Schema = EndpointSchema> {
  readonly schema?: Schema;
  readonly config?: RouteConfig;
  /** Whether HEAD comes with GET; it does by default. */
  readonly isHeadAdded?: boolean;
  /** The handler reads path and query by itself; their schemas only describe them. */
  readonly readsItself?: boolean;
  /** The handler reports faults of the input by itself, from `inputFaults`. */
  readonly reportsFaultsItself?: boolean;
  /** Runs before the input is read. */
  readonly before?: Step;
  /** Runs once the input is valid. */
  readonly beforeHandler?: Step;
  /** Runs before the head of each response is written, also of failures. */
  readonly beforeSend?: Step;
}

/** Returns the body of a 200 response, the reply, or nothing once the response was sent. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may end without a value
export type Handler<Request_ = Request> = (request: Request_, reply: Reply) => unknown | void;

export interface Endpoint extends Route, Omit<EndpointOptions, keyof Route> {
  readonly methods: readonly string[];
  readonly path: string;
  readonly schema: EndpointSchema;
  readonly handle: Handler;
  /** Steps that all endpoints of an area share. They run first. */
  readonly steps: readonly Step[];
}

type AddRoute = <const Schema extends EndpointSchema>(
  path: string,
  options: EndpointOptions<Schema>,
  handler: Handler<RequestFor<Schema>>,
) => void;

/** Collects the endpoints of an area. */
export class App {
  readonly endpoints: Endpoint[] = [];
  /** They run when the service stops. */
  readonly closers: (() => Promise<void> | void)[] = [];
  #steps: readonly Step[] = [];

  readonly get: AddRoute = (...rest) => this.route('GET', ...rest);
  readonly post: AddRoute = (...rest) => this.route('POST', ...rest);
  readonly put: AddRoute = (...rest) => this.route('PUT', ...rest);
  readonly patch: AddRoute = (...rest) => this.route('PATCH', ...rest);
  readonly delete: AddRoute = (...rest) => this.route('DELETE', ...rest);
  readonly head: AddRoute = (...rest) => this.route('HEAD', ...rest);
  readonly options: AddRoute = (...rest) => this.route('OPTIONS', ...rest);

  /** Adds an endpoint of one or several methods. */
  route<const Schema extends EndpointSchema>(
    method: string | readonly string[],
    path: string,
    options: EndpointOptions<Schema>,
    handler: Handler<RequestFor<Schema>>,
  ): void {
    const methods = [method].flat();
    const { isHeadAdded = true } = options;
    const endpoint = {
      config: {},
      ...options,
      methods,
      path,
      isHeadAdded: isHeadAdded && methods.includes('GET') && !methods.includes('HEAD'),
      handle: handler as Handler,
      steps: this.#steps,
    };
    // Made when it is first read, where the options have a getter.
    Object.defineProperty(endpoint, 'schema', { get: () => options.schema ?? {} });
    this.endpoints.push(endpoint as unknown as Endpoint);
  }

  /** Adds a step to every endpoint that is added from now on. */
  everyRequest(step: Step): void {
    this.#steps = [...this.#steps, step];
  }

  onClose(close: () => Promise<void> | void): void {
    this.closers.push(close);
  }
}

/** The methods of an endpoint, with the HEAD that comes with GET. */
export function methodsOf({ methods, isHeadAdded }: Endpoint): readonly string[] {
  return isHeadAdded ? [...methods, 'HEAD'] : methods;
}
