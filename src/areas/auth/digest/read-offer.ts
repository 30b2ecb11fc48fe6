/** Parses the algorithms and qualities of protection to offer in the challenge, from the query. */

import { gotParameter } from '#base/text/got-value.js';
import { digestAlgorithms, isSession } from '#http/digest/digest-algorithm.js';
import type { DigestOffer } from '#http/digest/digest-offer.js';
import { HttpError } from '#http/http-error.js';

export interface OfferQuery {
  readonly algorithm?: readonly string[];
  readonly qop?: readonly string[];
  readonly userhash?: boolean;
}

/** Parameters of challenges (RFC 7616 section 3.3) that clients cannot choose here. */
const unsupported = ['realm', 'domain', 'nonce', 'opaque', 'stale', 'charset'];

/** Other parameters stay part of the URI that Digest protects. */
function rejectUnsupported(query: object): void {
  const sent = Object.keys(query).find((name) => unsupported.includes(name.toLowerCase()));
  if (sent === undefined) return;
  throw new HttpError(
    400,
    `${sent.toLowerCase()} of the challenge cannot be chosen. Choose algorithm, qop, userhash or nextnonce.`,
  );
}

/** Accepts repeated and comma-separated values. Throws 400 for an unknown value. */
export function readOffer(query: OfferQuery): DigestOffer {
  rejectUnsupported(query);
  const asked = listed('algorithm', query.algorithm ?? ['MD5'], digestAlgorithms);
  const algorithms = digestAlgorithms.filter((each) => asked.includes(each));
  const qops = listed('qop', query.qop ?? ['auth'], ['auth', 'auth-int', 'none']);
  const { userhash: allowsUserhash = false } = query;
  if (!qops.includes('none')) {
    return {
      algorithms,
      ...(allowsUserhash && { allowsUserhash }),
      qops: (['auth', 'auth-int'] as const).filter((each) => qops.includes(each)),
    };
  }
  if (qops.some((qop) => qop !== 'none')) {
    throw new HttpError(400, 'qop must be none, or auth, auth-int or both; got none and others.');
  }
  const session = algorithms.find(isSession);
  if (session !== undefined) {
    throw new HttpError(
      400,
      `${session} needs a cnonce, which clients send only with a qop: add qop=auth or qop=auth-int.`,
    );
  }
  return { algorithms, qops: [], ...(allowsUserhash && { allowsUserhash }) };
}

function listed<Known extends string>(
  parameter: string,
  values: readonly string[],
  known: readonly Known[],
): readonly Known[] {
  const sent = values.flatMap((value) => value.split(','));
  return sent.map((name) => {
    const found = known.find((each) => each.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    throw new HttpError(
      400,
      `${parameter} must be one or more of ${known.join(', ')}, separated by commas${gotParameter(parameter, name)}.`,
    );
  });
}
