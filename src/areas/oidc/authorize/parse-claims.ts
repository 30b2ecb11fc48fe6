/** The claims parameter: OpenID Connect Core section 5.5. */

import { isObject } from '../../../base/json-object.js';

interface ClaimRequest {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
}

type ClaimRequests = Readonly<Record<string, ClaimRequest>>;

export interface ClaimsRequest {
  readonly userinfo: ClaimRequests;
  readonly idToken: ClaimRequests;
}

const maxLength = 2048;

/** Returns `undefined` for what is no claims parameter. */
export function parseClaims(text = '{}'): ClaimsRequest | undefined {
  if (text.length > maxLength) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) return undefined;
  const userinfo = readMember(parsed.userinfo);
  const idToken = readMember(parsed.id_token);
  return userinfo && idToken && { userinfo, idToken };
}

function readMember(member: unknown = {}): ClaimRequests | undefined {
  if (!isObject(member)) return undefined;
  const claims = Object.entries(member).map(([name, wanted]) => [name, wanted ?? {}] as const);
  return claims.every(([, claim]) => isClaim(claim)) ? Object.fromEntries(claims) : undefined;
}

function isClaim(claim: unknown): claim is ClaimRequest {
  if (!isObject(claim)) return false;
  const { essential = false, values = [] } = claim;
  return typeof essential === 'boolean' && Array.isArray(values);
}

/** Returns the values one of which a claim must have; none if any will do. */
export function demandedValues({ value, values }: ClaimRequest = {}): readonly unknown[] {
  return values ?? (value === undefined ? [] : [value]);
}
