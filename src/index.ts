/** What the package exports: a whole service inside a test or a program. */

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

/** What the areas let be set, written as on the command line, such as `name:password`. */
export interface ServiceOptions extends AreaOptions {
  /** Port to listen on; 0, the default, takes any free one. */
  readonly port?: number;
  /** Whether HTTPS and HTTP/2 are served as well, on free ports; see `tlsUrl`. */
  readonly tls?: boolean;
  /** The port for that, followed by those of servers in `/tls` that need their own; 0, the default, takes free ones. */
  readonly tlsPort?: number;
  /** A folder that keeps the certificate authority and its key; in memory alone by default. */
  readonly tlsDir?: string;
  /** Whether a plain connection may begin in HTTP/2, by prior knowledge. */
  readonly h2c?: boolean;
  /** Host name or address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Address that links in responses begin with; by default the one each request came to. */
  readonly baseUrl?: string;
  /** JSON lines go to standard output from this level on; `silent` by default. */
  readonly logLevel?: LogLevel;
  /** Whose X-Forwarded-* headers count; nobody's by default. */
  readonly trustProxy?: boolean | readonly string[];
  /** What the captured requests of all bins may hold together, in bytes; 256 MiB by default. */
  readonly captureBytes?: number;
  /**
   * The Redis or Valkey server that services share their state on, such as `redis://localhost:6379`; by
   * default each service has its own in memory. `createService` waits until the server is there.
   */
  readonly stateUrl?: string;
  /** What all keys on that server begin with; `practice-api:` by default. */
  readonly statePrefix?: string;
  /** Ends a start that still waits; what it rejects with is the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether callers need an account, whose key they send in X-Service-Key; `open` by default. */
  readonly accounts?: AccountsMode;
  /** Requests that an account may make per minute, where accounts are required; 600 by default. */
  readonly accountQuota?: number;
  /** Accounts that one address may make per hour; 10 by default. */
  readonly signUpsPerHour?: number;
  /** Accounts there may be; 100,000 by default. */
  readonly maxAccounts?: number;
  /** How many sandboxes there may be; 1,000 by default. */
  readonly maxSandboxes?: number;
  /** Unused for this long, a sandbox is dropped; an hour by default. */
  readonly sandboxIdleSeconds?: number;
  /** What all sandboxes may hold together, in bytes; 128 MiB by default. */
  readonly sandboxBytes?: number;
  /** How many connections may be open at once; 10,000 by default. */
  readonly maxConnections?: number;
  /** What all clients may leave untaken of their responses, in bytes; 256 MiB by default. */
  readonly unsentBytes?: number;
  /** What all request bodies under way may hold, in bytes; 256 MiB by default. */
  readonly bodyBytes?: number;
  /** How many requests may be held open, a third of them from one address; 5,000 by default. */
  readonly heldRequests?: number;
  /** Keywords, list items and names that the JSON Schemas of one PUT may have; 2,000 without it. */
  readonly schemaParts?: number;
  /** How many WebSockets may be open, a third of them from one address; 5,000 by default. */
  readonly webSockets?: number;
  /** How long an idle connection stays open; 65 s by default. */
  readonly keepAliveSeconds?: number;
  /** Whether `/metrics` exists; `off` by default. */
  readonly metrics?: Switch;
  /**
   * Records that every sandbox begins with, in place of the packaged ones, for the datasets that are
   * named. They are copied.
   */
  readonly seed?: Seed;
  /** The service's clock: milliseconds since the Unix epoch; the system's by default. */
  readonly now?: () => number;
}

export interface Service {
  /** Where the service listens, such as `http://127.0.0.1:49152`, without a slash at the end. */
  readonly url: string;
  /** The same with TLS, such as `https://127.0.0.1:49153`; `undefined` where that is off. */
  readonly tlsUrl: string | undefined;
  /** Where areas have ports of their own, by the prefix that clients leave out there, such as `/json-server`. */
  readonly ownUrls: Readonly<Record<string, string>>;
  /** Returns a sandbox for a test, by default with a new name. */
  sandbox(name?: string): TestSandbox;
  /** Finishes what is in flight, for at most a second, and leaves nothing running. */
  close(): Promise<void>;
}

const closeGraceMs = 1000;

/**
 * Starts a service in this process. Several can run side by side; they share nothing that changes.
 * Rejects with a {@link ConfigError} that lists every faulty option, or with the system's error when
 * it cannot listen.
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
