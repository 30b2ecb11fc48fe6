/** The handlers of `/my/{collection}`: those of every collection, over whatever the sandbox has of that name. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../server/area.js';
import { HttpError } from '../../../server/http-error.js';
import { changeHandlers } from '../change-handlers.js';
import { fillParent } from '../fill-parent.js';
import { jobsOf } from '../jobs/jobs.js';
import { listTakes, type Query } from '../read-list-query.js';
import { readHandlers } from '../read-records.js';
import { readValue } from '../read-value.js';
import type { Relation } from '../relations.js';
import type { Resource } from '../resource.js';
import { writeHandlers } from '../write-records.js';
import { parseDeferred } from './deferred-body.js';
import { refuseForeignParameters } from './foreign-parameters.js';
import { ownPath, ownResources, widened } from './own-resource.js';
import type { OwnSource } from './own-source.js';
import type { OwnStore } from './own-store.js';
import { type SingleHandler, singleHandlers } from './single-handlers.js';

type Handler<Answer> = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>;

interface CollectionHandlers {
  readonly resource: Resource;
  readonly read: ReturnType<typeof readHandlers>;
  readonly write: ReturnType<typeof writeHandlers>;
  readonly changes: ReturnType<typeof changeHandlers>;
}

export function ownHandlers(store: OwnStore, services: Services) {
  const { sandboxOf } = services;
  const jobs = jobsOf(services);
  /** Made once for each source. */
  const known = new WeakMap<OwnSource, ReadonlyMap<string, CollectionHandlers>>();
  const single = singleHandlers(services);

  function handlersFor(source: OwnSource, name: string): CollectionHandlers {
    let ofSource = known.get(source);
    if (ofSource === undefined) {
      const resources = ownResources(source, services);
      ofSource = new Map([...resources].map(([each, resource]) => [each, handlersOver(resource)]));
      known.set(source, ofSource);
    }
    return ofSource.get(name) as CollectionHandlers;
  }

  function handlersOver(resource: Resource): CollectionHandlers {
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
    const name = [...source.datasets.keys()].find((each) => ownPath(each) === path);
    return name === undefined ? undefined : handlersFor(source, name).resource;
  });

  /** The handlers of a collection; `onSingle` answers where the name is that of a single resource. */
  function over<Answer>(
    run: (
      handlers: CollectionHandlers,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<Answer>,
    onSingle: SingleHandler<Answer>,
  ): Handler<Answer> {
    return async (request, reply) => {
      const source = await store.find(sandboxOf(request));
      const name = nameIn(source, request);
      if (!source.datasets.has(name)) return onSingle(source, name, request, reply);
      return run(handlersFor(source, name), request, reply);
    };
  }

  /** With the parameters that the query could mean, which later records may have brought. */
  async function forQuery(handlers: CollectionHandlers, request: FastifyRequest) {
    const { fieldNames, parameters } = handlers.resource;
    const query = request.query as Query;
    const isKnown = (name: string) =>
      parameters.filters.has(name) || fieldNames.includes(name) || listTakes.includes(name);
    const names = [...Object.keys(query), ...namesIn(query.sort), ...namesIn(query.fields)];
    if (names.every(isKnown) && areReadable(parameters, query)) return handlers;
    const records = await handlers.resource.recordsOf(request).list();
    const wider = handlersOver(widened(handlers.resource, records));
    refuseForeignParameters(query, (name) => wider.resource.parameters.filters.has(name));
    return wider;
  }

  const nothingBelow = (_source: OwnSource, name: string): never => {
    throw new HttpError(
      404,
      `${name} is a single resource, without records. GET /my/${name} reads it.`,
    );
  };
  const allowOnly =
    (allow: string, what: string) =>
    (_source: OwnSource, name: string): never => {
      throw new HttpError(405, `${ownPath(name)} is ${what}.`, { headers: { allow } });
    };
  const noCreation = allowOnly(
    'GET, HEAD, PUT, PATCH',
    'a single resource: GET reads it, PUT replaces it, PATCH changes it',
  );

  /** Of methods that only single resources have on their own path. */
  function onlySingle(run: SingleHandler<FastifyReply>): Handler<FastifyReply> {
    return async (request, reply) => {
      const source = await store.find(sandboxOf(request));
      const name = nameIn(source, request);
      if (!source.datasets.has(name)) return run(source, name, request, reply);
      throw new HttpError(
        405,
        `/my/${name} is a collection: GET lists it, POST creates a record; the others are for /my/${name}/{id}.`,
        { headers: { allow: 'GET, HEAD, POST' } },
      );
    };
  }

  return {
    list: over(async (handlers, request, reply) => {
      const { read } = await forQuery(handlers, request);
      return read.list(request, reply);
    }, single.read),
    count: over(async (handlers, request) => {
      const { read } = await forQuery(handlers, request);
      return read.count(request);
    }, nothingBelow),
    read: over(async (handlers, request, reply) => {
      const { read } = await forQuery(handlers, request);
      return read.read(request, reply);
    }, nothingBelow),
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
    create: over(({ write, resource }, request, reply) => {
      parseDeferred(request, resource);
      return write.create(request, reply);
    }, noCreation),
    replace: over(({ write, resource }, request, reply) => {
      parseDeferred(request, resource);
      return write.replace(request, reply);
    }, nothingBelow),
    change: over(({ write }, request, reply) => write.change(request, reply), nothingBelow),
    remove: over(({ write }, request, reply) => write.remove(request, reply), nothingBelow),
    batch: over(({ write }, request, reply) => write.batch(request, reply), nothingBelow),
    changes: over(({ changes }, request, reply) => changes.changes(request, reply), nothingBelow),
    replaceSingle: onlySingle(single.replace),
    changeSingle: onlySingle(single.change),
  };
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
function relationIn({ name, relations }: Resource, { params }: FastifyRequest): Relation {
  const { children } = params as { readonly children: string };
  const below = relations().filter(({ kind }) => kind === 'children');
  const found = below.find(({ other }) => other.name.toLowerCase() === children.toLowerCase());
  if (found !== undefined) return found;
  const there = below.map(({ other }) => other.name).join(', ') || 'nothing';
  throw new HttpError(404, `Below a record of ${name} there is ${there}, and no ${children}.`);
}

/** The name as the data has it, whatever the case in the address, as in other addresses. */
function nameIn({ model, datasets }: OwnSource, { params }: FastifyRequest): string {
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
