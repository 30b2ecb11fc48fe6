/** Values that stand in place of the right ones. */

export const otherIssuer = 'https://other-issuer.example/oidc';
export const otherClient = 'another-client';

/** Ready users are in every sandbox. */
export function otherUser(sub: string): string {
  return sub === 'grace' ? 'ada' : 'grace';
}

/** Clients must ignore members that they do not know. */
export const unknownMembers = {
  'https://practice-api.example/unknown': { of: ['no', 'meaning'] },
  x_unknown: null,
} as const;
