/** Verifies access tokens of the issuer for resources of other areas (RFC 6750, RFC 8707). */

import type { Request } from '../http/exchange.js';

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

/** Throws 401 with a challenge. */
export type VerifyAccess = (request: Request, demand: AccessDemand) => Promise<Access>;

export class AccessTokens {
  #verify: VerifyAccess | undefined;

  /** The area of the issuer calls this at the start. */
  bring(verify: VerifyAccess): void {
    this.#verify = verify;
  }

  verify(request: Request, demand: AccessDemand): Promise<Access> {
    if (this.#verify === undefined) throw new Error('No area verifies access tokens.');
    return this.#verify(request, demand);
  }
}
