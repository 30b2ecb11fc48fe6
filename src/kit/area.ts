/** Areas, and the services that they use. */

import type { TSchema } from 'typebox';
import type { Accounts } from '../accounts/accounts.js';
import type { Awaitable, Clock } from '../base/awaitable.js';
import type { SettingTable } from '../config/setting.js';
import type { Config } from '../config/settings.js';
import type { Datasets } from '../data/records.js';
import type { FindPupil } from '../http/address/pupil.js';
import type { Caching } from '../http/caching/caching.js';
import type { Request } from '../http/exchange.js';
import type { HeldRequests } from '../http/held-requests.js';
import type { ErrorBody, ShapedFailure } from '../http/http-error.js';
import type { OwnedSandboxes } from '../state/owned-sandboxes.js';
import type { Sandbox, SandboxLimits, Space } from '../state/state.js';
import type { BodiesInFlight } from '../wire/budgets/bodies-in-flight.js';
import type { CertificateAuthority } from './certificates/certificate-authority.js';
import type { Endpoint, Step } from './endpoint.js';
import type { Example, Json } from './example.js';
import type { WrongCodes } from './limits/wrong-codes.js';
import type { Challenges } from './recording/challenges.js';
import type { Observer } from './recording/exchange-record.js';
import type { Replays } from './replays/replays.js';
import type { RequestCollection } from './request-collection.js';
import type { DueWork } from './sandbox/due-work.js';
import type { Steering } from './sandbox/steering.js';
import type { JudgeDelivery } from './verdict/delivery-verdict.js';
import type { WebSockets } from './websocket/web-sockets.js';

/** In OpenAPI's format; URLs that begin with a slash are below the base URL. */
export type SecurityScheme = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Services {
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
  readonly accounts: Accounts;
  readonly datasets: Datasets;
  readonly sandboxOf: (request: Request) => Sandbox;
  /** The sandbox of callers that name none. */
  readonly sharedSandbox: Sandbox;
  readonly sandboxLimits: SandboxLimits;
  readonly sandboxHolding: (space: Space<unknown>, key: string) => Awaitable<Sandbox | undefined>;
  /** Sandboxes that no request names, such as the sandbox of a class. */
  readonly owned: OwnedSandboxes;
  /** Finds the pupil of a secret path; `undefined` without classes. */
  readonly findPupil: FindPupil | undefined;
  /** `undefined` without challenges. */
  readonly challenges: Challenges | undefined;
  /** Deferred work of sandboxes, which runs before its outcome is read. */
  readonly dueWork: DueWork;
  /** Runs requests inside the process, on copies of sandboxes. */
  readonly replays: Replays;
  /** Returns the base URL of links in the response, without a slash at the end. */
  readonly baseUrlOf: (request: Request) => string;
  /** They see each exchange of sandboxes that are observed. */
  readonly observers: readonly Observer[];
  /** Verifies the signature of a received request in the areas. */
  readonly judgeDelivery: JudgeDelivery;
  /** Returns the owner of a bearer token; `undefined` for an unknown one. */
  readonly tokenOwner: TokenOwner;
  /** Access tokens of the issuer, for resources of other areas. */
  readonly steering: Steering;
  readonly listedCredentials: readonly (ListedCredentials & Pick<Area, 'title'>)[];
  /** Logs a failure for an area whose protocol has its own error response; others throw. */
  readonly reportFailure: (request: Request, error: unknown) => void;
  readonly writeLog: (level: 'info' | 'warn', line: string) => void;
  /** Whether the state is available, and the service is not stopping. */
  readonly isReady: () => Awaitable<boolean>;
  readonly held: HeldRequests;
  /** Work for requests that continues when their connection ends. */
  readonly detached: HeldRequests;
  readonly bodies: BodiesInFlight;
  readonly wrongCodes: WrongCodes;
  /** Adds a function that is called when the service stops. */
  readonly onClose: (close: () => Promise<void> | void) => void;
  readonly webSockets: WebSockets;
}

export interface ServiceListener {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Prefix that clients omit from paths on this port. */
  readonly prefix?: string;
}

export type TokenOwner = (token: string) => string | undefined;

export interface TestCredential {
  readonly title: string;
  readonly parts: readonly { readonly name: string; readonly value: string }[];
}

/** Credentials that `GET /api/auth` lists. */
export interface ListedCredentials {
  readonly schema: Readonly<Record<string, TSchema>>;
  readonly read: (baseUrl: string) => Readonly<Record<string, unknown>>;
}

export interface AreaPage {
  readonly path: string;
  readonly way?: readonly [title: string, says: string];
}

/** A failure of a handler or of a fault plan. */
export type Failure = Pick<ErrorBody, 'status' | 'message'> & Partial<ErrorBody>;

/** Failures in the format of an area's protocol. */
export interface ShapedFailures {
  /**
   * Lower-case paths below which failures of the pipeline have this format, and the media types in
   * Accept that select it. Without them, only fault plans use it.
   */
  readonly negotiated?: { readonly below: readonly string[]; readonly types: readonly string[] };
  /** Whether rules of fault plans without a body use it by default. */
  readonly isUsual?: true;
  /** Returns `undefined` for the common format. Keeps the status of the failure. */
  readonly shape: (request: Request, failure: Failure) => ShapedFailure | undefined;
}

