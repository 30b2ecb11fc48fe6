/** Parses the header Prefer: RFC 7240. */

export interface Preferred {
  readonly return?: 'minimal' | 'representation';
  readonly handling?: 'strict' | 'lenient';
  readonly respondAsync?: true;
  readonly waitSeconds?: number;
}

/** A limit, because long headers would keep the service busy. */
const maxReadLength = 2000;

/** Commas separate items, outside of quotes. */
const items = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;

/** A name and its value; the supported preferences have no parameters. */
const preference =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]*)))?[ \t]*(?:;.*)?$/;

/** Uses the first of equal names; ignores unknown and malformed ones (section 2). */
export function parsePrefer(header: string | undefined): Preferred {
  if (header === undefined) return {};
  const values = new Map<string, string>();
  for (const item of header.slice(0, maxReadLength).match(items) ?? []) {
    const [, name = '', quoted, bare = ''] = preference.exec(item) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
    if (name !== '' && !values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  const returned = values.get('return');
  const handling = values.get('handling');
  const wait = values.get('wait') ?? '';
  return {
    ...((returned === 'minimal' || returned === 'representation') && { return: returned }),
    ...((handling === 'strict' || handling === 'lenient') && { handling }),
    ...(values.get('respond-async') === '' && { respondAsync: true as const }),
    ...(/^\d{1,9}$/.test(wait) && { waitSeconds: Number(wait) }),
  };
}

/** Returns Preference-Applied for the applied preferences; `undefined` if there are none. */
export function writeApplied(applied: Preferred): string | undefined {
  const parts = [
    applied.respondAsync && 'respond-async',
    applied.waitSeconds !== undefined && `wait=${applied.waitSeconds}`,
    applied.return && `return=${applied.return}`,
    applied.handling && `handling=${applied.handling}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join(', ');
}
