/** The token of a bearer request (RFC 6750 section 2.1); nothing about it has been verified. */

import { parseAuthorization } from '../../http/credentials/parse-authorization.js';
import { invalidToken, missingToken } from './bearer-errors.js';

const b64token = /^[\w.~+/-]+=*$/;
const howTo = 'Send Authorization: Bearer followed by the token.';

export function readBearerToken(header: string | undefined): string {
  if (header === undefined) throw missingToken(`There is no Authorization header. ${howTo}`);
  const { scheme, credentials } = parseAuthorization(header);
  if (scheme !== 'bearer') {
    throw missingToken(`The Authorization header does not begin with the word Bearer. ${howTo}`);
  }
  if (credentials === '') throw missingToken(`No token follows the word Bearer. ${howTo}`);
  if (!b64token.test(credentials)) {
    throw invalidToken(
      'The token holds a character that bearer tokens cannot have: they are letters, digits, - . _ ~ + / and = at the end',
    );
  }
  return credentials;
}
