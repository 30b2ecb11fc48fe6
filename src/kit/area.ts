/** Areas: parts of the service that declare what they offer. */

import type { Awaitable } from '../base/awaitable.js';
import type { SettingTable } from '../config/setting.js';
import type { Config } from '../config/settings.js';
import type { Caching } from '../http/caching/caching.js';
import type { Request } from '../http/exchange.js';
import type { ErrorBody, ShapedFailure } from '../http/http-error.js';
import type { Endpoint, Step } from './endpoint.js';
import type { Example, Json } from './example.js';
import type { Offer, Offered, OfferToken } from './offers/offers.js';
import type { RequestCollection } from './request-collection.js';
import type { Services } from './services.js';

/** In OpenAPI's format; URLs that begin with a slash are below the base URL. */
export type SecurityScheme = Readonly<Record<string, unknown>> & { readonly type: string };

export interface TestCredential {
  readonly title: string;
  readonly parts: readonly { readonly name: string; readonly value: string }[];
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
  /** Offers of other areas that it uses, if those areas are present. */
  readonly needs?: readonly OfferToken<unknown>[];
  /** For other areas, and for the service itself. */
  readonly offers?: readonly Offer[];
  /** Makes its endpoints, without those whose needs are absent. Called once at the start. */
  readonly endpoints: (services: Services, offered: Offered) => Awaitable<readonly Endpoint[]>;
}
