/** The store of a service: the data in its settings, which can be a watched file. */

import { valuesIn } from '../../../config/setting.js';
import type { Services } from '../../../kit/area.js';
import {
  ownDataSettings,
  ownOptions,
  type PristineData,
  readDataFile,
  watchDataFile,
} from './load/data-file.js';
import { wordsOf } from './load/own-data-error.js';
import { OwnStore } from './own-store.js';

/** The areas of a service share its store. */
const stores = new WeakMap<Services, OwnStore>();

export function ownStoreOf(services: Services): OwnStore {
  const known = stores.get(services);
  if (known !== undefined) return known;
  const { data } = valuesIn(services.config, ownDataSettings);
  const store = new OwnStore(data, ownOptions(services.config));
  stores.set(services, store);
  warnOf(services, data);
  watch(services, store);
  return store;
}

function warnOf({ writeLog }: Pick<Services, 'writeLog'>, data: PristineData | undefined): void {
  for (const warning of data?.model.data.warnings ?? []) {
    writeLog('warn', `${data?.path ?? 'data'}: ${wordsOf(warning, 'the data')}.`);
  }
}

function watch(services: Services, store: OwnStore): void {
  const { config, writeLog, onClose } = services;
  const { data, watch } = valuesIn(config, ownDataSettings);
  if (data?.path === undefined || watch === 'off') return;
  const { path } = data;
  const close = watchDataFile(path, () => {
    try {
      const read = readDataFile(path, ownOptions(config));
      store.setPristine(read);
      writeLog('info', `Loaded ${path} again.`);
      warnOf(services, read);
    } catch (error) {
      writeLog('warn', `Kept the previous data of ${path}: ${(error as Error).message}.`);
    }
  });
  onClose(close);
}
