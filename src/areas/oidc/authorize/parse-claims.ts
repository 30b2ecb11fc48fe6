/** The claims parameter: OpenID Connect Core section 5.5. */

import { isObject } from '../../../base/json-object.js';

interface ClaimRequest {
  readonly essential?: boolean;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
}

export interface ClaimsRequest {
  readonly userinfo: Readonly<Record<string, ClaimRequest>>;
  readonly idToken: Readonly<Record<string, ClaimRequest>>;
}

export const noClaims: ClaimsRequest = { userinfo: {}, idToken: {} };

const maxLength = 2048;

/** `undefined` for what is no claims parameter. */
export function parseClaims(text: string | undefined): ClaimsRequest | undefined {
  if (text === undefined) return noClaims;
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
  return userinfo === undefined || idToken === undefined ? undefined : { userinfo, idToken };
}

function readMember(member: unknown): Record<string, ClaimRequest> | undefined {
  if (member === undefined) return {};
  if (!isObject(member)) return undefined;
  const claims: [string, ClaimRequest][] = [];
  for (const [name, wanted] of Object.entries(member)) {
    if (wanted !== null && !isObject(wanted)) return undefined;
    const claim = readClaim(wanted ?? {});
    if (claim === undefined) return undefined;
    claims.push([name, claim]);
  }
  return Object.fromEntries(claims);
}

function readClaim({
  essential,
  value,
  values,
}: Readonly<Record<string, unknown>>): ClaimRequest | undefined {
  if (essential !== undefined && typeof essential !== 'boolean') return undefined;
  if (values !== undefined && !Array.isArray(values)) return undefined;
  return {
    ...(essential === true && { essential }),
    ...(value !== undefined && { value }),
    ...(Array.isArray(values) && { values }),
  };
}

/** The values one of which a claim must have; none when any will do. */
export function demandedValues(claim: ClaimRequest | undefined): readonly unknown[] {
  if (claim === undefined) return [];
  return claim.values ?? (claim.value === undefined ? [] : [claim.value]);
}
