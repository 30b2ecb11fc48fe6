/** Parses Basic credentials (RFC 7617 section 2): base64 of UTF-8 `username:password`. */

import { isUtf8 } from 'node:buffer';
import type { Fault } from './fault.js';
import { parseAuthorization } from './parse-authorization.js';
import type { UserCredentials } from './user-credentials.js';

const howTo = 'Send Authorization: Basic followed by base64 of username:password.';

/** Rejects everything that servers could parse differently. Checks no password. */
export function parseBasic(header: string | undefined): UserCredentials | Fault {
  if (header === undefined) return { fault: `The Authorization header is missing. ${howTo}` };
  const { scheme, credentials } = parseAuthorization(header);
  if (scheme !== 'basic') {
    return { fault: `The Authorization header does not begin with the word Basic. ${howTo}` };
  }
  if (credentials === '') return { fault: `Nothing follows the word Basic. ${howTo}` };
  const bytes = Buffer.from(credentials, 'base64');
  // Node decodes what it can and skips the rest; only text that encodes back to the same is base64.
  if (bytes.toString('base64') !== credentials) {
    return {
      fault:
        'What follows the word Basic is not base64: A-Z, a-z, 0-9, + and /, padded with = to a multiple of four characters (RFC 4648 section 4).',
    };
  }
  if (!isUtf8(bytes)) return { fault: 'The decoded credentials are not UTF-8.' };
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) {
    return { fault: 'The decoded credentials have no colon between user name and password.' };
  }
  if (/\p{Cc}/u.test(text)) {
    return {
      fault:
        'The decoded credentials contain a control character, perhaps a line feed at the end (echo adds one, printf does not).',
    };
  }
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
