/** Headers that list what a client likes, with weights: RFC 9110 section 12.4.2 (Accept and its kind). */

export interface WeightedItem {
  /** In lower case and without parameters, such as `application/json` or `gzip`. */
  readonly value: string;
  /** From 0 to 1, where 0 rules the item out; 1 without one, `undefined` for what is no weight. */
  readonly weight: number | undefined;
}

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;
const validWeight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** No client needs more; what is beyond is not looked at, so that nobody can keep us busy with it. */
const maxReadLength = 2000;

/** The items in the order of the header. */
export function parseWeighted(header: string): WeightedItem[] {
  const items: WeightedItem[] = [];
  for (const item of splitOutsideQuotes(header.slice(0, maxReadLength))) {
    const value = item.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (value !== '') items.push({ value, weight: weightOf(item) });
  }
  return items;
}

function weightOf(item: string): number | undefined {
  for (const [, name, value = ''] of item.matchAll(parameter)) {
    if (name?.toLowerCase() === 'q') return validWeight.test(value) ? Number(value) : undefined;
  }
  return 1;
}

function splitOutsideQuotes(header: string): string[] {
  return header.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
}
