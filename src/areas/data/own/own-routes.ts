/** The paths of a caller's data: those of every collection, for whatever the sandbox has of a name. */

import { valuesIn } from '../../../config/setting.js';
import { HttpError } from '../../../http/http-error.js';
import type { App, Handler } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { jobsOf } from '../jobs/jobs.js';
import { changes } from '../read/read-changes.js';
import { count, list, listBelow, read } from '../read/read-records.js';
import { options } from '../routes/accepted-types.js';
import {
  addCollection,
  type EndpointName,
  negotiates,
  readsItself,
} from '../routes/add-collection.js';
import { Call, type Handle } from '../source/call.js';
import { fillParent } from '../source/relations.js';
import type { Relation } from '../source/source.js';
import { type WriteHandlers, writeHandlers } from '../write/respond-to-write.js';
import { dataHandlers } from './data-handlers.js';
import { deferredBodies, parseDeferred } from './deferred-body.js';
import { indexHandlers } from './index-handlers.js';
import { type PristineData, watchDataFile } from './load/data-file.js';
import { indexSchemas, ownSchemas, ownSchemasBelow, wholeDataSchemas } from './own-schemas.js';
import { ownDataSettings } from './own-settings.js';
import { forQuery, OwnSources } from './own-sources.js';
import { OwnStore } from './own-store.js';

export function addOwnRoutes(app: App, services: Services): void {
  const { data } = valuesIn(services.config, ownDataSettings);
  const store = new OwnStore(data, services.config.schemaParts);
  watch(app, services, store);
  const whole = dataHandlers(store, services);
  app.get('/api/sandbox/data', { schema: wholeDataSchemas.read }, whole.read);
  app.put('/api/sandbox/data', { schema: wholeDataSchemas.put }, whole.put);
  app.delete('/api/sandbox/data', { schema: wholeDataSchemas.empty }, whole.empty);
  const index = indexHandlers(store, services);
  app.get('/my', { schema: indexSchemas.index }, index.index);
  app.get('/my/openapi.json', { schema: indexSchemas.describe }, index.describe);
  addCollections(app, services, store);
}

const path = '/my/:collection';

function addCollections(app: App, services: Services, store: OwnStore): void {
  const jobs = jobsOf(services);
  const sources = new OwnSources(store);
  jobs.serve((view, at) => sources.at(view, at));
  const write = writeHandlers(jobs);
  const collections = endpointsOfCollections(write);
  const singles = endpointsOfSingles(write);
  const serve =
    (name: OwnEndpoint): Handler =>
    async (request, reply) => {
      const source = await sources.find(request, services.sandboxOf(request));
      const handle = (source.isSingle ? singles : collections)[name];
      return handle(new Call(source, request, reply, services));
    };
  const names = Object.keys(collections) as OwnEndpoint[];
  addCollection(app, path, {
    handlers: Object.fromEntries(names.map((name) => [name, serve(name)])),
    options: serve('options'),
    schemas: () => ownSchemas,
    otherBodies: deferredBodies,
    ofLists: readsItself,
  });
  const below = `${path}/:id/:children`;
  const { list, create } = ownSchemasBelow;
  app.get(below, { schema: list, ...readsItself }, serve('listBelow'));
  const acceptsBody = { ...readsItself, ...negotiates, config: { otherBodies: deferredBodies } };
  app.post(below, { schema: create, ...acceptsBody }, serve('createBelow'));
}

function watch(app: App, { config, tell }: Services, store: OwnStore): void {
  const { data, watch } = valuesIn(config, ownDataSettings);
  if (data?.path === undefined || watch === 'off') return;
  const { path: file } = data;
  const onChange = (read: PristineData | Error) => {
    if (read instanceof Error) {
      tell('warn', `${file} is left as it was, since ${read.message}.`);
      return;
    }
    store.setPristine(read);
    tell('info', `${file} was read again.`);
  };
  app.onClose(watchDataFile(file, onChange, config.schemaParts));
}

type OwnEndpoint = Exclude<EndpointName, 'restore'> | 'options' | 'listBelow' | 'createBelow';
type Endpoints = Readonly<Record<OwnEndpoint, Handle>>;

/** Later records may have brought fields that the query names. */
const withQuery = (handle: Handle) => async (call: Call) => handle(await forQuery(call));

/** Bodies that are not JSON are parsed by the fields of the collection. */
const withBody = (handle: Handle) => (call: Call) => {
  parseDeferred(call);
  return handle(call);
};

function endpointsOfCollections(write: WriteHandlers): Endpoints {
  return {
    list: withQuery(list),
    create: withBody(write.create),
    replaceSingle: notOfCollections,
    changeSingle: notOfCollections,
    options,
    count: withQuery(count),
    changes,
    batch: write.batch,
    read: withQuery(read),
    replace: withBody(write.replace),
    change: write.change,
    remove: write.remove,
    async listBelow(call) {
      const relation = relationIn(call);
      return listBelow(call, relation, await forQuery(call.to(relation.other)));
    },
    async createBelow(call) {
      const relation = relationIn(call);
      const child = call.to(relation.other);
      parseDeferred(child);
      await fillParent(call, relation);
      return write.create(child);
    },
  };
}

function endpointsOfSingles(write: WriteHandlers): Endpoints {
  return {
    list: withQuery(read),
    create: notOfSingles,
    replaceSingle: withBody(write.replace),
    changeSingle: write.change,
    options,
    count: nothingBelow,
    changes: nothingBelow,
    batch: nothingBelow,
    read: nothingBelow,
    replace: nothingBelow,
    change: nothingBelow,
    remove: nothingBelow,
    listBelow: nothingBelow,
    createBelow: nothingBelow,
  };
}

function nothingBelow({ source: { name, path } }: Call): never {
  throw new HttpError(404, `${name} is a single resource, without records. GET ${path} reads it.`);
}

function notOfSingles({ source: { path } }: Call): never {
  throw new HttpError(
    405,
    `${path} is a single resource: GET reads it, PUT replaces it, PATCH changes it.`,
    { headers: { allow: 'GET, HEAD, PUT, PATCH' } },
  );
}

function notOfCollections({ source: { path } }: Call): never {
  throw new HttpError(
    405,
    `${path} is a collection: GET lists it, POST creates a record; the others are for ${path}/{id}.`,
    { headers: { allow: 'GET, HEAD, POST' } },
  );
}

/** Returns the relation to the children that the path names. */
function relationIn({ source: { name, relations }, request }: Call): Relation {
  const { children } = request.params as { readonly children: string };
  const below = relations().filter(({ kind }) => kind === 'children');
  const found = below.find(({ other }) => other.name.toLowerCase() === children.toLowerCase());
  if (found !== undefined) return found;
  const there = below.map(({ other }) => other.name).join(', ') || 'nothing';
  throw new HttpError(404, `Below a record of ${name} there is ${there}, and no ${children}.`);
}
