/** Exports of the package: a whole service inside a test or a program. */

import { createLog } from './app/request-log.js';
import { ConfigError, configFrom } from './config/config.js';
import type { AccountsMode, LogLevel, Switch } from './config/parse-settings.js';
import { loadDatasets } from './data/load-datasets.js';
import { type Seed, seedDatasets } from './data/seed-datasets.js';
import { type AreaOptions, settings, startService } from './service.js';
import { type TestSandbox, testSandbox } from './test-sandbox.js';

export {
  type AccountsMode,
  ConfigError,
  type LogLevel,
  type Switch,
  type TestSandbox,
  testSandbox,
};

/** Settings of the areas, written as on the command line, such as `name:password`. */
export interface ServiceOptions extends AreaOptions {
  /** Port to listen on. Default: 0, which is any free port. */
  readonly port?: number;
  /** Whether to serve HTTPS and HTTP/2 as well, on free ports; see `tlsUrl`. */
  readonly tls?: boolean;
  /**
   * Port for HTTPS, followed by the ports of servers in `/tls` that need their own. Default: 0,
   * which is any free port.
   */
  readonly tlsPort?: number;
  /** Folder that keeps the certificate authority and its key. Default: only in memory. */
  readonly tlsDir?: string;
  /** Whether a plain connection may begin with HTTP/2, by prior knowledge. Default: true. */
  readonly h2c?: boolean;
  /** Host name or address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Ports of practice APIs by their names, such as `jsonplaceholder`; 0 is any free one. See `ownUrls`. */
  readonly serve?: Readonly<Record<string, number>>;
  /** Base URL of links in responses. Default: the Host of each request. */
  readonly baseUrl?: string;
  /** Minimum level of JSON log lines on standard output. Default: `silent`. */
  readonly logLevel?: LogLevel;
  /** Proxies whose X-Forwarded-* headers are trusted. Default: none. */
  readonly trustProxy?: boolean | readonly string[];
  /** Further headers that callers may not set on responses, `*` at the end for any rest. Default: none. */
  readonly deniedHeaders?: readonly string[];
  /** Bytes of captured requests that all bins may hold together. Default: 256 MiB. */
  readonly captureBytes?: number;
  /**
   * Redis or Valkey server for the state that services share, such as `redis://localhost:6379`. By
   * default each service keeps its state in memory. `createService` waits until the server is
   * available.
   */
  readonly stateUrl?: string;
  /**
   * File that keeps the state of one service over restarts. `close` writes it, and rejects if it cannot.
   * Default: the state is only in memory.
   */
  readonly stateFile?: string;
  /** Prefix of all keys on that server. Default: `practice-api:`. */
  readonly statePrefix?: string;
  /** Stops a start that is still waiting; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether callers need an account, whose key they send in X-Service-Key. Default: `open`. */
  readonly accounts?: AccountsMode;
  /** Requests per minute of an account, if accounts are required. Default: 600. */
  readonly accountQuota?: number;
  /** Accounts that one address may create per hour. Default: 10. */
  readonly signUpsPerHour?: number;
  /** Maximum number of accounts. Default: 100,000. */
  readonly maxAccounts?: number;
  /** Maximum number of sandboxes. Default: 1,000. */
  readonly maxSandboxes?: number;
  /** Seconds after which an unused sandbox is dropped. Default: an hour. */
  readonly sandboxIdleSeconds?: number;
  /** Bytes that all sandboxes may hold together. Default: 128 MiB. */
  readonly sandboxBytes?: number;
  /** Maximum number of open connections. Default: 10,000. */
  readonly maxConnections?: number;
  /** Bytes of responses that all clients may leave unread. Default: 256 MiB. */
  readonly unsentBytes?: number;
  /** Bytes that all current request bodies may hold. Default: 256 MiB. */
  readonly bodyBytes?: number;
  /** Maximum number of requests held open, a third of them from one address. Default: 5,000. */
  readonly heldRequests?: number;
  /** Keywords, list items and names that the JSON Schemas of one PUT may have. Default: 2,000. */
  readonly schemaParts?: number;
  /** Maximum number of open WebSockets, a third of them from one address. Default: 5,000. */
  readonly webSockets?: number;
  /** Seconds for which an idle connection stays open. Default: 65 s. */
  readonly keepAliveSeconds?: number;
  /** Whether `/metrics` exists. Default: `off`. */
  readonly metrics?: Switch;
  /**
   * Initial records of every sandbox, instead of the packaged records of these datasets. They are
   * copied.
   */
  readonly seed?: Seed;
  /** The service's clock in Unix milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

export interface Service {
  /** Base URL of the service, such as `http://127.0.0.1:49152`, without a slash at the end. */
  readonly url: string;
  /** Base URL with TLS, such as `https://127.0.0.1:49153`; `undefined` without TLS. */
  readonly tlsUrl: string | undefined;
  /**
   * Base URLs of areas with their own ports, by the prefix that clients omit there, such as
   * `/json-server`.
   */
  readonly ownUrls: Readonly<Record<string, string>>;
  /** Returns a sandbox for a test, by default with a new name. */
  sandbox(name?: string): TestSandbox;
  /** Finishes current requests within a second, and leaves nothing running. */
  close(): Promise<void>;
}

const closeGraceMs = 1000;

/**
 * Starts a service in this process. Several can run side by side; they share no state. Rejects with
 * a {@link ConfigError} that lists every faulty option, or with the system's error if it cannot
 * listen.
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { tls, tlsPort = tls ? 0 : undefined, ...others } = options;
  const config = configFrom(settings, { ...others, tlsPort });
  const faults: string[] = [];
  const datasets = seedDatasets(loadDatasets(), options.seed ?? {}, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  const log = createLog(config.logLevel);
  const { url, tlsUrl, ownUrls, stop } = await startService(config, log, {
    clock: options.now ?? Date.now,
    datasets,
    ...(options.signal && { signal: options.signal }),
  });
  let closed: Promise<void> | undefined;
  return {
    url,
    tlsUrl,
    ownUrls,
    sandbox: (name) => testSandbox(url, name),
    close() {
      closed ??= stop(closeGraceMs);
      return closed;
    },
  };
}
