/** Adds the paths of a collection: the same for those of this service and those of callers. */

import type { App, EndpointOptions, EndpointSchema, Handler } from '../../../kit/app.js';
import { checkAcceptable } from '../formats/choose-format.js';
import type { Handle } from '../source/call.js';
import { optionsOfRecord, rejectOtherPatches } from './accepted-types.js';

/** Makes the handler of an endpoint, which finds the source of a request. */
export type Serve = (handle: Handle) => Handler;

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
  readonly handlers: Readonly<Partial<Record<EndpointName, Handler>>>;
  readonly options: Handler;
  /** Made when they are first read: those of thirteen collections are 4 MiB. */
  readonly schemas: () => Readonly<Partial<Record<EndpointName, EndpointSchema>>>;
  /** Parsers of bodies that are not JSON, by media type. */
  readonly otherBodies: BodyParsers;
  /** Options of the route for lists. */
  readonly ofLists: EndpointOptions;
}

export type BodyParsers = Readonly<Record<string, (text: string) => unknown>>;

/** The handler reads parameters and the body, and says of each what it accepts. */
export const readsItself = { readsItself: true };

/** Nothing is written whose response could not be read. */
export const negotiates = { beforeHandler: checkAcceptable };

/** As many values as a hundred records of the largest kind have. */
const ofBatch = { config: { maxJsonValues: 10_000 } };

/** OPTIONS is described with the methods that it lists. */
const hidden = { schema: { hide: true } };

export function addCollection(app: App, path: string, routes: CollectionRoutes): void {
  const { handlers, options, schemas, otherBodies, ofLists } = routes;
  const acceptsBody = { ...readsItself, ...negotiates, config: { otherBodies } };
  const acceptsPatch = { ...readsItself, ...negotiates, before: rejectOtherPatches };

  function add(
    method: string,
    below: string,
    name: EndpointName,
    more: EndpointOptions = {},
  ): void {
    const handler = handlers[name];
    if (handler === undefined) return;
    app.route(
      method,
      path + below,
      describedBy(() => schemas()[name] ?? {}, more),
      handler,
    );
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

/** Options with a schema that is made when it is first read. */
export function describedBy(
  schema: () => EndpointSchema,
  options: EndpointOptions,
): EndpointOptions {
  return {
    ...options,
    get schema() {
      return schema();
    },
  };
}
