/** What an area is to the server, and what the server hands to an area. */

import type { TSchema } from 'typebox';
import type { Accounts } from '../accounts/accounts.js';
import type { Awaitable, Clock } from '../base/awaitable.js';
import type { SettingTable } from '../config/setting.js';
import type { Config } from '../config/settings.js';
import type { Datasets } from '../data/records.js';
import type { Caching } from '../http/caching/caching.js';
import type { Request } from '../http/exchange.js';
import type { HeldRequests } from '../http/held-requests.js';
import type { ErrorBody, ShapedFailure } from '../http/http-error.js';
import type { Sandbox, SandboxLimits, Space } from '../state/state.js';
import type { BodiesInFlight } from '../wire/budgets/bodies-in-flight.js';
import type { App } from './app.js';
import type { CertificateAuthority } from './certificates/certificate-authority.js';
import type { JudgeDelivery } from './delivery-verdict.js';
import type { Endpoint, Step } from './endpoint.js';
import type { Example, Json } from './example.js';
import type { WrongCodes } from './limits/wrong-codes.js';
import type { RequestCollection } from './request-collection.js';
import type { DueWork } from './sandbox/due-work.js';
import type { WebSockets } from './websocket/web-sockets.js';

/** As in OpenAPI; an address in it begins with a slash and stands for one below the base URL. */
export type SecurityScheme = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Services {
  /** The settings of this service; an area finds its own in it with `valuesIn`. */
  readonly config: Config;
  /**
   * The key of this name to sign with: the one that is set, or else a random one that the state keeps,
   * so that all processes that share it have the same.
   */
  readonly signingKey: (name: string, set: string | undefined) => Promise<Buffer>;
  /** The time of this process; rules that look at time take the sandbox's instead. */
  readonly clock: Clock;
  /** The certificates of this service; none where TLS is off. */
  readonly certificates: CertificateAuthority | undefined;
  /** Who may use this service, where it asks. */
  readonly accounts: Accounts;
  /** The frozen records that every sandbox begins with. */
  readonly datasets: Datasets;
  /** The sandbox that the caller reads and writes. */
  readonly sandboxOf: (request: Request) => Sandbox;
  /** The one of those who name none, where no account is required. */
  readonly sharedSandbox: Sandbox;
  readonly sandboxLimits: SandboxLimits;
  /** As {@link State.sandboxHolding}. */
  readonly sandboxHolding: (space: Space<unknown>, key: string) => Awaitable<Sandbox | undefined>;
  /** What sandboxes have put off, to be done before what it changes is read. */
  readonly dueWork: DueWork;
  /** The address that links in the answer begin with, without a slash at the end. */
  readonly baseUrlOf: (request: Request) => string;
  /** What the areas have to say about the signature of a received request. */
  readonly judgeDelivery: JudgeDelivery;
  /** Whose a bearer token is, by what the areas know; `undefined` when it is nobody's. */
  readonly tokenOwner: TokenOwner;
  /** What areas add to the list of all credentials. */
  readonly listedCredentials: readonly (ListedCredentials & Pick<Area, 'title'>)[];
  /** Logs a failure of ours for an area whose protocol has an answer for it; others just throw. */
  readonly reportFailure: (request: Request, error: unknown) => void;
  /** Writes a line to the log for whoever runs the service, about something that no request asked for. */
  readonly tell: (level: 'info' | 'warn', line: string) => void;
  /** Whether requests should be sent here: the state answers, and no stop has begun. */
  readonly isReady: () => Awaitable<boolean>;
  /** Counts the requests that are held open, and ends them at a stop: delays, waits, streams. */
  readonly held: HeldRequests;
  /** What request bodies hold, together. */
  readonly bodies: BodiesInFlight;
  /** Counts wrong codes that people type in, and limits them. */
  readonly wrongCodes: WrongCodes;
  /** Notes what has to end when the service stops. */
  readonly onClose: (close: () => Promise<void> | void) => void;
  /** Makes WebSockets of connections, counts them, and closes them at a stop. */
  readonly webSockets: WebSockets;
}

export type TokenOwner = (token: string) => string | undefined;

export interface TestCredential {
  /** What it is for, such as `Basic`. */
  readonly title: string;
  readonly parts: readonly { readonly name: string; readonly value: string }[];
}

/** What an area adds to the credentials that `GET /api/auth` lists. */
export interface ListedCredentials {
  readonly schema: Readonly<Record<string, TSchema>>;
  readonly read: (baseUrl: string) => Readonly<Record<string, unknown>>;
}

/** A page for people, as others point to it. */
export interface AreaPage {
  /** Such as `/bins`. */
  readonly path: string;
  /** What it is, and what it is for, where the front page leads to it. */
  readonly way?: readonly [title: string, says: string];
}

/** A failure as handlers throw it, or as a caller planned it. */
export type Failure = Pick<ErrorBody, 'status' | 'message'> & Partial<ErrorBody>;

