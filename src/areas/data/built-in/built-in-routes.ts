/** The paths of this service's collections. */

import { lazily } from '../../../base/lazily.js';
import { wholeRecord } from '../../../data/declare-record.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { checkAcceptable } from '../formats/choose-format.js';
import { addJobRoutes } from '../jobs/job-routes.js';
import { jobsOf } from '../jobs/jobs.js';
import { changes } from '../read/read-changes.js';
import { count, list, listBelow, read } from '../read/read-records.js';
import { options } from '../routes/accepted-types.js';
import {
  addCollection,
  describedBy,
  negotiates,
  readsItself,
  type Serve,
} from '../routes/add-collection.js';
import { Call, type Handle } from '../source/call.js';
import { fillParent } from '../source/relations.js';
import type { Source } from '../source/source.js';
import { bodyParsers } from '../write/parse-bodies.js';
import { type WriteHandlers, writeHandlers } from '../write/respond-to-write.js';
import { addBookViews } from './book-views.js';
import { builtInSchemas, schemasBelow } from './built-in-schemas.js';
import { builtInSources } from './built-in-source.js';
import { collections } from './collections.js';
import type { DeclaredCollection, DeclaredRelation, ViewParts } from './declared-collection.js';
import { addEventViews } from './event-views.js';

export function addBuiltInRoutes(app: App, services: Services): void {
  const jobs = jobsOf(services);
  addJobRoutes(app, services, jobs);
  const sources = builtInSources(collections, services.datasets);
  jobs.serve((_view, path) => [...sources.values()].find((source) => source.path === path));
  const write = writeHandlers(jobs);
  for (const collection of collections) {
    const source = sources.get(collection.name) as Source;
    const serve: Serve = (handle) => (request, reply) =>
      handle(new Call(source, request, reply, services));
    addPaths(app, { collection, source, serve, write });
    addChildren(app, { collection, source, serve, write });
  }
}

interface Parts {
  readonly collection: DeclaredCollection;
  readonly source: Source;
  readonly serve: Serve;
  readonly write: WriteHandlers;
}

const ofLists = { ...readsItself, ...negotiates };

/** The paths that only some collections have. */
const views: Readonly<Record<string, (app: App, parts: ViewParts) => void>> = {
  books: addBookViews,
  events: addEventViews,
};

function addPaths(app: App, { collection, source, serve, write }: Parts): void {
  const schemas = lazily(() => builtInSchemas(collection));
  const { restore, ...others } = write;
  const handlers = mapValues({ list, count, read, changes, ...others }, serve);
  addCollection(app, source.path, {
    handlers: { ...handlers, ...(source.keepsTrash && { restore: serve(restore) }) },
    options: serve(options),
    schemas,
    otherBodies: bodyParsers(source.fields.all),
    ofLists,
  });
  const recordSchema = () => wholeRecord(collection.record);
  const listParameters = () => schemas().list.querystring.properties;
  views[collection.name]?.(app, { serve, recordSchema, listParameters });
}

/** Adds the lists below each record of those of other collections that belong to it. */
function addChildren(app: App, { collection, source, serve, write }: Parts): void {
  for (const [place, relation] of source.relations().entries()) {
    const declared = collection.relations[place] as DeclaredRelation;
    const child = collections.find(({ name }) => name === declared.to);
    if (relation.kind === 'parent' || child === undefined) continue;
    const schemas = lazily(() => schemasBelow(collection, declared, child));
    const path = `${source.path}/:id/${relation.segment}`;
    const below: Handle = (call) => listBelow(call, relation, call.to(relation.other));
    app.get(
      path,
      describedBy(() => schemas().list, ofLists),
      serve(below),
    );
    const create: Handle = async (call) => {
      await fillParent(call, relation);
      checkAcceptable(call.request);
      return write.create(call.to(relation.other));
    };
    const config = { otherBodies: bodyParsers(relation.other.fields.all) };
    app.post(
      path,
      describedBy(() => schemas().create, { ...readsItself, config }),
      serve(create),
    );
  }
}

function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  map: (value: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(values).map(([name, value]) => [name, map(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
