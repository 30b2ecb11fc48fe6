import { credential } from '../../../config/setting.js';

export const bearerSettings = {
  /** The bearer tokens of admin, user and read-only, by comma. */
  bearerTokens: credential({
    flag: 'auth-bearer-tokens',
    placeholder: 'a,b,c',
    meaning: 'the bearer tokens of admin, user and read-only',
    demo: 'demo-admin-token,demo-user-token,demo-read-only-token',
    parse: parseBearerTokens,
  }),
};

export interface BearerTokens {
  readonly admin: string;
  readonly user: string;
  readonly readOnly: string;
}

export function parseBearerTokens(text: string): BearerTokens {
  // b64token of RFC 6750 section 2.1.
  const isToken = (part: string) => /^[\w.~+/-]+=*$/.test(part);
  const [admin = '', user = '', readOnly = '', ...rest] = text.split(',');
  const tokens = [admin, user, readOnly];
  if (rest.length > 0 || new Set(tokens).size < 3 || !tokens.every(isToken)) {
    throw new Error(
      'must be three different tokens separated by commas, of letters, digits, - . _ ~ + / and = at the end',
    );
  }
  return { admin, user, readOnly };
}
