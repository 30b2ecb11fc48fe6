/** Areas: parts of the service that declare what they offer. */

import type { Awaitable } from '#base/awaitable.js';
import type { SettingTable } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import type { Caching } from '#http/caching/caching.js';
import type { QueryFaults, Request } from '#http/exchange.js';
import type { ErrorBody, ShapedFailure } from '#http/http-error.js';
import type { Endpoint, Step } from './endpoint.js';
import type { Example } from './example.js';
import type { AreaGroup } from './front/area-groups.js';
import type { PurposeEntry } from './front/purposes.js';
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
}

/** A failure of a handler or of a fault plan. */
export type Failure = Pick<ErrorBody, 'status' | 'message'> & Partial<ErrorBody>;

/** Failures in the format of an area's protocol. */
export interface ShapedFailures {
  /**
   * Lower-case paths below which failures of the pipeline have this format, and the media types in
   * Accept that select it. Without them, only fault plans use it. If JSON selects it, rules of fault plans without a
   * body use it by default.
   */
  readonly negotiated?: {
    readonly below: readonly string[];
    readonly types: readonly string[];
    /** Ends of unknown paths, which its clients request with a wrong base URL. */
    readonly lost?: readonly string[];
    /** Returns whether the request is of its protocol, at any path. */
    readonly claims?: (request: Request) => boolean;
  };
  /** Returns `undefined` for the common format. Keeps the status of the failure, unless the protocol has another. */
  readonly shape: (request: Request, failure: Failure) => Awaitable<ShapedFailure | undefined>;
}

/** A part of an area, below a path. */
export interface AreaPart {
  /** Such as `/api/Reviews`. */
  readonly path: string;
  /** Its line on the front page. */
  readonly says?: string;
  /** Whether other parts have similar endpoints, so that the front page leaves these out. */
  readonly isAlike?: boolean;
  /** Its page of the documentation, if it has a separate one. */
  readonly guide?: string;
}

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
  /** Makes a line that the program prints at the start. */
  readonly banner?: (
    baseUrl: string,
    config: Config,
  ) => readonly [label: string, text: string] | undefined;
  readonly parts?: readonly AreaPart[];
  /** Entries on the pages of purposes. */
  readonly purposes?: readonly PurposeEntry[];
  readonly examples?: (config: Config) => readonly Example[];
  /** Demo credentials, which are public. */
  readonly credentials?: (config: Config) => readonly TestCredential[];
}

export interface AreaDefaults {
  /** How caches may store its responses. Default: not at all. */
  readonly caching?: Caching;
  /** Accessible without an account even if the service requires one. */
  readonly isOpen?: true;
  /** Which query parameters request a fault. Default: all, and malformed ones are rejected. */
  readonly queryFaults?: QueryFaults;
  /** Exempt from fault plans, so that a plan can always be read and ended. */
  readonly isBeyondPlans?: true;
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
  /**
   * Whether the first request to it loads its code, which `endpoints` imports. They must be the same with all settings that do
   * not change the description.
   */
  readonly isLate?: true;
  /** Makes its endpoints, without those whose needs are absent. Called once. */
  readonly endpoints: (services: Services, offered: Offered) => Awaitable<readonly Endpoint[]>;
}
