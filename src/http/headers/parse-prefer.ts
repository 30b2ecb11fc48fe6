/** The header Prefer: RFC 7240. */

export interface Preferred {
  readonly return?: 'minimal' | 'representation';
  readonly handling?: 'strict' | 'lenient';
  readonly respondAsync?: true;
  readonly waitSeconds?: number;
}

/** No client needs more; a longer header must not keep the service busy. */
const maxReadLength = 2000;

/** Separated by commas, which quoted texts may hold. */
const items = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;

/** A name and its value; no preference that is known here has parameters. */
const preference =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]*)))?[ \t]*(?:;.*)?$/;

/** The first of equal names counts; what is unknown or malformed is ignored (section 2). */
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

/** Returns the Preference-Applied of the preferences that were honoured; undefined where none was. */
export function writeApplied(applied: Preferred): string | undefined {
  const parts = [
    applied.respondAsync && 'respond-async',
    applied.waitSeconds !== undefined && `wait=${applied.waitSeconds}`,
    applied.return && `return=${applied.return}`,
    applied.handling && `handling=${applied.handling}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join(', ');
}
