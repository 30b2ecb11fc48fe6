import { readFileSync, statSync } from 'node:fs';
import { parsePort } from '#config/parse-settings.js';
import { objectSetting, setting } from '#config/setting.js';
import { type RouteRule, readRules } from './rewrite-routes.js';

const maxFileBytes = 64 * 1024;

export const jsonServerSettings = {
  jsonServerPort: setting<number | undefined>({
    group: 'listen',
    flag: 'json-server-port',
    placeholder: 'number',
    meaning: 'short for --serve json-server=number (default: off)',
    default: undefined,
    parse: parsePort,
  }),
  jsonServerRoutes: objectSetting<readonly RouteRule[]>({
    group: 'data',
    flag: 'json-server-routes',
    placeholder: 'file',
    meaning: "json-server's routes.json, whose rules rewrite paths below /json-server",
    default: [],
    shownDefault: 'none',
    parse: (path) => readRules(readJson(path)),
    parseObject: (given) => readRules(given),
  }),
  jsonServerVersion: setting<0 | 1>({
    group: 'data',
    flag: 'json-server-version',
    placeholder: '0|1',
    meaning: 'version of json-server that /json-server is compatible with',
    default: 0,
    isDescribed: true,
    parse(text) {
      if (text === '0' || text === '1') return Number(text) as 0 | 1;
      throw new Error('must be 0 (for 0.17) or 1');
    },
  }),
};

function readJson(path: string): unknown {
  try {
    if (statSync(path).size > maxFileBytes) throw new Error(`has more than ${maxFileBytes} bytes`);
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`must be a JSON file: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}
