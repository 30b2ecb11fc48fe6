/** Data that every sandbox begins with: `--data db.json`, and `--watch` to read it again. */

import { objectSetting, setting } from '../../../config/setting.js';
import { dataOfObject, type PristineData, readDataFile } from './load/data-file.js';

type Earlier = Readonly<Record<string, unknown>>;

const schemaPartsIn = ({ schemaParts }: Earlier) => schemaParts as number | undefined;

export const ownDataSettings = {
  /** Read and checked with all other settings, so that what is wrong with it is told at the start. */
  data: objectSetting<PristineData | undefined>({
    flag: 'data',
    placeholder: 'file',
    meaning: "a JSON file such as json-server's db.json, whose collections are at /my",
    default: undefined,
    parse: (text, earlier) => readDataFile(text, schemaPartsIn(earlier)),
    parseObject: (given, earlier) => dataOfObject(given, schemaPartsIn(earlier)),
  }),
  watch: setting<'on' | 'off'>({
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
