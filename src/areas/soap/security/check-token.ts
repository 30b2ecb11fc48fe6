/** Verifies a UsernameToken: UsernameToken Profile 1.1.1 section 3. */

import { createHash } from 'node:crypto';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import type { UserCredentials } from '#http/credentials/user-credentials.js';
import { attributeOf, type XmlElement } from '#http/xml/parse-xml.js';
import { quote, trimXml } from '#http/xml/text.js';
import { base64Binary, passwordDigest, passwordText, wsse, wsse11 } from '../security-names.js';
import { checkFreshness, createdName } from './check-times.js';
import { type DigestParts, findMistake } from './digest-mistakes.js';
import { checkChildren, onlyChild, optionalChild, textOf } from './read-parts.js';
import { securityFault } from './security-fault.js';

const code = 'InvalidSecurityToken';

const usernameName = { namespace: wsse, name: 'Username' };
const passwordName = { namespace: wsse, name: 'Password' };
const nonceName = { namespace: wsse, name: 'Nonce' };

/** A nonce that must not be repeated before its token has expired. */
export interface UsedNonce {
  readonly bytes: Buffer;
  readonly createdMs: number;
}

/** Context for verifying a token. */
export interface TokenContext {
  readonly user: UserCredentials;
  readonly nowMs: number;
  /** Created of the Timestamp, as sent; `undefined` without a Timestamp. */
  readonly timestampCreated: string | undefined;
}

/** Throws a fault if the token does not match the user. Returns its nonce, if any. */
export function checkToken(token: XmlElement, context: TokenContext): UsedNonce | undefined {
  rejectKeyDerivation(token);
  checkChildren(token, [usernameName, passwordName, nonceName, createdName], code);
  const username = onlyChild(token, usernameName, code).text;
  const password = onlyChild(token, passwordName, code);
  const nonce = optionalChild(token, nonceName, code);
  const created = optionalChild(token, createdName, code);
  const bytes = nonce && readNonce(nonce);
  const createdMs = created && checkFreshness(created, context.nowMs);
  if (isDigest(password)) {
    if (bytes === undefined || created === undefined) {
      const missing = bytes === undefined ? 'Nonce' : 'Created';
      throw securityFault(code, `The UsernameToken has no ${missing}, which PasswordDigest needs.`);
    }
    const nonceText = nonce === undefined ? '' : textOf(nonce);
    checkDigest(textOf(password), username, context, {
      nonce: bytes,
      nonceText,
      created: textOf(created),
      sentCreated: created.text,
    });
  } else {
    checkText(password.text, username, context.user);
  }
  if (bytes === undefined) return undefined;
  if (createdMs !== undefined) return { bytes, createdMs };
  throw securityFault(code, 'The UsernameToken has a Nonce, but no Created. Send both.');
}

function rejectKeyDerivation(token: XmlElement): void {
  const derived = token.children.find(({ namespace }) => namespace === wsse11);
  if (derived === undefined) return;
  const message = `The UsernameToken has ${derived.name}, but keys derived from passwords are not supported.`;
  throw securityFault('UnsupportedSecurityToken', message);
}

function isDigest(password: XmlElement): boolean {
  const type = trimXml(attributeOf(password, '', 'Type') ?? passwordText);
  if (type === passwordText) return false;
  if (type === passwordDigest) return true;
  const message = `The Type of the Password is ${quote(type)}. It must be ${passwordText} or ${passwordDigest}.`;
  throw securityFault('UnsupportedSecurityToken', message);
}

/** In base64. */
const maxNonceCharacters = 1024;

function readNonce(nonce: XmlElement): Buffer {
  const encoding = trimXml(attributeOf(nonce, '', 'EncodingType') ?? base64Binary);
  if (encoding !== base64Binary) {
    const message = `The EncodingType of the Nonce is ${quote(encoding)}. It must be ${base64Binary}.`;
    throw securityFault(code, message);
  }
  const text = textOf(nonce);
  if (text.length > maxNonceCharacters) {
    const message = `The Nonce has ${text.length} characters, but at most ${maxNonceCharacters} are allowed.`;
    throw securityFault(code, message);
  }
  if (text === '') throw securityFault(code, 'The Nonce is empty.');
  const isBase64 = /^[A-Za-z\d+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  if (isBase64) return Buffer.from(text, 'base64');
  throw securityFault(code, `The Nonce is ${quote(text)}, which is not base64.`);
}

const wrongUser = 'The user name or the password is wrong. GET /api/auth lists them under soap.';

function checkText(password: string, username: string, user: UserCredentials): void {
  const isName = isSameSecret(username, user.username);
  if (isSameSecret(password, user.password) && isName) return;
  const isSpaced =
    isSameSecret(trimXml(password), user.password) &&
    isSameSecret(trimXml(username), user.username);
  const looksHashed = /^[A-Za-z\d+/]{27}=$/.test(trimXml(password));
  const hint = isSpaced
    ? 'There is white space around the user name or the password.'
    : looksHashed
      ? `${wrongUser} The Password looks like a digest, but its Type is PasswordText.`
      : wrongUser;
  throw securityFault('FailedAuthentication', hint);
}

function checkDigest(
  digest: string,
  username: string,
  { user, timestampCreated }: TokenContext,
  parts: DigestParts,
): void {
  const { nonce, created } = parts;
  const hash = createHash('sha1').update(nonce).update(created).update(user.password);
  const isDigestRight = isSameSecret(digest, hash.digest('base64'));
  const isName = isSameSecret(username, user.username);
  if (isDigestRight && isName) return;
  const mistake = isName ? findMistake(digest, user.password, parts, timestampCreated) : undefined;
  const message = `The digest is wrong. ${mistake ?? wrongUser}`;
  throw securityFault('FailedAuthentication', message);
}
