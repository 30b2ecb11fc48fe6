/** Parses Digest credentials (RFC 7616 section 3.4) and compares them with the offer. */

import { isUtf8 } from 'node:buffer';
import { decodePercent } from '#base/text/decode-percent.js';
import { type Fault, isFault } from '../credentials/fault.js';
import { parseAuthorization } from '../credentials/parse-authorization.js';
import type { DigestAlgorithm } from './digest-algorithm.js';
import type { DigestOffer, Qop } from './digest-offer.js';
import { parseAuthParams } from './parse-auth-params.js';

export interface DigestCredentials {
  readonly username: string;
  /** Whether `username` is H(name:realm) rather than the name (section 3.4.4). */
  readonly isUsernameHashed: boolean;
  readonly realm: string;
  readonly nonce: string;
  readonly uri: string;
  readonly response: string;
  readonly algorithm: DigestAlgorithm;
  readonly opaque: string | undefined;
  readonly qop: Qop | undefined;
  /** With a qop, eight hex digits, as sent. */
  readonly nc: string | undefined;
  readonly cnonce: string | undefined;
}

type Params = ReadonlyMap<string, string>;

const howTo = 'Respond to the challenge in WWW-Authenticate with Authorization: Digest …';

/** The first cnonce of a session is stored, so longer ones are rejected. */
const maxCnonceLength = 256;

/** Checks only the form, not the nonce, uri, user and response. */
export function parseDigest(
  header: string | undefined,
  offer: DigestOffer,
): DigestCredentials | Fault {
  if (header === undefined) return { fault: `The Authorization header is missing. ${howTo}` };
  const { scheme, credentials } = parseAuthorization(header);
  if (scheme !== 'digest') {
    return { fault: `The Authorization header does not begin with the word Digest. ${howTo}` };
  }
  const params = parseAuthParams(credentials);
  if (isFault(params)) return { fault: `The Digest credentials are malformed: ${params.fault}.` };
  for (const name of ['realm', 'nonce', 'uri', 'response']) {
    if (!params.has(name)) return { fault: `The Digest credentials have no parameter ${name}.` };
  }
  const user = readUsername(params);
  if (isFault(user)) return user;
  const algorithm = findAlgorithm(params.get('algorithm'), offer);
  if (typeof algorithm !== 'string') return algorithm;
  const protection = readProtection(params, offer);
  if (isFault(protection)) return protection;
  return {
    ...user,
    ...protection,
    algorithm,
    realm: params.get('realm') ?? '',
    nonce: params.get('nonce') ?? '',
    uri: params.get('uri') ?? '',
    response: (params.get('response') ?? '').toLowerCase(),
    opaque: params.get('opaque'),
  };
}

function readUsername(
  params: Params,
): Pick<DigestCredentials, 'username' | 'isUsernameHashed'> | Fault {
  const plain = params.get('username');
  const extended = params.get('username*');
  const isUsernameHashed = params.get('userhash')?.toLowerCase() === 'true';
  if (extended === undefined) {
    if (plain === undefined) {
      return { fault: 'The Digest credentials have no parameter username.' };
    }
    return { username: fromHeader(plain), isUsernameHashed };
  }
  if (plain !== undefined || isUsernameHashed) {
    return { fault: 'The parameter username* cannot be combined with username or userhash=true.' };
  }
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(extended) ?? [];
  const username = encoded && decodePercent(encoded);
  if (username !== undefined) return { username, isUsernameHashed: false };
  return { fault: "The parameter username* must be UTF-8'' and percent-encoded UTF-8 (RFC 8187)." };
}

/** Decodes UTF-8 where possible: Node reads the bytes of headers as Latin-1. */
function fromHeader(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

function findAlgorithm(
  name: string | undefined,
  { algorithms }: DigestOffer,
): DigestAlgorithm | Fault {
  const wanted = (name ?? 'MD5').toLowerCase();
  const algorithm = algorithms.find((each) => each.toLowerCase() === wanted);
  if (algorithm !== undefined) return algorithm;
  const sent =
    name === undefined ? 'No algorithm was sent, which means MD5, and that' : 'The algorithm';
  return { fault: `${sent} is not in the challenge, which offers ${algorithms.join(', ')}.` };
}

function readProtection(
  params: Params,
  { qops, isQopOptional }: DigestOffer,
): Pick<DigestCredentials, 'qop' | 'nc' | 'cnonce'> | Fault {
  const sent = params.get('qop')?.toLowerCase();
  const nc = params.get('nc');
  const cnonce = params.get('cnonce');
  if (qops.length === 0 || (isQopOptional && sent === undefined)) {
    if (cnonce !== undefined && cnonce.length > maxCnonceLength) {
      return { fault: `A cnonce must have at most ${maxCnonceLength} characters.` };
    }
    if (sent === undefined) return { qop: undefined, nc, cnonce };
    return { fault: 'The challenge offered no qop, so the credentials must have none.' };
  }
  const qop = qops.find((each) => each === sent);
  if (qop === undefined) {
    const what = sent === undefined ? 'have no qop' : 'have another qop than offered';
    return { fault: `The Digest credentials ${what}: the challenge offered ${qops.join(', ')}.` };
  }
  if (nc === undefined || !/^[0-9a-f]{8}$/i.test(nc)) {
    return {
      fault:
        'With a qop, nc must be the use count of the nonce in eight hex digits, such as 00000001.',
    };
  }
  if (!cnonce || cnonce.length > maxCnonceLength) {
    return {
      fault: `With a qop, cnonce must be 1 to ${maxCnonceLength} random characters.`,
    };
  }
  return { qop, nc, cnonce };
}
