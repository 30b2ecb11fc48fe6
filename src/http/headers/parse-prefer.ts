/** The header Prefer: RFC 7240. */

/** What this service knows of what a client may prefer. */
export interface Preferred {
  readonly return?: 'minimal' | 'representation';
  readonly handling?: 'strict' | 'lenient';
  readonly respondAsync?: true;
  /** How many seconds the client is ready to wait. */
  readonly waitSeconds?: number;
}

/** No client needs more; what is beyond is not looked at, so that nobody can keep us busy with it. */
const maxReadLength = 2000;

const nothing: Preferred = {};

/**
 * Of a preference that comes twice the first counts (section 2). What is unknown, malformed or of another
 * value is passed over, as the RFC demands.
 */
export function parsePrefer(header: string | undefined): Preferred {
  if (header === undefined) return nothing;
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

/** Separated by commas, which texts in quotes may hold. */
const items = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g;

/** A name and its value; parameters after it are of no preference that is known here. */
const preference =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]*)))?[ \t]*(?:;.*)?$/;

/** What Preference-Applied says of the preferences that were honoured; `undefined` where none was. */
export function writeApplied(applied: Preferred): string | undefined {
  const parts = [
    applied.respondAsync && 'respond-async',
    applied.waitSeconds !== undefined && `wait=${applied.waitSeconds}`,
    applied.return && `return=${applied.return}`,
    applied.handling && `handling=${applied.handling}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join(', ');
}
