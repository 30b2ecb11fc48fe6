/** The settings of the program that a service inside another program has no use for. */

import { parseFlag } from './parse-settings.js';
import { setting } from './setting.js';

export const programSettings = {
  readyFile: setting<string | undefined>({
    group: 'runner',
    flag: 'ready-file',
    placeholder: 'file',
    meaning:
      'JSON file with url, tlsUrl and pid, written once requests get responses (default: none)',
    default: undefined,
    parse: (text) => text,
  }),
  exitWithStdin: setting({
    group: 'runner',
    flag: 'exit-with-stdin',
    placeholder: '',
    meaning: 'stops when standard input closes, for example because the parent process ended',
    default: false,
    shownDefault: 'off',
    bareFlag: 'true',
    parse: parseFlag,
  }),
  json: setting({
    group: 'runner',
    flag: 'json',
    placeholder: '',
    meaning: 'prints the banner as one line of JSON',
    default: false,
    shownDefault: 'off',
    bareFlag: 'true',
    parse: parseFlag,
  }),
} as const;
