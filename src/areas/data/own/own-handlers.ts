/** The handlers of `/my/{collection}`: those of every collection, over whatever the sandbox has of that name. */

import { createBoundedCache } from '../../../base/bounded-cache.js';
import { turns } from '../../../base/work-in-turns.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Resource } from '../built-in/resource.js';
import { jobsOf } from '../jobs/jobs.js';
import { changeHandlers } from '../read/change-handlers.js';
import { listTakes, type Query } from '../read/read-list-query.js';
import { readHandlers } from '../read/read-records.js';
import { readValue } from '../read/read-value.js';
import { sayWhatIsTaken } from '../routes/say-what-is-taken.js';
import type { Relation } from '../source/relations.js';
import { fillParent } from '../write/fill-parent.js';
import { writeHandlers } from '../write/write-records.js';
import { parseDeferred } from './deferred-body.js';
import { rejectForeignParameters } from './foreign-parameters.js';
import { ownPath, ownResource, widened } from './own-resource.js';
import { ownSingle } from './own-single.js';
import type { OwnSource } from './own-source.js';
import type { OwnStore } from './own-store.js';

type Handler<Answer> = (request: Request, reply: Reply) => Promise<Answer>;

const maxHandlerBytes = 24 * 1024 * 1024;

/** Estimates what the handlers of a collection hold, most of it the parameters of its lists. */
function handlerBytes({ resource: { parameters } }: Handlers): number {
  let bytes = 4096;
  for (const name of parameters.filters.keys()) bytes += 250 + 2 * name.length;
  for (const { name } of parameters.fields) bytes += 1000 + 2 * name.length;
  return bytes;
}

/** Of a collection or a single resource. */
interface Handlers {
  readonly resource: Resource;
  readonly read: ReturnType<typeof readHandlers>;
  readonly write: ReturnType<typeof writeHandlers>;
  readonly changes: ReturnType<typeof changeHandlers>;
}

type Run<Answer> = (handlers: Handlers, request: Request, reply: Reply) => Promise<Answer>;

export function ownHandlers(store: OwnStore, services: Services) {
  const { sandboxOf } = services;
  const jobs = jobsOf(services);
  /** Can be made again at any time. */
  const known = createBoundedCache<Handlers>({
    maxEntries: 10_000,
    maxWeight: maxHandlerBytes,
    weigh: handlerBytes,
  });

  function handlersFor(source: OwnSource, name: string): Handlers {
    return known.get(`${source.number} ${name}`, () =>
      handlersOver(
        source.datasets.has(name)
          ? ownResource(name, source, services, (other) => handlersFor(source, other).resource)
          : ownSingle(name, source, services),
      ),
    );
  }

  function handlersOver(resource: Resource): Handlers {
    return {
      resource,
      read: readHandlers(resource, services),
      write: writeHandlers(resource, services, jobs),
      changes: changeHandlers(resource, services),
    };
  }

  jobs.serveOthers((view, path) => {
    // In a transaction everything is there at once.
    const source = store.find(view) as OwnSource;
    const name = source.model.data.names.find((each) => ownPath(each) === path);
    return name === undefined ? undefined : handlersFor(source, name).resource;
  });

  /** Responds with the handlers of what the path names: a collection, or else a single resource. */
  function over<Answer>(onCollection: Run<Answer>, onSingle: Run<Answer>): Handler<Answer> {
    return async (request, reply) => {
      const source = await store.find(sandboxOf(request));
      const handlers = handlersFor(source, nameIn(source, request));
      const run = handlers.resource.isSingle ? onSingle : onCollection;
      return run(handlers, request, reply);
    };
  }

  /** With the parameters that the query could mean, which later records may have brought. */
  async function forQuery(handlers: Handlers, request: Request) {
    const { fieldNames, parameters } = handlers.resource;
    const query = request.query as Query;
    const isKnown = (name: string) =>
      parameters.filters.has(name) || fieldNames.includes(name) || listTakes.includes(name);
    const names = [...Object.keys(query), ...namesIn(query.sort), ...namesIn(query.fields)];
    if (names.every(isKnown) && areReadable(parameters, query)) return handlers;
    const records = await handlers.resource.recordsOf(request).list();
    // The initial records are frozen, and their fields never change.
    const isWritten = records.some((record) => !Object.isFrozen(record));
    const wider = isWritten ? handlersOver(widened(handlers.resource, records)) : handlers;
    if (isWritten) await turns.next();
    rejectForeignParameters(query, (name) => wider.resource.parameters.filters.has(name));
    return wider;
  }

  const read: Run<Reply> = async (handlers, request, reply) => {
    const { read: asAsked } = await forQuery(handlers, request);
    return asAsked.read(request, reply);
  };
  const replace: Run<never> = ({ write, resource }, request, reply) => {
    parseDeferred(request, resource);
    return write.replace(request, reply);
  };
  const change: Run<never> = ({ write }, request, reply) => write.change(request, reply);

  return {
    list: over(async (handlers, request, reply) => {
      const { read: asAsked } = await forQuery(handlers, request);
      return asAsked.list(request, reply);
    }, read),
    count: over(async (handlers, request) => {
      const { read: asAsked } = await forQuery(handlers, request);
      return asAsked.count(request);
    }, nothingBelow),
    read: over(read, nothingBelow),
    listBelow: over(async (parents, request, reply) => {
      const relation = relationIn(parents.resource, request);
      const children = await forQuery(handlersOver(relation.other), request);
      return children.read.listBelow(parents.resource, relation)(request, reply);
    }, nothingBelow),
    createBelow: over(async ({ resource }, request, reply) => {
      const relation = relationIn(resource, request);
      parseDeferred(request, relation.other);
      await fillParent(resource, relation)(request);
      return writeHandlers(relation.other, services, jobs).create(request, reply);
    }, nothingBelow),
    create: over<never>(({ write, resource }, request, reply) => {
      parseDeferred(request, resource);
      return write.create(request, reply);
    }, noCreation),
    replace: over(replace, nothingBelow),
    change: over(change, nothingBelow),
    remove: over(({ write }, request, reply) => write.remove(request, reply), nothingBelow),
    batch: over(({ write }, request, reply) => write.batch(request, reply), nothingBelow),
    changes: over(({ changes }, request, reply) => changes.changes(request, reply), nothingBelow),
    replaceSingle: over(notOfAll, replace),
    changeSingle: over(notOfAll, change),
    options: over<Reply>(
      (_handlers, request, reply) => takenByCollections(request, reply),
      (_handlers, request, reply) => takenBySingles(request, reply),
    ),
  };
}

