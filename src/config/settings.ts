/** The settings of the service as a whole; areas add their own. */

import { defaultMaxParts } from '#json-schema/admit-schemas.js';
import {
  type AccountsMode,
  type LogLevel,
  logLevels,
  type Ports,
  parseAccounts,
  parseBaseUrl,
  parseBytes,
  parseFlag,
  parseHeaderNames,
  parseHost,
  parseLogLevel,
  parsePort,
  parsePorts,
  parseStatePrefix,
  parseStateUrl,
  parseSwitch,
  parseTrustProxy,
  parseWhole,
  portsOf,
  type Switch,
} from './parse-settings.js';
import type { RedisAddress } from './redis-address.js';
import { objectSetting, setting, type ValuesOf } from './setting.js';

const mebibyte = 1024 ** 2;
const hourSeconds = 3600;

const plainSettings = {
  port: setting({
    group: 'listen',
    flag: 'port',
    placeholder: 'number',
    meaning: 'port to listen on, 0 for any free one',
    default: 3000,
    embeddedDefault: 0,
    parse: parsePort,
  }),
  host: setting({
    group: 'listen',
    flag: 'host',
    placeholder: 'name',
    meaning: 'host name or address to listen on',
    default: 'localhost',
    embeddedDefault: '127.0.0.1',
    parse: parseHost,
  }),
  tlsPort: setting<number | undefined>({
    group: 'listen',
    flag: 'tls-port',
    placeholder: 'number',
    meaning:
      'port for HTTPS, followed by one for each server in /tls that needs its own (default: off)',
    default: undefined,
    parse: parsePort,
  }),
  tlsDir: setting<string | undefined>({
    group: 'listen',
    flag: 'tls-dir',
    placeholder: 'folder',
    meaning: 'keeps the certificate authority over restarts, with its key (default: in memory)',
    default: undefined,
    parse: (text) => text,
  }),
  h2c: setting({
    group: 'listen',
    flag: 'h2c',
    placeholder: '',
    meaning: 'accepts HTTP/2 without TLS as well, by prior knowledge',
    default: false,
    shownDefault: 'off',
    bareFlag: 'true',
    parse: parseFlag,
  }),
  serve: objectSetting<Ports>({
    group: 'listen',
    flag: 'serve',
    placeholder: 'name=port',
    meaning:
      'ports with one practice API each at its root, such as jsonplaceholder=3001; repeatable',
    default: {},
    shownDefault: 'none',
    isRepeatable: true,
    parse: parsePorts,
    parseObject: portsOf,
  }),
  baseUrl: setting<string | undefined>({
    group: 'listen',
    flag: 'base-url',
    placeholder: 'url',
    meaning: 'address that links in responses begin with (default: where the request came to)',
    default: undefined,
    parse: parseBaseUrl,
  }),
  logLevel: setting<LogLevel>({
    group: 'operation',
    flag: 'log-level',
    placeholder: 'level',
    meaning: `${logLevels.join(', ')}; info writes a line per request`,
    default: 'warn',
    embeddedDefault: 'silent',
    parse: parseLogLevel,
  }),
  trustProxy: setting<boolean | readonly string[]>({
    group: 'listen',
    flag: 'trust-proxy',
    placeholder: 'who',
    meaning:
      'whose X-Forwarded-* headers are trusted: true, false, or addresses and subnets separated by commas',
    default: false,
    parse: parseTrustProxy,
  }),
  deniedHeaders: setting<readonly string[]>({
    group: 'operation',
    flag: 'denied-headers',
    placeholder: 'names',
    meaning:
      'further headers that callers may not set on responses, separated by commas; * at the end is any rest',
    default: [],
    shownDefault: 'none',
    parse: parseHeaderNames,
  }),
  captureBytes: setting({
    group: 'limits',
    flag: 'capture-bytes',
    placeholder: 'bytes',
    meaning:
      'bytes that captured requests, uploads, changes and rooms may hold together; the largest is evicted first',
    default: 256 * mebibyte,
    parse: parseBytes,
  }),
  stateUrl: setting<RedisAddress | undefined>({
    group: 'operation',
    flag: 'state-url',
    placeholder: 'url',
    meaning: 'Redis or Valkey for the state that replicas share (default: in memory)',
    default: undefined,
    isSecret: true,
    parse: parseStateUrl,
  }),
  statePrefix: setting({
    group: 'operation',
    flag: 'state-prefix',
    placeholder: 'text',
    meaning: 'what the keys on that server begin with; services that share it are one',
    default: 'practice-api:',
    parse: parseStatePrefix,
  }),
} as const;

