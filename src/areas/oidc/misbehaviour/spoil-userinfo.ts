/** Userinfo and discovery that are wrong on purpose. */

import type { MisbehaviourName } from './misbehaviours.js';
import { otherIssuer, otherUser, unknownMembers } from './others.js';

export function spoilUserinfo<Claims extends { readonly sub: string }>(
  name: MisbehaviourName | undefined,
  claims: Claims,
): Claims {
  if (name === 'userinfo-sub') return { ...claims, sub: otherUser(claims.sub) };
  return name === 'unknown-members' ? { ...unknownMembers, ...claims } : claims;
}

export function spoilDiscovery<Document extends { readonly issuer: string }>(
  name: MisbehaviourName | undefined,
  document: Document,
): Document {
  if (name === 'discovery-other-issuer') return { ...document, issuer: otherIssuer };
  return name === 'unknown-members' ? { ...unknownMembers, ...document } : document;
}
