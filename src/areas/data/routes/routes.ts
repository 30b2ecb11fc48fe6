/** REST collections: list, read, create, replace, change and delete, one implementation for all. */

import type { FastifySchema } from 'fastify';
import { lazily } from '../../../base/lazily.js';
import { wholeRecord } from '../../../data/declare-record.js';
import type { App, Area, Services } from '../../../kit/area.js';
import { bodyChecker } from '../built-in/body-checker.js';
import { collections } from '../built-in/collections.js';
import type { DeclaredCollection } from '../built-in/declare-collection.js';
import { type Resource, resourcesOf } from '../built-in/resource.js';
import { jobRequests, sampleRequests } from '../built-in/sample-requests.js';
import { rejectUnacceptable } from '../formats/choose-format.js';
import { jsonApiType } from '../formats/json-api.js';
import { addJobRoutes } from '../jobs/job-routes.js';
import { type Jobs, jobsOf } from '../jobs/jobs.js';
import { changeHandlers } from '../read/change-handlers.js';
import { readHandlers } from '../read/read-records.js';
import { fillParent } from '../write/fill-parent.js';
import { bodyParsers } from '../write/parse-bodies.js';
import { rejectOtherPatches, writeHandlers } from '../write/write-records.js';
import { heedStrictness } from './heed-strictness.js';
import { patternSchemas } from './pattern-schemas.js';
import { routeSchemas, schemasBelow } from './route-schemas.js';
import { sayWhatIsTaken } from './say-what-is-taken.js';
import { problemType, shapeError } from './shape-error.js';

export const resourcesArea: Area = {
  name: 'resources',
  title: 'REST collections',
  guide: 'resources',
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
  isShown: (path) => /^\/api\/(?:Events|Books|jobs)(?:\/|$)/.test(path),
  examples: () => collections.flatMap(({ examples = [] }) => examples),
  presets: collections.flatMap(({ presets = [] }) => presets),
  collections: [...collections.map((each) => sampleRequests(each, collections)), jobRequests],
  addRoutes(app, services) {
    const jobs = jobsOf(services);
    app.addHook('onClose', async () => jobs.close());
    app.addHook('onRequest', heedStrictness);
    addJobRoutes(app, services, jobs);
    const resources = resourcesOf(collections, services, (each) => bodyChecker(app, each));
    for (const collection of collections) {
      const resource = resources.get(collection.name) as Resource;
      jobs.serve(resource);
      const write = writeHandlers(resource, services, jobs);
      addCollection(app, collection, resource, services, write);
      addChildren(app, collection, resource, services, jobs);
    }
  },
};

function addCollection(
  app: App,
  declared: DeclaredCollection,
  resource: Resource,
  services: Services,
  write: ReturnType<typeof writeHandlers>,
): void {
  const { path } = declared;
  const record = `${path}/:id`;
  const schemas = lazily(() => routeSchemas(declared, resource));
  const { all, sendList, sendRecord, ...read } = readHandlers(resource, services);
  const { changes } = changeHandlers(resource, services);

  app.get(
    path,
    describedBy(() => schemas().list, { ...readsQueryItself, ...negotiates }),
    read.list,
  );
  const takesOthers = { config: { otherBodies: bodyParsers(resource.parameters.fields) } };
  app.post(
    path,
    describedBy(() => schemas().create, { ...namesAllFaults, ...takesOthers, ...negotiates }),
    write.create,
  );
  app.options(path, { schema: hidden }, sayWhatIsTaken(['GET', 'HEAD', 'OPTIONS', 'POST']));
  app.get(
    `${path}/count`,
    describedBy(() => schemas().count, readsQueryItself),
    read.count,
  );
  app.get(`${path}/changes`, { schema: patternSchemas.changes, ...readsQueryItself }, changes);
  app.post(`${path}/batch`, { schema: patternSchemas.batch, config: ofBatch }, write.batch);
  app.get(
    record,
    describedBy(() => schemas().read),
    read.read,
  );
  app.put(
    record,
    describedBy(() => schemas().replace, { ...namesAllFaults, ...takesOthers, ...negotiates }),
    write.replace,
  );
  app.patch(
    record,
    describedBy(() => schemas().change, {
      ...namesAllFaults,
      ...negotiates,
      onRequest: rejectOtherPatches,
    }),
    write.change,
  );
  app.delete(
    record,
    describedBy(() => schemas().remove),
    write.remove,
  );
  app.options(
    record,
    { schema: hidden },
    sayWhatIsTaken(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']),
  );
  if (resource.keepsTrash) {
    app.post(
      `${record}/restore`,
      describedBy(() => schemas().restore, negotiates),
      write.restore,
    );
  }

  const recordSchema = () => wholeRecord(declared.record);
  const listParameters = () => schemas().list.querystring.properties;
  declared.addViews?.(app, { recordSchema, listParameters, all, sendList, sendRecord }, services);
}

/** The lists below each record of those of other collections that belong to it. */
function addChildren(
  app: App,
  declared: DeclaredCollection,
  resource: Resource,
  services: Services,
  jobs: Jobs,
): void {
  for (const relation of resource.relations()) {
    const { kind, other, segment } = relation;
    const child = collections.find(({ name }) => name === other.name);
    if (kind === 'parent' || child === undefined) continue;
    const path = `${declared.path}/:id/${segment}`;
    const schemas = lazily(() => schemasBelow(declared, relation, child));
    const { listBelow } = readHandlers(other, services);
    const { create } = writeHandlers(other, services, jobs);
    app.get(
      path,
      describedBy(() => schemas().list, { ...readsQueryItself, ...negotiates }),
      listBelow(resource, relation),
    );
    app.post(
      path,
      describedBy(() => schemas().create, {
        ...namesAllFaults,
        config: { otherBodies: bodyParsers(other.parameters.fields) },
        preValidation: fillParent(resource, relation),
        ...negotiates,
      }),
      create,
    );
  }
}

/** Schemas are made when somebody reads them: those of thirteen collections are 4 MiB. */
function describedBy<Schema extends FastifySchema, Options extends object>(
  schema: () => Schema,
  options = {} as Options,
) {
  return {
    ...options,
    get schema() {
      return schema();
    },
  };
}

/** Parameters are read from their text in read-list-query.ts, which can say what each takes. */
const readsQueryItself = { validatorCompiler: () => () => true };

/** Nothing is written whose response could not be read. */
const negotiates = { preHandler: rejectUnacceptable };

/** Faults of the schema are told together with those that only a rule finds. */
const namesAllFaults = { attachValidation: true };

/** As many values as a hundred records of the largest kind have. */
const ofBatch = { maxJsonValues: 10_000 };

/** What OPTIONS says is described with the methods themselves. */
const hidden = { hide: true };