const accountSettings = {
  accounts: setting<AccountsMode>({
    group: 'accounts',
    flag: 'accounts',
    placeholder: 'open|required',
    meaning: 'whether callers need an account, which they make themselves: open, required',
    default: 'open',
    isDescribed: true,
    parse: parseAccounts,
  }),
  accountQuota: setting({
    group: 'accounts',
    flag: 'account-quota',
    placeholder: 'number',
    meaning: 'requests that an account may make per minute, where accounts are required',
    default: 600,
    parse: parseWhole(1, 1_000_000_000),
  }),
  signUpsPerHour: setting({
    group: 'accounts',
    flag: 'sign-ups-per-hour',
    placeholder: 'number',
    meaning:
      'accounts that one IPv4 address or IPv6 /64 may make per hour; a /48 four times as many',
    default: 10,
    isDescribed: true,
    parse: parseWhole(1, 1_000_000_000),
  }),
  maxAccounts: setting({
    group: 'accounts',
    flag: 'max-accounts',
    placeholder: 'number',
    meaning: 'limit of accounts; further sign-ups are rejected',
    default: 100_000,
    parse: parseWhole(1, 1_000_000_000),
  }),
} as const;

/** Limits of the whole service, and how it is watched and stopped. */
const operationSettings = {
  maxSandboxes: setting({
    group: 'limits',
    flag: 'max-sandboxes',
    placeholder: 'number',
    meaning: 'how many sandboxes there may be; the account or address with most makes room',
    default: 1000,
    parse: parseWhole(1, 1_000_000),
  }),
  sandboxIdleSeconds: setting({
    group: 'limits',
    flag: 'sandbox-idle-seconds',
    placeholder: 'seconds',
    meaning: 'unused for this long, a sandbox is dropped',
    default: hourSeconds,
    parse: parseWhole(1, 365 * 24 * hourSeconds),
  }),
  sandboxBytes: setting({
    group: 'limits',
    flag: 'sandbox-bytes',
    placeholder: 'bytes',
    meaning: 'bytes that all sandboxes may hold together; the owner with most makes room',
    default: 128 * mebibyte,
    parse: parseBytes,
  }),
  maxConnections: setting({
    group: 'limits',
    flag: 'max-connections',
    placeholder: 'number',
    meaning: 'how many connections may be open at once; the address with most makes room',
    default: 10_000,
    parse: parseWhole(1, 1_000_000),
  }),
  unsentBytes: setting({
    group: 'limits',
    flag: 'unsent-bytes',
    placeholder: 'bytes',
    meaning: 'bytes of responses that all clients may leave unread; the slowest are cut off first',
    default: 256 * mebibyte,
    parse: parseBytes,
  }),
  bodyBytes: setting({
    group: 'limits',
    flag: 'body-bytes',
    placeholder: 'bytes',
    meaning: 'bytes that all request bodies under way may hold; further ones are rejected',
    default: 256 * mebibyte,
    parse: parseBytes,
  }),
  schemaParts: setting({
    group: 'limits',
    flag: 'schema-parts',
    placeholder: 'number',
    meaning: 'keywords, list items and names that the JSON Schemas of one PUT may have',
    default: defaultMaxParts,
    parse: parseWhole(10, 20_000),
  }),
  heldRequests: setting({
    group: 'limits',
    flag: 'held-requests',
    placeholder: 'number',
    meaning: 'how many requests may be held open: half in one sandbox, a third from one address',
    default: 5000,
    parse: parseWhole(3, 1_000_000),
  }),
  webSockets: setting({
    group: 'limits',
    flag: 'web-sockets',
    placeholder: 'number',
    meaning: 'how many WebSockets may be open: half in one sandbox, a third from one address',
    default: 5000,
    parse: parseWhole(3, 1_000_000),
  }),
  keepAliveSeconds: setting({
    group: 'operation',
    flag: 'keep-alive-seconds',
    placeholder: 'seconds',
    meaning: 'how long an idle connection stays open; more than a proxy in front keeps its own',
    default: 65,
    parse: parseWhole(1, hourSeconds),
  }),
  metrics: setting<Switch>({
    group: 'operation',
    flag: 'metrics',
    placeholder: 'on|off',
    meaning: 'whether /metrics tells Prometheus what the service does: on, off',
    default: 'on',
    embeddedDefault: 'off',
    isDescribed: true,
    parse: parseSwitch,
  }),
  drainSeconds: setting({
    group: 'operation',
    flag: 'drain-seconds',
    placeholder: 'seconds',
    meaning: 'how long a stopping service says that it is not ready, and still serves',
    default: 0,
    parse: parseWhole(0, hourSeconds),
  }),
  stopSeconds: setting({
    group: 'operation',
    flag: 'stop-seconds',
    placeholder: 'seconds',
    meaning: 'how long it then finishes what is in flight before it cuts it',
    default: 9,
    parse: parseWhole(1, hourSeconds),
  }),
} as const;

export const settings = {
  ...plainSettings,
  ...accountSettings,
  ...operationSettings,
} as const;

/** The values of the settings; areas read their own with `valuesIn`. */
export type Config = ValuesOf<typeof settings>;
