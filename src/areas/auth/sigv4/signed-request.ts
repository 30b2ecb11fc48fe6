/** A received request as its sender signed it: target and host as sent, in Latin-1. */

import { basePathOf, rootUrl, sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import type { Request } from '#http/exchange.js';
import { groupHeaders } from '#http/headers/header-values.js';
import {
  type CanonicalParts,
  canonicalQuery,
  canonicalValue,
  encodedOnce,
  encodedTwice,
  type Field,
  queryPairs,
} from './canonical-request.js';
import { reject } from './difference.js';
import type { PresentedSignature } from './read-signature.js';

export interface SentRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly pairs: readonly Field[];
  /** Keyed by names in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

export function sentRequest(request: Request): SentRequest {
  const { raw, method } = request;
  const root = rootUrl(request.baseUrl, raw);
  const target = basePathOf(root) + originForm(sentTargetOf(raw));
  const end = target.indexOf('?');
  const query = end < 0 ? '' : target.slice(end + 1);
  const path = end < 0 ? target : target.slice(0, end);
  const grouped = groupHeaders(raw.rawHeaders, (name) => name.toLowerCase());
  const headers = new Map(Object.entries(grouped).map(([name, value]) => [name, [value].flat()]));
  headers.set('host', [hostOf(request, new URL(root).host)]);
  return { method, path, query, pairs: queryPairs(query), headers };
}

/** Returns the Host header as sent, unless a proxy has replaced it. */
function hostOf({ headers }: Request, host: string): string {
  const sent = headers.host ?? String(headers[':authority'] ?? host);
  return sent.replace(/:(?:80|443)$/, '').toLowerCase() === host ? sent : host;
}

export function isS3({ scope }: PresentedSignature): boolean {
  return /^s3(?:-|$)/.test(scope.service);
}

/** Throws 403 if the signature covers too little, or a header that did not arrive. */
export function canonicalParts(
  sent: SentRequest,
  signature: PresentedSignature,
  payloadHash: string,
): CanonicalParts {
  const { method, path, pairs, headers } = sent;
  const signed = new Set(signature.signedHeaders);
  for (const name of headers.keys()) {
    const isCovered = signed.has(name) || !name.startsWith('x-amz-');
    // Some services add the token after signing.
    if (isCovered || name === 'x-amz-security-token') continue;
    reject('SignedHeaders', `The header ${name} arrived, but is not signed.`);
  }
  return {
    method,
    path: isS3(signature) ? encodedOnce(path) : encodedTwice(path),
    query: canonicalQuery(pairs.filter(([name]) => name !== 'X-Amz-Signature')),
    headers: signature.signedHeaders.map((name): Field => {
      const values = headers.get(name);
      if (values === undefined) {
        reject('SignedHeaders', `The header ${name} is signed, but did not arrive.`);
      }
      return [name, canonicalValue(values)];
    }),
    payloadHash,
  };
}
