/**
 * Every setting of the service, in one table: its flag, its environment variable, its default and
 * what it means. A flag beats the environment.
 */

import { isIP } from 'node:net';
import { parseArgs } from 'node:util';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The origin (and path prefix) put into links; without it, the origin each request came to. */
  readonly baseUrl: string | undefined;
  readonly logLevel: LogLevel;
  /** Whether X-Forwarded-* is believed: always, never, or from these addresses alone. */
  readonly trustProxy: boolean | readonly string[];
  /** Whether GraphQL clients may ask for the schema. */
  readonly introspection: Introspection;
}

export type Introspection = 'on' | 'off';

interface Setting<Value> {
  readonly flag: string;
  readonly variable: string;
  readonly placeholder: string;
  readonly meaning: string;
  readonly default: Value;
  /** Throws an `Error` whose message says what is taken instead. */
  readonly parse: (text: string) => Value;
}

type Settings = { readonly [Name in keyof Config]: Setting<Config[Name]> };

const settings: Settings = {
  port: {
    flag: 'port',
    variable: 'PORT',
    placeholder: 'number',
    meaning: 'port to listen on, 0 for any free one',
    default: 3000,
    parse: parsePort,
  },
  host: {
    flag: 'host',
    variable: 'HOST',
    placeholder: 'name',
    meaning: 'host name or address to listen on',
    default: 'localhost',
    parse: parseHost,
  },
  baseUrl: {
    flag: 'base-url',
    variable: 'BASE_URL',
    placeholder: 'url',
    meaning: 'address that links in answers begin with (default: where the request came to)',
    default: undefined,
    parse: parseBaseUrl,
  },
  logLevel: {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    placeholder: 'level',
    meaning: `${logLevels.join(', ')}; info writes a line per request`,
    default: 'warn',
    parse: parseLogLevel,
  },
  trustProxy: {
    flag: 'trust-proxy',
    variable: 'TRUST_PROXY',
    placeholder: 'who',
    meaning: 'whose X-Forwarded-* headers count: true, false, or addresses and subnets by comma',
    default: false,
    parse: parseTrustProxy,
  },
  introspection: {
    flag: 'introspection',
    variable: 'INTROSPECTION',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may ask for the schema: on, off',
    default: 'on',
    parse: parseIntrospection,
  },
};

export type Command =
  | { readonly kind: 'start'; readonly config: Config }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** Thrown with everything that is wrong with the settings, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const namedSettings = Object.entries(settings) as [keyof Config, Setting<unknown>][];

/** Reads what to do from the command line (without node and script) and the environment. */
export function readCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const { flags, faults } = readFlags(args);
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };

  const values: Partial<Record<keyof Config, unknown>> = {};
  for (const [name, setting] of namedSettings) {
    const flag = flags.get(setting.flag);
    const text = flag ?? environment[setting.variable];
    if (text === undefined || (flag === undefined && text === '')) {
      values[name] = setting.default;
      continue;
    }
    try {
      values[name] = setting.parse(text);
    } catch (error) {
      const source = flag === undefined ? setting.variable : `--${setting.flag}`;
      faults.push(`${source} is ${JSON.stringify(text)}, but ${(error as Error).message}.`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return { kind: 'start', config: Object.freeze(values as unknown as Config) };
}

function readFlags(args: readonly string[]) {
  const known = new Set([...namedSettings.map(([, setting]) => setting.flag), 'help', 'version']);
  const flags = new Map<string, string>();
  const faults: string[] = [];
  const options = Object.fromEntries([
    ...namedSettings.map(([, setting]) => [setting.flag, { type: 'string' as const }]),
    ['help', { type: 'boolean' as const, short: 'h' }],
    ['version', { type: 'boolean' as const, short: 'v' }],
  ]);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      faults.push(`${JSON.stringify(token.value)} is not expected here; settings are flags.`);
    } else if (token.kind === 'option') {
      const takesValue = token.name !== 'help' && token.name !== 'version';
      if (!known.has(token.name)) {
        faults.push(`${token.rawName} is not a flag of this program; see --help.`);
      } else if (takesValue && token.value === undefined) {
        faults.push(`${token.rawName} needs a value; see --help.`);
      } else {
        flags.set(token.name, token.value ?? '');
      }
    }
  }
  return { flags, faults };
}

/** What `--help` prints. */
export function helpText(): string {
  const rows = namedSettings.map(([, setting]) => {
    const flag = `--${setting.flag} <${setting.placeholder}>`;
    const fallback = setting.default === undefined ? '' : ` [${String(setting.default)}]`;
    return `  ${flag.padEnd(24)} ${setting.variable.padEnd(12)} ${setting.meaning}${fallback}`;
  });
  return [
    'Practice API: the service that people practise API clients and tests against.',
    '',
    'Usage: practice-api [flags]',
    '',
    `  ${'flag'.padEnd(24)} ${'variable'.padEnd(12)} meaning [default]`,
    ...rows,
    `  ${'-h, --help'.padEnd(24)} ${''.padEnd(12)} print this and stop`,
    `  ${'-v, --version'.padEnd(24)} ${''.padEnd(12)} print the version and stop`,
  ].join('\n');
}

/** The configuration of a service started from code; throws {@link ConfigError} like the program. */
export function configFrom(options: {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly trustProxy?: boolean | readonly string[] | undefined;
  readonly introspection?: Introspection | undefined;
}): Config {
  const faults: string[] = [];
  function check<Value>(name: string, value: unknown, parse: (text: string) => Value): Value {
    try {
      return parse(String(value));
    } catch (error) {
      faults.push(`${name} is ${JSON.stringify(value)}, but ${(error as Error).message}.`);
      return undefined as Value;
    }
  }
  const config: Config = {
    port: check('port', options.port ?? 0, parsePort),
    host: check('host', options.host ?? '127.0.0.1', parseHost),
    baseUrl: options.baseUrl && check('baseUrl', options.baseUrl, parseBaseUrl),
    logLevel: check('logLevel', options.logLevel ?? 'silent', parseLogLevel),
    trustProxy: check('trustProxy', options.trustProxy ?? false, parseTrustProxy),
    introspection: check('introspection', options.introspection ?? 'on', parseIntrospection),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error('a port is a number from 0 to 65535');
  return port;
}

function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) {
    throw new Error('a host is a name or an address, such as localhost, 0.0.0.0 or ::1');
  }
  return text;
}

function parseBaseUrl(text: string): string {
  const expected = 'a base URL looks like https://api.example.com, without query or fragment';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(expected);
  }
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isWeb || url.search || url.hash || url.username || url.password) throw new Error(expected);
  return url.href.replace(/\/+$/, '');
}

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text.toLowerCase());
  if (level === undefined) throw new Error(`a log level is one of ${logLevels.join(', ')}`);
  return level;
}

function parseTrustProxy(text: string): boolean | readonly string[] {
  if (text === 'true' || text === 'false') return text === 'true';
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (!proxies.every(isAddressOrSubnet)) {
    throw new Error('it takes true, false, or addresses and subnets such as 10.0.0.0/8 by comma');
  }
  return proxies;
}

function parseIntrospection(text: string): Introspection {
  const setting = text.toLowerCase();
  if (setting !== 'on' && setting !== 'off') throw new Error('it takes on or off');
  return setting;
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
