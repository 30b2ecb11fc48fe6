/** The form body of an OAuth request (RFC 6749 section 3.2 and appendix B). */

import type { Fault } from './fault.js';

export type Form = ReadonlyMap<string, string>;

/**
 * Parameters without a value count as left out. Repeated ones are a fault, but for those that are `repeatable`:
 * their values stand together, with a space between.
 */
export function parseForm(text: string, repeatable: readonly string[] = []): Form | Fault {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = form.get(name);
    if (before !== undefined && !repeatable.includes(name)) {
      return { fault: `The parameter ${printable(name)} comes more than once.` };
    }
    form.set(name, before ? `${before} ${value}`.trim() : value);
  }
  for (const [name, value] of form) if (value === '') form.delete(name);
  return form;
}

/** Undoes application/x-www-form-urlencoded; `undefined` when the percent signs are malformed. */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** What a sender wrote, short and harmless enough to be told back. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\w.-]/g, '?');
}
