/** REST collections: list, read, create, replace, change and delete, one implementation for all. */

import type { App, Area, Services } from '../../server/area.js';
import { books } from './books.js';
import { collectionOf } from './collection.js';
import { events } from './events.js';
import { refuseOtherPatches, resourceHandlers } from './handlers.js';
import type { Resource } from './resource.js';
import { routeSchemas } from './route-schemas.js';

/** Every REST resource; one more is a file beside these, and its name here. */
export const resourceAreas: readonly Area[] = [events, books].map((resource) => ({
  name: resource.name,
  title: resource.title,
  caching: 'sandbox',
  start: resource.path,
  summary: resource.summary,
  examples: () => resource.examples,
  presets: resource.presets ?? [],
  collections: [{ ...collectionOf(resource.title, resource.noun), flows: resource.flows ?? [] }],
  addRoutes: (app, services) => addResource(app, resource, services),
}));

function addResource(app: App, resource: Resource, services: Services): void {
  const { path } = resource;
  const record = `${path}/:id`;
  const schemas = routeSchemas(resource);
  const { all, sendList, sendRecord, ...handle } = resourceHandlers(resource, services);

  app.get(path, { schema: schemas.list, ...readsQueryItself }, handle.list);
  app.post(path, { schema: schemas.create, ...namesAllFaults }, handle.create);
  app.get(`${path}/count`, { schema: schemas.count, ...readsQueryItself }, handle.count);
  app.get(record, { schema: schemas.read }, handle.read);
  app.put(record, { schema: schemas.replace, ...namesAllFaults }, handle.replace);
  app.patch(
    record,
    { schema: schemas.change, ...namesAllFaults, onRequest: refuseOtherPatches },
    handle.change,
  );
  app.delete(record, { schema: schemas.remove }, handle.remove);

  const recordSchema = schemas.read.response[200];
  const listParameters = schemas.list.querystring.properties;
  resource.addViews?.(app, { recordSchema, listParameters, all, sendList, sendRecord }, services);
}

/** Parameters are read from their text in read-list-query.ts, which can say what each takes. */
const readsQueryItself = { validatorCompiler: () => () => true };

/** Faults of the schema are told together with those that only a rule finds. */
const namesAllFaults = { attachValidation: true };
