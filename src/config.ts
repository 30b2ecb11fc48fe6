/**
 * Every setting of the service, in one table: its flag, its environment variable, its default and
 * what it means. A flag beats the environment.
 */

import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import {
  type BearerTokens,
  minKeyBytes,
  parseApiKey,
  parseBearerTokens,
  parseHmacSecret,
  parseKey,
  parseUser,
  type UserCredentials,
} from './parse-credentials.js';

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
  readonly basicUser: UserCredentials;
  readonly digestUser: UserCredentials;
  readonly apiKey: string;
  readonly bearerTokens: BearerTokens;
  readonly jwtAdmin: UserCredentials;
  readonly jwtUser: UserCredentials;
  /** The user name is the client id, the password the client secret. */
  readonly oauthClient: UserCredentials;
  readonly hmacSecret: string;
  /** Signs JWTs as it stands, so that others can verify them; random at each start without it. */
  readonly jwtKey: string | undefined;
  /** Signs what only this service reads: nonces and tokens; random at each start without it. */
  readonly nonceKey: string | undefined;
}

/** The credentials and keys of the authentication endpoints, all written as text. */
export type CredentialName =
  | 'basicUser'
  | 'digestUser'
  | 'apiKey'
  | 'bearerTokens'
  | 'jwtAdmin'
  | 'jwtUser'
  | 'oauthClient'
  | 'hmacSecret'
  | 'jwtKey'
  | 'nonceKey';

interface Setting<Value> {
  readonly flag: string;
  readonly variable: string;
  readonly placeholder: string;
  readonly meaning: string;
  readonly default: Value;
  /** The default as `--help` prints it, when its value is not what a person would type. */
  readonly shownDefault?: string;
  /** Whether values are kept out of error messages. */
  readonly isSecret?: true;
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
  basicUser: credential('auth-basic-user', 'name:password', 'who may use Basic', {
    demo: 'demo:basic-secret',
    parse: parseUser,
  }),
  digestUser: credential('auth-digest-user', 'name:password', 'who may use Digest', {
    demo: 'demo:digest-secret',
    parse: parseUser,
  }),
  apiKey: credential('auth-api-key', 'key', 'the API key', {
    demo: 'demo-api-key',
    parse: parseApiKey,
  }),
  bearerTokens: credential(
    'auth-bearer-tokens',
    'a,b,c',
    'the bearer tokens of admin, user and read-only',
    { demo: 'demo-admin-token,demo-user-token,demo-read-only-token', parse: parseBearerTokens },
  ),
  jwtAdmin: credential('auth-jwt-admin', 'name:password', 'who logs in as admin', {
    demo: 'admin:admin-secret',
    parse: parseUser,
  }),
  jwtUser: credential('auth-jwt-user', 'name:password', 'who logs in as user', {
    demo: 'user:user-secret',
    parse: parseUser,
  }),
  oauthClient: credential('auth-oauth-client', 'id:secret', 'the OAuth client', {
    demo: 'demo-client:demo-client-secret',
    parse: parseUser,
  }),
  hmacSecret: credential('auth-hmac-secret', 'secret', 'the secret of HMAC signatures', {
    demo: 'demo-hmac-secret',
    parse: parseHmacSecret,
  }),
  jwtKey: signingKey('auth-jwt-key', 'key that signs JWTs (HS256)'),
  nonceKey: signingKey('auth-nonce-key', 'key that signs nonces, refresh and CSRF tokens'),
};

function credential<Value>(
  flag: string,
  placeholder: string,
  meaning: string,
  { demo, parse }: { readonly demo: string; readonly parse: (text: string) => Value },
): Setting<Value> {
  const variable = variableOf(flag);
  const fallback = parse(demo);
  return {
    flag,
    variable,
    placeholder,
    meaning,
    default: fallback,
    shownDefault: demo,
    isSecret: true,
    parse,
  };
}

function signingKey(flag: string, meaning: string): Setting<string | undefined> {
  return {
    flag,
    variable: variableOf(flag),
    placeholder: 'text',
    meaning: `${meaning}, at least ${minKeyBytes} bytes (default: random at each start)`,
    default: undefined,
    isSecret: true,
    parse: parseKey,
  };
}

function variableOf(flag: string): string {
  return flag.toUpperCase().replaceAll('-', '_');
}

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
      const problem = setting.isSecret ? 'not usable:' : `${JSON.stringify(text)}, but`;
      faults.push(`${source} is ${problem} ${(error as Error).message}.`);
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
    const shown = setting.shownDefault ?? setting.default;
    const fallback = shown === undefined ? '' : ` [${String(shown)}]`;
    return `  ${flag.padEnd(35)} ${setting.variable.padEnd(18)} ${setting.meaning}${fallback}`;
  });
  return [
    'Practice API: the service that people practise API clients and tests against.',
    '',
    'Usage: practice-api [flags]',
    '',
    `  ${'flag'.padEnd(35)} ${'variable'.padEnd(18)} meaning [default]`,
    ...rows,
    `  ${'-h, --help'.padEnd(35)} ${''.padEnd(18)} print this and stop`,
    `  ${'-v, --version'.padEnd(35)} ${''.padEnd(18)} print the version and stop`,
  ].join('\n');
}

/** The configuration of a service started from code; throws {@link ConfigError} like the program. */
export function configFrom(
  options: {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly logLevel?: LogLevel | undefined;
    readonly trustProxy?: boolean | readonly string[] | undefined;
  } & { readonly [Name in CredentialName]?: string | undefined },
): Config {
  const faults: string[] = [];
  function check<Value>(name: string, value: unknown, parse: (text: string) => Value): Value {
    try {
      return parse(String(value));
    } catch (error) {
      faults.push(`${name} is ${JSON.stringify(value)}, but ${(error as Error).message}.`);
      return undefined as Value;
    }
  }
  function checkCredential<Name extends CredentialName>(name: Name): Config[Name] {
    const text = options[name];
    const setting: Setting<Config[Name]> = settings[name];
    if (text === undefined) return setting.default;
    try {
      return setting.parse(text);
    } catch (error) {
      faults.push(`${name} is not usable: ${(error as Error).message}.`);
      return setting.default;
    }
  }
  const config: Config = {
    port: check('port', options.port ?? 0, parsePort),
    host: check('host', options.host ?? '127.0.0.1', parseHost),
    baseUrl: options.baseUrl && check('baseUrl', options.baseUrl, parseBaseUrl),
    logLevel: check('logLevel', options.logLevel ?? 'silent', parseLogLevel),
    trustProxy: check('trustProxy', options.trustProxy ?? false, parseTrustProxy),
    basicUser: checkCredential('basicUser'),
    digestUser: checkCredential('digestUser'),
    apiKey: checkCredential('apiKey'),
    bearerTokens: checkCredential('bearerTokens'),
    jwtAdmin: checkCredential('jwtAdmin'),
    jwtUser: checkCredential('jwtUser'),
    oauthClient: checkCredential('oauthClient'),
    hmacSecret: checkCredential('hmacSecret'),
    jwtKey: checkCredential('jwtKey'),
    nonceKey: checkCredential('nonceKey'),
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

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
