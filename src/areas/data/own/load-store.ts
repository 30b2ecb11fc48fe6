/** The store of a service: the data in its settings, which can be a watched file. */

import { oncePer } from '#base/once-per.js';
import { valuesIn } from '#config/setting.js';
import type { Runtime } from '#kit/services.js';
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
export const ownStoreOf = oncePer((runtime: Runtime): OwnStore => {
  const { data } = valuesIn(runtime.config, ownDataSettings);
  const store = new OwnStore(data, ownOptions(runtime.config));
  warnOf(runtime, data);
  watch(runtime, store);
  return store;
});

function warnOf({ writeLog }: Runtime, data: PristineData | undefined): void {
  for (const warning of data?.model.data.warnings ?? []) {
    writeLog('warn', `${data?.path ?? 'data'}: ${wordsOf(warning, 'the data')}.`);
  }
}

function watch(runtime: Runtime, store: OwnStore): void {
  const { config, writeLog, onClose } = runtime;
  const { data, watch } = valuesIn(config, ownDataSettings);
  if (data?.path === undefined || watch === 'off') return;
  const { path } = data;
  const close = watchDataFile(path, () => {
    try {
      const read = readDataFile(path, ownOptions(config));
      store.setPristine(read);
      writeLog('info', `Loaded ${path} again.`);
      warnOf(runtime, read);
    } catch (error) {
      writeLog('warn', `Kept the previous data of ${path}: ${(error as Error).message}.`);
    }
  });
  onClose(close);
}
