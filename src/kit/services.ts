/** The services that every area gets. */

import type { Accounts } from '#accounts/accounts.js';
import type { Awaitable, Clock } from '#base/awaitable.js';
import type { Config } from '#config/settings.js';
import type { Datasets } from '#data/records.js';
import type { Request } from '#http/exchange.js';
import type { HeldRequests } from '#http/held-requests.js';
import type { DueWork } from '#state/due-work.js';
import type { OwnedSandboxes } from '#state/owned-sandboxes.js';
import type { Sandbox, SandboxLimits, Space } from '#state/state.js';
import type { BodiesInFlight } from '#wire/budgets/bodies-in-flight.js';
import type { CertificateAuthority } from './certificates/certificate-authority.js';
import type { WrongCodes } from './limits/wrong-codes.js';
import type { Replays } from './replays/replays.js';
import type { WebSockets } from './websocket/web-sockets.js';

export interface Services {
  readonly runtime: Runtime;
  readonly limits: Limits;
  readonly sandboxes: Sandboxes;
}

/** The process: its settings, its clock, its log, its listeners, and its end. */
export interface Runtime {
  /** An area reads its own settings with `valuesIn`. */
  readonly config: Config;
  /** Returns a signing key: the configured one, or a random one from the state. */
  readonly signingKey: (name: string, set: string | undefined) => Promise<Buffer>;
  /** Clock of this process; rules use the sandbox's clock instead. */
  readonly clock: Clock;
  /** `undefined` without TLS. */
  readonly certificates: CertificateAuthority | undefined;
  /** Returns the listeners that present trusted certificates, once the service listens. */
  readonly listeners: () => readonly ServiceListener[];
  /** Returns the base URL of links in the response, without a slash at the end. */
  readonly baseUrlOf: (request: Request) => string;
  /** Whether the state is available, and the service is not stopping. */
  readonly isReady: () => Awaitable<boolean>;
  /** Logs a failure for an area whose protocol has its own error response; others throw. */
  readonly reportFailure: (request: Request, error: unknown) => void;
  readonly writeLog: (level: 'info' | 'warn', line: string) => void;
  /** Adds a function that is called when the service stops. */
  readonly onClose: (close: () => Promise<void> | void) => void;
}

/** Resources that callers share, and the limits of each caller. */
export interface Limits {
  readonly accounts: Accounts;
  readonly held: HeldRequests;
  /** Work for requests that continues when their connection ends. */
  readonly detached: HeldRequests;
  readonly bodies: BodiesInFlight;
  readonly webSockets: WebSockets;
  readonly wrongCodes: WrongCodes;
}

/** The data of callers. */
export interface Sandboxes {
  readonly datasets: Datasets;
  readonly sandboxOf: (request: Request) => Sandbox;
  /** The sandbox of callers that name none. */
  readonly sharedSandbox: Sandbox;
  readonly sandboxLimits: SandboxLimits;
  readonly sandboxHolding: (space: Space<unknown>, key: string) => Awaitable<Sandbox | undefined>;
  /** Sandboxes that no request names, such as the sandbox of a class. */
  readonly owned: OwnedSandboxes;
  /** Deferred work of sandboxes, which runs before its outcome is read. */
  readonly dueWork: DueWork;
  /** Runs requests inside the process, on copies of sandboxes. */
  readonly replays: Replays;
}

export interface ServiceListener {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Prefix that clients omit from paths on this port. */
  readonly prefix?: string;
}
