import { expect, test } from 'vitest';
import { verifierFault } from './user-grants.js';

/** RFC 7636 appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test.each([
  ['the example of RFC 7636 appendix B', challenge, verifier, undefined],
  ['neither challenge nor verifier', undefined, undefined, undefined],
  ['another verifier', challenge, `${verifier.slice(1)}k`, 'does not match'],
  ['the challenge itself', challenge, challenge, 'does not match'],
  ['no verifier', challenge, undefined, 'is missing'],
  ['no challenge', undefined, verifier, 'had no code_challenge'],
  ['a short verifier', challenge, 'short', '43 to 128'],
  ['a long verifier', challenge, 'a'.repeat(129), '43 to 128'],
  ['an invalid character', challenge, `${verifier}+`, '43 to 128'],
])('%s', (_name, given, sent, fault) => {
  const found = verifierFault(given, sent);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
