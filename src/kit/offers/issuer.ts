/** The issuer, for areas with protected resources (RFC 6750, RFC 8707). */

import type { Awaitable } from '#base/awaitable.js';
import type { Request } from '#http/exchange.js';
import type { Sandbox } from '#state/state.js';
import { OfferToken } from './offers.js';

export interface AccessDemand {
  /** The URL of the resource, without a query. The token must be for it. */
  readonly resource: string;
  /** URL of its metadata (RFC 9728). */
  readonly metadata: string;
  /** The scope that the challenge names. */
  readonly scope: string;
}

export interface Access {
  readonly sub: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** How a client got its access token. */
export interface Login extends Access {
  readonly grantId: string;
  /** Whether the authorization request named a resource (RFC 8707); absent without such a request. */
  readonly isResourceInAuthorization?: boolean;
  /** The same for the request of the first tokens; absent after a refresh or an exchange. */
  readonly isResourceInTokenRequest?: boolean;
}

/** Throws 401 with a challenge. */
export type VerifyAccess = (request: Request, demand: AccessDemand) => Promise<Access>;

export interface IssuerSteering {
  readonly verify: VerifyAccess;
  /** Returns the login of a valid token, whatever resource it is for. */
  readonly loginOf: (request: Request) => Promise<Login | undefined>;
  /** Sets the misbehaviour of the issuer in a sandbox; null turns it off. */
  readonly misbehave: (sandbox: Sandbox, name: string | null) => Promise<void>;
  /** Starts a run of the test plan of the issuer, and returns its id. */
  readonly beginRun: (sandbox: Sandbox) => Promise<string>;
  /** URL of the issuer of a step; of the usual issuer without a run. */
  readonly issuerAt: (baseUrl: string, run: string | undefined, name: string) => string;
  readonly outcomeOf: (sandbox: Sandbox, run: string, name: string) => Promise<string>;
}

export const issuerToken = new OfferToken<Awaitable<IssuerSteering>>('issuer');
