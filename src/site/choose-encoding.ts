/** Which content coding an answer takes: RFC 9110 section 12.5.3, Accept-Encoding. */

/** In the order in which we prefer them. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The coding the caller likes best, ours deciding between equals; undefined for none. A caller who
 * refuses even `identity` gets it all the same, as the RFC allows: an answer is better than none.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = parseWeights(acceptEncoding);
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ??
    weights.get('*') ??
    0;
  let best: Encoding | undefined;
  for (const encoding of encodings) {
    const weight = weightOf(encoding);
    if (weight > 0 && (best === undefined || weight > weightOf(best))) best = encoding;
  }
  if (best === undefined) return undefined;
  // `identity` is acceptable without being named, but only naming it says that it is preferred.
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (name === '') continue;
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const weight = quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1));
    weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}