/** Failures in the words of an area's protocol. */
export interface ShapedFailures {
  /**
   * Paths, in lower case, below which failures that no endpoint made have this shape as well, and the media types
   * that ask for it in Accept. Without them it is for failures of fault plans that ask for the protocol's shape.
   */
  readonly negotiated?: { readonly below: readonly string[]; readonly types: readonly string[] };
  /** Returns `undefined` where the common shape is right. The status is that of the failure, whatever the protocol says. */
  readonly shape: (request: Request, failure: Failure) => ShapedFailure | undefined;
}

/** One of several things of a kind that an area offers. */
export interface AreaPart {
  readonly title: string;
  readonly path: string;
  readonly says: string;
}

/** A request as the console of the front page offers it. */
export interface Preset {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** What it is answered by, where the console shows that before anyone sends it. */
  readonly answer?: {
    readonly headers: HeaderValues;
    readonly json: Json;
  };
}

/** A file that tools import, at an address of an area. */
export interface ImportedFile {
  readonly path: string;
  readonly name: string;
  readonly format: string;
  /** What it is good for. */
  readonly for: string;
}

export interface FixedHeaders {
  /** In lower case. */
  readonly below: string;
  readonly values: HeaderValues | ((request: Request) => HeaderValues);
}

export type HeaderValues = Readonly<Record<string, string>>;

/** How the front page, the guides and the start of the program present an area. */
export interface Front {
  /** Where a newcomer should look first, such as `/api/methods/any`. */
  readonly start: string;
  /** An address that lists what is below it, such as `/api/webhooks`; areas may share one. */
  readonly index?: string;
  /** A page for people. */
  readonly page?: AreaPage;
  /** The guide about an endpoint, such as `/api/auth/basic`, where there is one of its own. */
  readonly guideOf?: (path: string) => string | undefined;
  /** A line of what the program prints when it has started: a label and a text. */
  readonly banner?: (
    baseUrl: string,
    config: Config,
  ) => readonly [label: string, text: string] | undefined;
  /** What it is a list of. */
  readonly parts?: readonly AreaPart[];
  /** Whether an endpoint is listed, where there are many alike; all of them without it. */
  readonly isShown?: (path: string) => boolean;
  /** One to three requests that show the most. */
  readonly examples?: (config: Config) => readonly Example[];
  /** Requests for the console. */
  readonly presets?: readonly Preset[];
  /** What its endpoints let in; public on purpose. */
  readonly credentials?: (config: Config) => readonly TestCredential[];
  /** Files that tools import, beside the collections. */
  readonly imports?: readonly ImportedFile[];
}

/** What holds for all endpoints of an area. */
export interface AreaDefaults {
  /** How caches may keep its responses; not at all by default. */
  readonly caching?: Caching;
  /** Whether Accept decides about its responses. */
  readonly isNegotiated?: true;
  /** Responds without an account even where the service requires one. */
  readonly isOpen?: true;
  /** Query parameters of any name and value are accepted; a malformed request for a fault is not rejected. */
  readonly isAnyQueryTaken?: true;
  /** No fault plan acts there, so that a plan can always be looked at and ended. */
  readonly isBeyondPlans?: true;
  /** Headers of every response below paths of the area, also where there is no endpoint. */
  readonly headers?: readonly FixedHeaders[];
  /** Runs before the steps of each endpoint. */
  readonly before?: Step;
}

/** What other areas, and the connections, have of an area. */
export interface Provided {
  /** Credentials as programs read them, listed with those of the other areas. */
  readonly listedCredentials?: ListedCredentials;
  /** Paths, in lower case, whose requests are kept as the bytes they came in; see `bytesOf`. */
  readonly rawPaths?: readonly string[];
  /** Says whether the signature of a request that another area received is right, where it knows it. */
  readonly judgeDelivery?: JudgeDelivery;
  /** Makes the function that says whose a bearer token is, where the area gives any out. */
  readonly tokenOwner?: (config: Config) => TokenOwner;
}

/** A part of the service: a folder that can be deleted. */
export interface Area {
  /** Kebab-case, as in the folder's name. */
  readonly name: string;
  /** What people call it, such as `Rate limit`. */
  readonly title: string;
  /** One line for the front page. */
  readonly summary: string;
  /** The page of the documentation that teaches it, such as `auth` for `docs/auth.md`. */
  readonly guide?: string;
  readonly front: Front;
  /** What can be set, with flags and help; the area reads its values with `valuesIn`. */
  readonly settings?: SettingTable;
  /** What collections of requests have to know of its operations. */
  readonly postman?: readonly RequestCollection[];
  /** What endpoints mean by the names in their `security`. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly defaults?: AreaDefaults;
  readonly failures?: ShapedFailures;
  readonly provides?: Provided;
  /** Makes its endpoints. Called once at the start. */
  readonly endpoints?: (services: Services) => Awaitable<readonly Endpoint[]>;
  readonly addRoutes?: (app: App, services: Services) => void | Promise<void>;
}