export interface AreaPart {
  readonly title: string;
  readonly path: string;
  readonly says: string;
}

export interface Preset {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** Example response that the console shows before the request is sent. */
  readonly response?: {
    readonly headers: HeaderValues;
    readonly json: Json;
  };
}

export interface ImportedFile {
  readonly path: string;
  readonly name: string;
  readonly format: string;
  readonly for: string;
}

export interface FixedHeaders {
  /** In lower case. */
  readonly below: string;
  readonly values: HeaderValues | ((request: Request) => HeaderValues);
}

export type HeaderValues = Readonly<Record<string, string>>;

/** The front page groups areas by the purpose of their users. */
export type AreaGroup =
  | 'http'
  | 'data'
  | 'login'
  | 'protocols'
  | 'events'
  | 'failures'
  | 'learning'
  | 'ai';

/** A request that the front page sends in its group. */
export interface LiveExample {
  readonly method: string;
  readonly path: string;
  /** The first lines of the response, shown until the request is sent. */
  readonly shows: readonly string[];
}

/** Presents an area on the front page, in guides, and at the start of the program. */
export interface Front {
  /** Areas have one; parts of the service itself have none. */
  readonly group?: AreaGroup;
  /** The first of a group is shown. */
  readonly live?: LiveExample;
  /** First path to try, such as `/api/methods/any`. */
  readonly start: string;
  /** A path that lists the endpoints below it, such as `/api/webhooks`; areas may share it. */
  readonly index?: string;
  readonly page?: AreaPage;
  /** Returns the guide of an endpoint, such as `/api/auth/basic`, if it has a separate guide. */
  readonly guideOf?: (path: string) => string | undefined;
  /** Makes a line that the program prints at the start. */
  readonly banner?: (
    baseUrl: string,
    config: Config,
  ) => readonly [label: string, text: string] | undefined;
  readonly parts?: readonly AreaPart[];
  /** Whether an endpoint is listed. Default: all are. */
  readonly isShown?: (path: string) => boolean;
  readonly examples?: (config: Config) => readonly Example[];
  readonly presets?: readonly Preset[];
  /** Demo credentials, which are public. */
  readonly credentials?: (config: Config) => readonly TestCredential[];
  readonly imports?: readonly ImportedFile[];
}

export interface AreaDefaults {
  /** How caches may store its responses. Default: not at all. */
  readonly caching?: Caching;
  /** Whether its responses depend on Accept. */
  readonly isNegotiated?: true;
  /** Accessible without an account even if the service requires one. */
  readonly isOpen?: true;
  /** Accepts query parameters of any name and value, also malformed fault parameters. */
  readonly isAnyQueryTaken?: true;
  /** Exempt from fault plans, so that a plan can always be read and ended. */
  readonly isBeyondPlans?: true;
  /** Headers of every response below paths of the area, also for unknown paths. */
  readonly headers?: readonly FixedHeaders[];
  /** Runs before accounts and faults, if the format of failures depends on the body. */
  readonly beforeFaults?: Step;
  /** Runs before the steps of each endpoint. */
  readonly before?: Step;
}

/** Services that an area provides for other areas and for connections. */
export interface Provided {
  readonly listedCredentials?: ListedCredentials;
  /** Lower-case paths whose requests are kept as bytes; see `bytesOf`. */
  readonly rawPaths?: readonly string[];
  readonly judgeDelivery?: JudgeDelivery;
  readonly observe?: Observer;
  readonly challenges?: Challenges;
  readonly findPupil?: (
    services: Pick<Services, 'clock' | 'owned' | 'sandboxHolding'>,
  ) => FindPupil;
  readonly tokenOwner?: (config: Config) => TokenOwner;
  /** Returns the port on which clients omit the prefix of its paths; `undefined` if it is off. */
  readonly ownPort?: (config: Config) => OwnPort | undefined;
  /** Host on the main port for which clients omit the prefix. */
  readonly ownHost?: OwnHost;
  /**
   * Returns a function that maps each target to the routed one; `undefined` if targets are
   * unchanged.
   */
  readonly rewriter?: (config: Config) => Rewriter | undefined;
}

/** A host name that always means this machine (RFC 6761 section 6.3). */
export interface OwnHost {
  /** Such as `/httpbin`. */
  readonly prefix: string;
  /** Such as `httpbin.localhost`. */
  readonly host: string;
}

export interface OwnPort {
  /** Such as `/httpbin`. */
  readonly prefix: string;
  readonly port: number;
}

export type Rewriter = (target: string) => string;

/** A part of the service, in a folder that can be deleted. */
export interface Area {
  /** Kebab-case, like the folder's name. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Its page of the documentation, such as `auth` for `docs/auth.md`. */
  readonly guide?: string;
  readonly front: Front;
  readonly settings?: SettingTable;
  readonly postman?: readonly RequestCollection[];
  /** By the names in `security` of endpoints. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly defaults?: AreaDefaults;
  readonly failures?: ShapedFailures;
  readonly provides?: Provided;
  /** Makes its endpoints. Called once at the start. */
  readonly endpoints: (services: Services) => Awaitable<readonly Endpoint[]>;
}
