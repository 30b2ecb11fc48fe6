/**
 * Data that every sandbox begins with, from the file of `--data`. With `--watch`, it is loaded again after a change.
 */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import { objectSetting, setting } from '#config/setting.js';
import { OwnDataError } from './own-data-error.js';
import { loadOwnData, type OwnModel, type OwnOptions } from './own-model.js';
import { usualFieldNames } from './own-relations.js';
import { maxDataBytes } from './read-own-data.js';

export interface PristineData {
  /** Absent for data from code. */
  readonly path: string | undefined;
  /** The same for the same text, in every process. */
  readonly version: string;
  readonly model: OwnModel;
}

/** Throws an `Error` with a one-line message. */
export function readDataFile(path: string, options?: OwnOptions): PristineData {
  const whole = resolve(path);
  const text = readText(whole);
  return { path: whole, version: versionOf(text), model: loadOwnData(text, options) };
}

/** Loads data from an object. Errors have no line and column. */
export function dataOfObject(data: object, options?: OwnOptions): PristineData {
  let text: string;
  try {
    text = JSON.stringify(data) ?? '';
  } catch (error) {
    throw new Error(`it cannot be written as JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  try {
    return { path: undefined, version: versionOf(text), model: loadOwnData(text, options) };
  } catch (error) {
    if (!(error instanceof OwnDataError)) throw error;
    throw new OwnDataError(error.faults.map(({ field, what }) => ({ field, what })));
  }
}

function versionOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 12);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'it cannot be read',
  ENOTDIR: 'a part of its path is not a directory',
};

/** Checks the size before reading, so that a huge file costs nothing. */
function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > maxDataBytes) {
      throw new Error(`it has ${size} bytes; the limit is ${maxDataBytes} (5 MiB)`);
    }
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8 text');
    return bytes.toString('utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(reasons[code] ?? message);
  }
}

/** Editors and containers report changes in different ways; polling the modification time works with all. */
const askEveryMs = 250;

export function watchDataFile(path: string, onChange: () => void): () => void {
  watchFile(path, { interval: askEveryMs, persistent: false }, onChange);
  return () => unwatchFile(path, onChange);
}

type Earlier = Readonly<Record<string, unknown>>;

function optionsIn({ schemaParts, dataId, dataForeignKeySuffix }: Earlier): OwnOptions {
  return {
    maxSchemaParts: schemaParts as number | undefined,
    names: {
      id: (dataId as string | undefined) ?? usualFieldNames.id,
      foreignKeySuffix:
        (dataForeignKeySuffix as string | undefined) ?? usualFieldNames.foreignKeySuffix,
    },
  };
}

/** Returns the options for loading data. */
export function ownOptions(config: object): OwnOptions {
  return optionsIn(config as Earlier);
}

function fieldName(text: string): string {
  if (/^[\w-]{1,50}$/.test(text) && text !== '__proto__') return text;
  throw new Error('must have 1 to 50 letters, digits, underscores and hyphens');
}

export const ownDataSettings = {
  dataId: setting({
    group: 'data',
    flag: 'data-id',
    placeholder: 'name',
    meaning: 'field that has the id of a record in your own data',
    default: usualFieldNames.id,
    parse: fieldName,
  }),
  dataForeignKeySuffix: setting({
    group: 'data',
    flag: 'data-foreign-key-suffix',
    placeholder: 'text',
    meaning: 'suffix of fields that have the id of another record',
    default: usualFieldNames.foreignKeySuffix,
    parse: fieldName,
  }),
  /** Loaded and checked with the other settings, so that errors are reported at the start. */
  data: objectSetting<PristineData | undefined>({
    group: 'data',
    flag: 'data',
    placeholder: 'file',
    meaning: "a JSON file such as json-server's db.json; serves its collections at /my",
    default: undefined,
    parse: (text, earlier) => readDataFile(text, optionsIn(earlier)),
    parseObject: (given, earlier) => dataOfObject(given, optionsIn(earlier)),
  }),
  watch: setting<'on' | 'off'>({
    group: 'data',
    flag: 'watch',
    placeholder: 'on|off',
    meaning: 'whether to load that file again when it changes',
    default: 'off',
    bareFlag: 'on',
    parse(text) {
      const word = text.toLowerCase();
      if (['on', 'true', '1'].includes(word)) return 'on';
      if (['off', 'false', '0'].includes(word)) return 'off';
      throw new Error('must be on or off');
    },
  }),
};
