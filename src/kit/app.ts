/** Adds endpoints in the earlier form, by calls. */

import type { Static, TSchema } from 'typebox';
import type { Awaitable } from '../base/awaitable.js';
import { lazily } from '../base/lazily.js';
import type { Fields, Reply, Request, Traits } from '../http/exchange.js';
import type { Services } from './area.js';
import {
  type AnySpec,
  type Endpoint,
  open,
  type SecurityRequirement,
  type Step,
  unvalidated,
} from './endpoint.js';

export interface DescribedRequest {
  readonly querystring?: Fields;
  readonly headers?: Fields;
  readonly cookies?: Fields;
  readonly body?: Readonly<Record<string, TSchema>>;
  readonly isBodyOptional?: true;
}

export interface EndpointSchema {
  readonly summary?: string;
  readonly description?: string;
  readonly describedAs?: string;
  readonly hide?: boolean;
  readonly deprecated?: boolean;
  readonly security?: readonly SecurityRequirement[];
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  readonly described?: DescribedRequest;
  readonly response?: Readonly<Record<number, unknown>>;
  readonly responseHeaders?: Readonly<Record<number, Fields>>;
}

type Parsed<Schema, Part extends string> =
  Schema extends Readonly<Record<Part, infer Found>>
    ? Found extends TSchema
      ? Static<Found>
      : unknown
    : unknown;

export type SchemaRequest<Schema> = Request<{
  Params: Parsed<Schema, 'params'>;
  Querystring: Parsed<Schema, 'querystring'>;
  Headers: Parsed<Schema, 'headers'>;
  Body: Parsed<Schema, 'body'>;
}>;

export interface EndpointOptions<Schema = EndpointSchema> {
  readonly schema?: Schema;
  readonly config?: Traits;
  readonly isHeadAdded?: boolean;
  readonly readsItself?: boolean;
  readonly reportsFaultsItself?: boolean;
  readonly before?: Step;
  readonly beforeHandler?: Step;
  readonly beforeSend?: Step;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler may end without a value
export type Handler<Request_ = Request> = (request: Request_, reply: Reply) => unknown | void;

type AddRoute = <const Schema extends EndpointSchema>(
  path: string,
  options: EndpointOptions<Schema>,
  handler: Handler<SchemaRequest<Schema>>,
) => void;

export class App {
  readonly endpoints: Endpoint[] = [];
  readonly closers: (() => Promise<void> | void)[] = [];
  #steps: readonly Step[] = [];

  readonly get: AddRoute = (...rest) => this.route('GET', ...rest);
  readonly post: AddRoute = (...rest) => this.route('POST', ...rest);
  readonly put: AddRoute = (...rest) => this.route('PUT', ...rest);
  readonly patch: AddRoute = (...rest) => this.route('PATCH', ...rest);
  readonly delete: AddRoute = (...rest) => this.route('DELETE', ...rest);
  readonly head: AddRoute = (...rest) => this.route('HEAD', ...rest);
  readonly options: AddRoute = (...rest) => this.route('OPTIONS', ...rest);

  route<const Schema extends EndpointSchema>(
    method: string | readonly string[],
    path: string,
    options: EndpointOptions<Schema>,
    handler: Handler<SchemaRequest<Schema>>,
  ): void {
    const methods = [method].flat();
    const { isHeadAdded = true } = options;
    const steps = this.#steps;
    const made = lazily(() => specOf(options as EndpointOptions, steps, handler as Handler));
    this.endpoints.push({
      methods,
      path,
      isHeadAdded: isHeadAdded && methods.includes('GET') && !methods.includes('HEAD'),
      get spec() {
        return made();
      },
    });
  }

  everyRequest(step: Step): void {
    this.#steps = [...this.#steps, step];
  }

  onClose(close: () => Promise<void> | void): void {
    this.closers.push(close);
  }
}

interface ObjectSchema {
  readonly properties?: Fields;
  readonly additionalProperties?: unknown;
}

function specOf(
  { schema = {}, config = {}, isHeadAdded: _, readsItself, ...options }: EndpointOptions,
  steps: readonly Step[],
  handle: Handler,
): AnySpec {
  const { params, querystring, headers, described = {}, response, ...rest } = schema;
  const query = querystring as ObjectSchema | undefined;
  const mark =
    query === undefined ? unvalidated : query.additionalProperties === false ? same : open;
  const {
    querystring: describedQuery,
    headers: describedHeaders,
    body: bodies,
    ...more
  } = described;
  const { before } = options;
  const all = before === undefined ? steps : [...steps, before];
  return {
    ...rest,
    ...config,
    ...options,
    ...more,
    ...((headers ?? describedHeaders) && {
      headers: { ...(headers as ObjectSchema)?.properties, ...unvalidated(describedHeaders ?? {}) },
    }),
    ...(readsItself && { validatesItself: true }),
    ...(bodies && { bodies }),
    ...(params && { params: (params as ObjectSchema).properties ?? {} }),
    ...((query ?? describedQuery) && { query: mark({ ...query?.properties, ...describedQuery }) }),
    ...(response && { responses: response as Readonly<Record<number, object>> }),
    ...(all.length > 0 && { before: inOrder(all) }),
    handle,
  };
}

const same = (fields: Fields) => fields;

function inOrder(steps: readonly Step[]): Step {
  return (request, reply) => {
    for (const step of steps) {
      // None of those that share a route waits, except the last.
      const pending = step(request, reply);
      if (pending !== undefined) return pending;
    }
    return undefined;
  };
}

/** The endpoints of an area, however it adds them. */
export async function endpointsOf<Given extends Services>(
  area: {
    readonly endpoints?: (given: Given) => Awaitable<readonly Endpoint[]>;
    readonly addRoutes?: (app: App, given: Given) => void | Promise<void>;
  },
  services: Given,
): Promise<readonly Endpoint[]> {
  if (area.endpoints !== undefined) return area.endpoints(services);
  const app = new App();
  await area.addRoutes?.(app, services);
  for (const close of app.closers) services.onClose(close);
  return app.endpoints;
}
