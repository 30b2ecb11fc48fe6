/** REST collections: list, read, create, replace, change and delete, one implementation for all. */

import { wholeRecord } from '../../data/declare-record.js';
import type { App, Area, Services } from '../../server/area.js';
import { collections } from './collections.js';
import type { DeclaredCollection } from './declare-collection.js';
import { fillParent } from './fill-parent.js';
import { refuseUnacceptable } from './formats/choose-format.js';
import { jsonApiType } from './formats/json-api.js';
import { bodyParsers } from './parse-bodies.js';
import { readHandlers } from './read-records.js';
import { type Resource, resourcesOf } from './resource.js';
import { routeSchemas, schemasBelow } from './route-schemas.js';
import { sampleRequests } from './sample-requests.js';
import { problemType, shapeError } from './shape-error.js';
import { refuseOtherPatches, writeHandlers } from './write-records.js';

export const resourcesArea: Area = {
  name: 'resources',
  title: 'REST collections',
  caching: 'sandbox',
  isNegotiated: true,
  errorShape: {
    below: collections.map(({ path }) => path.toLowerCase()),
    types: [problemType, jsonApiType],
    shape: shapeError,
  },
  start: '/api/Events',
  summary: `${collections.map(({ title }) => title).join(', ')}: filters, search, sorting, paging, entity tags and writes.`,
  parts: collections.map(({ title, path, noun }) => ({
    title,
    path,
    says: `Each ${noun} by its id`,
  })),
  isShown: (path) => /^\/api\/(?:Events|Books)(?:\/|$)/.test(path),
  examples: () => collections.flatMap(({ examples = [] }) => examples),
  presets: collections.flatMap(({ presets = [] }) => presets),
  collections: collections.map((each) => sampleRequests(each, collections)),
  addRoutes(app, services) {
    const resources = resourcesOf(collections, services);
    for (const collection of collections) {
      const resource = resources.get(collection.name) as Resource;
      addCollection(app, collection, resource, services);
      addChildren(app, collection, resource, services);
    }
  },
};

function addCollection(
  app: App,
  declared: DeclaredCollection,
  resource: Resource,
  services: Services,
): void {
  const { path } = declared;
  const record = `${path}/:id`;
  const schemas = routeSchemas(declared, resource);
  const { all, sendList, sendRecord, ...read } = readHandlers(resource, services);
  const write = writeHandlers(resource, services);

  app.get(path, { schema: schemas.list, ...readsQueryItself, ...negotiates }, read.list);
  const takesOthers = { config: { otherBodies: bodyParsers(resource.parameters.fields) } };
  app.post(
    path,
    { schema: schemas.create, ...namesAllFaults, ...takesOthers, ...negotiates },
    write.create,
  );
  app.get(`${path}/count`, { schema: schemas.count, ...readsQueryItself }, read.count);
  app.get(record, { schema: schemas.read }, read.read);
  app.put(
    record,
    { schema: schemas.replace, ...namesAllFaults, ...takesOthers, ...negotiates },
    write.replace,
  );
  app.patch(
    record,
    { schema: schemas.change, ...namesAllFaults, ...negotiates, onRequest: refuseOtherPatches },
    write.change,
  );
  app.delete(record, { schema: schemas.remove }, write.remove);

  const recordSchema = wholeRecord(declared.record);
  const listParameters = schemas.list.querystring.properties;
  declared.addViews?.(app, { recordSchema, listParameters, all, sendList, sendRecord }, services);
}

/** The lists below each record of those of other collections that belong to it. */
function addChildren(
  app: App,
  declared: DeclaredCollection,
  resource: Resource,
  services: Services,
): void {
  for (const relation of resource.relations()) {
    const { kind, other, segment } = relation;
    const child = collections.find(({ name }) => name === other.name);
    if (kind === 'parent' || child === undefined) continue;
    const path = `${declared.path}/:id/${segment}`;
    const schemas = schemasBelow(declared, relation, child);
    const { listBelow } = readHandlers(other, services);
    const { create } = writeHandlers(other, services);
    app.get(
      path,
      { schema: schemas.list, ...readsQueryItself, ...negotiates },
      listBelow(resource, relation),
    );
    app.post(
      path,
      {
        schema: schemas.create,
        ...namesAllFaults,
        config: { otherBodies: bodyParsers(other.parameters.fields) },
        preValidation: fillParent(resource, relation),
        ...negotiates,
      },
      create,
    );
  }
}

/** Parameters are read from their text in read-list-query.ts, which can say what each takes. */
const readsQueryItself = { validatorCompiler: () => () => true };

/** Nothing is written whose answer could not be read. */
const negotiates = { preHandler: refuseUnacceptable };

/** Faults of the schema are told together with those that only a rule finds. */
const namesAllFaults = { attachValidation: true };
