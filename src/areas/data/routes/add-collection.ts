/** Adds the paths of a collection: the same for those of this service and those of callers. */

import type { FastifySchema, HTTPMethods } from 'fastify';
import type { Reply, Request } from '../../../http/exchange.js';
import type { App } from '../../../kit/area.js';
import { rejectUnacceptable } from '../formats/choose-format.js';
import type { Handle } from '../source/call.js';
import { optionsOfRecord, rejectOtherPatches } from './accepted-types.js';

/** What it returns is for the framework; schemas of routes have no type for a response. */
export type RouteHandler = (request: Request, reply: Reply) => Promise<never>;

/** Makes the handler of a route, which finds the source of a request. */
export type Serve = (handle: Handle) => RouteHandler;

export type EndpointName =
  | 'list'
  | 'create'
  | 'replaceSingle'
  | 'changeSingle'
  | 'count'
  | 'changes'
  | 'batch'
  | 'read'
  | 'replace'
  | 'change'
  | 'remove'
  | 'restore';

export interface CollectionRoutes {
  /** A collection has the endpoints that have a handler. */
  readonly handlers: Readonly<Partial<Record<EndpointName, RouteHandler>>>;
  readonly options: RouteHandler;
  /** Made when they are first read: those of thirteen collections are 4 MiB. */
  readonly schemas: () => Readonly<Partial<Record<EndpointName, FastifySchema>>>;
  /** Parsers of bodies that are not JSON, by media type. */
  readonly otherBodies: BodyParsers;
  /** Options of the route for lists. */
  readonly ofLists: object;
}

export type BodyParsers = Readonly<Record<string, (text: string) => unknown>>;

/** The handler reads parameters and the body, and says of each what it accepts. */
export const readsItself = { validatorCompiler: () => () => true };

/** Nothing is written whose response could not be read. */
export const negotiates = { preHandler: rejectUnacceptable };

/** As many values as a hundred records of the largest kind have. */
const ofBatch = { config: { maxJsonValues: 10_000 } };

/** OPTIONS is described with the methods that it lists. */
const hidden = { schema: { hide: true } };

export function addCollection(app: App, path: string, routes: CollectionRoutes): void {
  const { handlers, options, schemas, otherBodies, ofLists } = routes;
  const acceptsBody = { ...readsItself, ...negotiates, config: { otherBodies } };
  const acceptsPatch = { ...readsItself, ...negotiates, onRequest: rejectOtherPatches };

  function add(method: HTTPMethods, below: string, name: EndpointName, more: object = {}): void {
    const handler = handlers[name];
    if (handler === undefined) return;
    addRoute(app, method, path + below, handler, { schema: () => schemas()[name] ?? {}, more });
  }
  add('GET', '', 'list', ofLists);
  add('POST', '', 'create', acceptsBody);
  add('PUT', '', 'replaceSingle', acceptsBody);
  add('PATCH', '', 'changeSingle', acceptsPatch);
  app.options(path, hidden, options);
  add('GET', '/count', 'count', readsItself);
  add('GET', '/changes', 'changes', readsItself);
  add('POST', '/batch', 'batch', ofBatch);
  add('GET', '/:id', 'read');
  add('PUT', '/:id', 'replace', acceptsBody);
  add('PATCH', '/:id', 'change', acceptsPatch);
  add('DELETE', '/:id', 'remove');
  app.options(`${path}/:id`, hidden, optionsOfRecord);
  add('POST', '/:id/restore', 'restore', negotiates);
}

interface RouteParts {
  readonly schema: () => FastifySchema;
  readonly more: object;
}

export function addRoute(
  app: App,
  method: HTTPMethods,
  url: string,
  handler: RouteHandler,
  { schema, more }: RouteParts,
): void {
  app.route({
    ...more,
    method,
    url,
    get schema() {
      return schema();
    },
    handler,
  });
}
