/** The Accept header: RFC 9110 section 12.5.1. */

export interface AcceptedType {
  /** In lower case and without parameters: `application/json`. */
  readonly type: string;
  /** From 0 to 1; 0 rules the type out. */
  readonly weight: number;
}

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;

/** No client needs more; what is beyond is not looked at, so that nobody can keep us busy with it. */
const maxReadLength = 2000;

/** The media ranges in the order of the header; one that is malformed is passed over. */
export function parseAccept(header: string): AcceptedType[] {
  const accepted: AcceptedType[] = [];
  for (const range of splitOutsideQuotes(header.slice(0, maxReadLength))) {
    const type = range.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) continue;
    accepted.push({ type, weight: weightOf(range) });
  }
  return accepted;
}

function weightOf(range: string): number {
  for (const [, name, value] of range.matchAll(parameter)) {
    if (name?.toLowerCase() !== 'q') continue;
    return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value ?? '') ? Number(value) : 0;
  }
  return 1;
}

function splitOutsideQuotes(header: string): string[] {
  return header.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
}
