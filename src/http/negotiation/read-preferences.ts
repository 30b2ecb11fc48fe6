/** Headers that list what a client likes, with weights: RFC 9110 section 12.4.2 (Accept and its kind). */

/**
 * Weights from 0 to 1, where 0 rules out, by what they are of, in the order of the header: in lower case
 * and without parameters, such as `application/json`, `text/*` or `gzip`.
 */
export type Preferences = ReadonlyMap<string, number>;

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;
const validWeight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** No client needs more; what is beyond is not looked at, so that nobody can keep us busy with it. */
const maxReadLength = 2000;

/**
 * What is named without a weight, or with what is none, is wanted fully: it was named after all. Of
 * several weights of one thing the highest counts.
 */
export function readPreferences(header: string | undefined): Preferences {
  const preferences = new Map<string, number>();
  for (const item of splitOutsideQuotes((header ?? '').slice(0, maxReadLength))) {
    const value = item.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (value === '') continue;
    preferences.set(value, Math.max(preferences.get(value) ?? 0, readWeight(item)));
  }
  return preferences;
}

/** The weight of what goes by these names, which is that of the most specific item; 0 without any. */
export function weightOf(preferences: Preferences, ...names: [string, ...string[]]): number {
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

function splitOutsideQuotes(header: string): string[] {
  return header.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
}
