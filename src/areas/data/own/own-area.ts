/** Data of one's own: any JSON as REST collections at `/my`, in the shape of json-server's `db.json`. */

import { valuesIn } from '../../../config/setting.js';
import type { App, Area, Services } from '../../../kit/area.js';
import { rejectUnacceptable } from '../formats/choose-format.js';
import { jsonApiType } from '../formats/json-api.js';
import { jobsOf } from '../jobs/jobs.js';
import { heedStrictness } from '../routes/heed-strictness.js';
import { sayWhatIsTaken } from '../routes/say-what-is-taken.js';
import { problemType, shapeError } from '../routes/shape-error.js';
import { rejectOtherPatches } from '../write/write-records.js';
import { dataHandlers } from './data-handlers.js';
import { deferredBodies } from './deferred-body.js';
import { indexHandlers } from './index-handlers.js';
import { watchDataFile } from './load/data-file.js';
import { ownCollections } from './own-collection.js';
import { ownExamples } from './own-examples.js';
import { ownHandlers } from './own-handlers.js';
import * as schemas from './own-schemas.js';
import { ownDataSettings } from './own-settings.js';
import { OwnStore } from './own-store.js';

export const ownDataArea: Area = {
  name: 'my',
  title: 'Your own data',
  guide: 'own-data',
  caching: 'sandbox',
  isNegotiated: true,
  errorShape: { below: ['/my'], types: [problemType, jsonApiType], shape: shapeError },
  start: '/my',
  page: { path: '/my', way: ['Your own data', 'your JSON as collections'] },
  summary:
    'REST collections of your own JSON: json-server’s db.json as it is, in your sandbox alone.',
  settings: ownDataSettings,
  banner: (baseUrl, config) => {
    const { data } = valuesIn(config, ownDataSettings);
    return data && ['Your data', `${baseUrl}/my`];
  },
  examples: () => ownExamples,
  presets: [{ title: 'your collections', method: 'GET', path: '/my' }],
  collections: [ownCollections],
  addRoutes(app, services) {
    app.addHook('onClose', async () => jobsOf(services).close());
    app.addHook('onRequest', heedStrictness);
    const { data } = valuesIn(services.config, ownDataSettings);
    const store = new OwnStore(data, services.config.schemaParts);
    watch(app, services, store);
    const put = dataHandlers(store, services);
    app.get('/api/sandbox/data', { schema: schemas.readData }, put.read);
    app.put('/api/sandbox/data', { schema: schemas.putData }, put.put);
    app.delete('/api/sandbox/data', { schema: schemas.emptyData }, put.empty);
    const index = indexHandlers(store, services);
    app.get('/my', { schema: schemas.index }, index.index);
    app.get('/my/openapi.json', { schema: schemas.description }, index.describe);
    addCollections(app, services, store);
  },
};

const path = '/my/:collection';
const record = `${path}/:id`;

function addCollections(app: App, services: Services, store: OwnStore): void {
  const handle = ownHandlers(store, services);
  app.get(path, { schema: schemas.list, ...readsQueryItself }, handle.list);
  const takesOthers = { ...negotiates, config: { otherBodies: deferredBodies } };
  app.post(path, { schema: schemas.create, ...namesAllFaults, ...takesOthers }, handle.create);
  app.put(
    path,
    { schema: schemas.replaceSingle, ...namesAllFaults, ...takesOthers },
    handle.replaceSingle,
  );
  const patchesSingle = { ...namesAllFaults, ...negotiates, onRequest: rejectOtherPatches };
  app.patch(path, { schema: schemas.changeSingle, ...patchesSingle }, handle.changeSingle);
  app.get(`${path}/count`, { schema: schemas.count, ...readsQueryItself }, handle.count);
  app.get(`${path}/changes`, { schema: schemas.changes, ...readsQueryItself }, handle.changes);
  const ofBatch = { config: { maxJsonValues: 10_000 } };
  app.post(`${path}/batch`, { schema: schemas.batch, ...ofBatch }, handle.batch);
  app.get(record, { schema: schemas.read, ...readsQueryItself }, handle.read);
  app.put(record, { schema: schemas.replace, ...namesAllFaults, ...takesOthers }, handle.replace);
  const patches = { ...namesAllFaults, ...negotiates, onRequest: rejectOtherPatches };
  app.patch(record, { schema: schemas.change, ...patches }, handle.change);
  app.delete(record, { schema: schemas.remove }, handle.remove);
  app.options(path, { schema: hidden }, handle.options);
  app.options(
    record,
    { schema: hidden },
    sayWhatIsTaken(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']),
  );
  const below = `${record}/:children`;
  app.get(below, { schema: schemas.listBelow, ...readsQueryItself }, handle.listBelow);
  const creates = { ...namesAllFaults, ...takesOthers };
  app.post(below, { schema: schemas.createBelow, ...creates }, handle.createBelow);
}

/** Parameters are named by the fields that the data happens to have. */
const readsQueryItself = { validatorCompiler: () => () => true };

const namesAllFaults = { attachValidation: true };

/** Nothing is written whose response could not be read. */
const negotiates = { preHandler: rejectUnacceptable };

/** What OPTIONS says is described with the methods themselves. */
const hidden = { hide: true };

function watch(app: App, { config, tell }: Services, store: OwnStore): void {
  const { data, watch } = valuesIn(config, ownDataSettings);
  if (data?.path === undefined || watch === 'off') return;
  const { path } = data;
  const { schemaParts } = config;
  const end = watchDataFile(
    path,
    (read) => {
      if (read instanceof Error) {
        tell('warn', `${path} is left as it was, since ${read.message}.`);
        return;
      }
      store.setPristine(read);
      tell('info', `${path} was read again.`);
    },
    schemaParts,
  );
  app.addHook('onClose', async () => end());
}
