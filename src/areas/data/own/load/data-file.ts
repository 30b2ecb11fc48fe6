/** Data that every sandbox begins with: the file that `--data` names, and `--watch` to read it again. */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import { objectSetting, setting } from '../../../../config/setting.js';
import { OwnDataError } from './own-data-error.js';
import { loadOwnData, type OwnModel, type OwnOptions } from './own-model.js';
import { usualFieldNames } from './own-relations.js';
import { maxDataBytes } from './read-own-data.js';

export interface PristineData {
  /** Where it was read from; none for data that code has given. */
  readonly path: string | undefined;
  /** The same for the same text, in every process. */
  readonly version: string;
  readonly model: OwnModel;
}

/** Throws an `Error` with one clear line. */
export function readDataFile(path: string, options?: OwnOptions): PristineData {
  const whole = resolve(path);
  const text = readText(whole);
  return { path: whole, version: versionOf(text), model: loadOwnData(text, options) };
}

/** The same of an object, in which faults have no places. */
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
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it cannot be read',
  ENOTDIR: 'a part of its path is no folder',
};

/** Looks at the size before it reads, so that a wrong file costs nothing. */
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

/** Editors and containers tell of changes in many ways; asking for the time of the file works with all. */
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

/** Returns how a service reads data. */
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
    meaning: 'field that holds the id of a record of your own data',
    default: usualFieldNames.id,
    parse: fieldName,
  }),
  dataForeignKeySuffix: setting({
    group: 'data',
    flag: 'data-foreign-key-suffix',
    placeholder: 'text',
    meaning: 'end of the names of fields that hold the id of another record',
    default: usualFieldNames.foreignKeySuffix,
    parse: fieldName,
  }),
  /** Read and checked with all other settings, so that what is wrong with it is told at the start. */
  data: objectSetting<PristineData | undefined>({
    group: 'data',
    flag: 'data',
    placeholder: 'file',
    meaning: "a JSON file such as json-server's db.json, whose collections are at /my",
    default: undefined,
    parse: (text, earlier) => readDataFile(text, optionsIn(earlier)),
    parseObject: (given, earlier) => dataOfObject(given, optionsIn(earlier)),
  }),
  watch: setting<'on' | 'off'>({
    group: 'data',
    flag: 'watch',
    placeholder: 'on|off',
    meaning: 'whether that file is read again when it changes',
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
