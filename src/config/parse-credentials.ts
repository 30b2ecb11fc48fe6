/**
 * The credentials of the authentication endpoints as they are written in settings. Each function
 * throws an `Error` whose message says what is taken, and never shows what was given.
 */

export interface UserCredentials {
  readonly username: string;
  readonly password: string;
}

export interface BearerTokens {
  readonly admin: string;
  readonly user: string;
  readonly readOnly: string;
}

/** Control characters cannot be sent in a user name or password (RFC 7617 section 2). */
const controlCharacter = /\p{Cc}/u;

export function parseUser(text: string): UserCredentials {
  const colon = text.indexOf(':');
  const username = text.slice(0, Math.max(colon, 0));
  const password = text.slice(colon + 1);
  if (username === '' || password === '' || controlCharacter.test(text)) {
    throw new Error('it takes a name, a colon and a password, without control characters');
  }
  return { username, password };
}

/** What a cookie can hold unquoted and undecoded (RFC 6265 section 4.1.1), less the percent sign. */
const cookieText = /^[!#$&-+\--:<-[\]-~]+$/;

export function parseApiKey(text: string): string {
  if (!cookieText.test(text)) {
    throw new Error(
      'an API key is printable ASCII without space, quote, comma, semicolon, backslash or percent',
    );
  }
  return text;
}

/** b64token of RFC 6750 section 2.1. */
const bearerToken = /^[\w.~+/-]+=*$/;

export function parseBearerTokens(text: string): BearerTokens {
  const [admin = '', user = '', readOnly = '', ...rest] = text.split(',');
  const tokens = [admin, user, readOnly];
  if (rest.length > 0 || new Set(tokens).size < 3 || !tokens.every((t) => bearerToken.test(t))) {
    throw new Error(
      'it takes three different tokens by comma, of letters, digits, - . _ ~ + / and = at the end',
    );
  }
  return { admin, user, readOnly };
}

export function parseHmacSecret(text: string): string {
  if (text === '') throw new Error('a secret cannot be empty');
  return text;
}

/** RFC 7518 section 3.2: a key as long as the hash it is used with, or longer. */
export const minKeyBytes = 32;

export function parseKey(text: string): string {
  if (Buffer.byteLength(text) < minKeyBytes) {
    throw new Error(`a signing key has at least ${minKeyBytes} bytes`);
  }
  return text;
}
