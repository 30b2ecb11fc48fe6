/** Parses weighted preferences, such as Accept: RFC 9110 section 12.4.2. */

/** Commas separate items, outside of quotes. */
const items = /(?:"(?:[^"\\]|\\.)*"|[^,])+/g;
const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;
const validWeight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** A limit, because long headers would keep the service busy. */
const maxReadLength = 2000;

/**
 * Returns weights from 0 to 1 by names in lower case, without parameters; 0 rejects. A missing or
 * malformed weight is 1. If a name is repeated, its highest weight applies.
 */
export function readPreferences(header: string | undefined): Map<string, number> {
  const preferences = new Map<string, number>();
  for (const item of (header ?? '').slice(0, maxReadLength).match(items) ?? []) {
    const value = item.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (value === '') continue;
    preferences.set(value, Math.max(preferences.get(value) ?? 0, readWeight(item)));
  }
  return preferences;
}

/** Returns the weight of the most specific matching item; 0 without any. */
export function weightOf(
  preferences: Map<string, number>,
  ...names: [string, ...string[]]
): number {
  const [type] = names[0].split('/');
  for (const name of [...names, `${type}/*`, '*/*', '*']) {
    const weight = preferences.get(name);
    if (weight !== undefined) return weight;
  }
  return 0;
}

function readWeight(item: string): number {
  for (const [, name, value = ''] of item.matchAll(parameter)) {
    if (name?.toLowerCase() === 'q') return validWeight.test(value) ? Number(value) : 1;
  }
  return 1;
}

/**
 * Returns whether a client prefers a page: it accepts HTML with at least the weight of JSON
 * (section 12.5.1).
 */
export function prefersPage(accept: string | undefined): boolean {
  const preferences = readPreferences(accept);
  const weightOfPage = preferences.get('text/html') ?? 0;
  if (weightOfPage === 0) return false;
  const isJson = (type: string) => type.startsWith('application/') && type.endsWith('json');
  return [...preferences].every(([type, weight]) => !isJson(type) || weight <= weightOfPage);
}
