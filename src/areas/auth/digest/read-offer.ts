/** What a challenge offers, chosen by the query: algorithms and qualities of protection. */

import { gotParameter } from '../../../base/text/got-value.js';
import { digestAlgorithms, isSession } from '../../../http/digest/digest-algorithm.js';
import type { DigestOffer } from '../../../http/digest/digest-offer.js';
import { HttpError } from '../../../http/http-error.js';

/** Values may be repeated or joined by comma; throws 400 for one that is unknown. */
export function readOffer(query: {
  readonly algorithm?: readonly string[];
  readonly qop?: readonly string[];
}): DigestOffer {
  const asked = listed(query.algorithm, 'MD5').map((name) => {
    const algorithm = digestAlgorithms.find((each) => each.toLowerCase() === name.toLowerCase());
    if (algorithm !== undefined) return algorithm;
    throw wrong('algorithm', digestAlgorithms, name);
  });
  const algorithms = digestAlgorithms.filter((each) => asked.includes(each));
  const qops = listed(query.qop, 'auth').map((name) => {
    const lowerCase = name.toLowerCase();
    if (lowerCase === 'auth' || lowerCase === 'auth-int' || lowerCase === 'none') return lowerCase;
    throw wrong('qop', ['auth', 'auth-int', 'none'], name);
  });
  if (!qops.includes('none')) {
    return {
      algorithms,
      qops: (['auth', 'auth-int'] as const).filter((each) => qops.includes(each)),
    };
  }
  if (qops.some((qop) => qop !== 'none')) {
    throw new HttpError(
      400,
      'qop must be none alone, or auth, auth-int or both; got none and others.',
    );
  }
  const session = algorithms.find(isSession);
  if (session !== undefined) {
    throw new HttpError(
      400,
      `${session} needs a cnonce, which clients send only with a qop: ask for qop=auth or qop=auth-int.`,
    );
  }
  return { algorithms, qops: [] };
}

function listed(values: readonly string[] | undefined, fallback: string): readonly string[] {
  return values === undefined ? [fallback] : values.flatMap((value) => value.split(','));
}

function wrong(parameter: string, known: readonly string[], sent: string): HttpError {
  return new HttpError(
    400,
    `${parameter} must be one or more of ${known.join(', ')}, separated by commas${gotParameter(parameter, sent)}.`,
  );
}