const takenByCollections = sayWhatIsTaken(['GET', 'HEAD', 'OPTIONS', 'POST']);
const takenBySingles = sayWhatIsTaken(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']);

async function nothingBelow({ resource: { name, path } }: Handlers): Promise<never> {
  throw new HttpError(404, `${name} is a single resource, without records. GET ${path} reads it.`);
}

async function noCreation({ resource: { path } }: Handlers): Promise<never> {
  throw new HttpError(
    405,
    `${path} is a single resource: GET reads it, PUT replaces it, PATCH changes it.`,
    { headers: { allow: 'GET, HEAD, PUT, PATCH' } },
  );
}

async function notOfAll({ resource: { path } }: Handlers): Promise<never> {
  throw new HttpError(
    405,
    `${path} is a collection: GET lists it, POST creates a record; the others are for ${path}/{id}.`,
    { headers: { allow: 'GET, HEAD, POST' } },
  );
}

/** Whether the values are of the kinds that the fields began with; later records may hold others. */
function areReadable({ filters }: Resource['parameters'], query: Query): boolean {
  return Object.entries(query).every(([name, given]) => {
    const filter = filters.get(name);
    if (filter === undefined) return true;
    const texts = [given].flat();
    const each = filter.operator === '_in' ? texts.flatMap((text) => text.split(',')) : texts;
    return each.every((text) => readValue(filter.field, text) !== undefined);
  });
}

function namesIn(text: Query[string] | undefined): string[] {
  if (typeof text !== 'string') return [];
  return text.split(',').map((part) => part.trim().replace(/^-/, ''));
}

/** The relation to the children that the address names. */
function relationIn({ name, relations }: Resource, { params }: Request): Relation {
  const { children } = params as { readonly children: string };
  const below = relations().filter(({ kind }) => kind === 'children');
  const found = below.find(({ other }) => other.name.toLowerCase() === children.toLowerCase());
  if (found !== undefined) return found;
  const there = below.map(({ other }) => other.name).join(', ') || 'nothing';
  throw new HttpError(404, `Below a record of ${name} there is ${there}, and no ${children}.`);
}

/** The name as the data has it, whatever the case in the address, as in other addresses. */
function nameIn({ model, datasets }: OwnSource, { params }: Request): string {
  const { collection } = params as { readonly collection: string };
  const { singles, names } = model.data;
  if (datasets.has(collection) || singles.has(collection)) return collection;
  const lower = collection.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === lower);
  if (found !== undefined) return found;
  const there = names.length === 0 ? 'none' : names.slice(0, 20).join(', ');
  throw new HttpError(
    404,
    `There is no collection ${collection} of your own; there is ${there}. PUT /api/sandbox/data brings them.`,
  );
}
