/** Values that several cases send. */

export const otherIssuer = 'https://other-issuer.example/oidc';

/** Returns the same object with members that clients must ignore, because they are unknown. */
export function withUnknownMembers<Value extends object>(value: Value): Value {
  return {
    'https://practice-api.example/unknown': { of: ['no', 'meaning'] },
    x_unknown: null,
    ...value,
  };
}
