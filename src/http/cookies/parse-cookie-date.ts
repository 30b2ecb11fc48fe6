/** Parses dates of cookies, in all forms that servers have sent: RFC 6265bis section 5.1.1. */

const delimiters = /[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const patterns = {
  time: /^(\d{1,2}:\d{1,2}:\d{1,2})(?!\d)/,
  day: /^(\d{1,2})(?!\d)/,
  month: new RegExp(`^(${months.join('|')})`, 'i'),
  year: /^(\d{2,4})(?!\d)/,
};

type Part = keyof typeof patterns;

/** Returns Unix milliseconds; `undefined` for a date that clients ignore. */
export function parseCookieDate(text: string): number | undefined {
  const found: Partial<Record<Part, string>> = {};
  for (const token of text.split(delimiters)) {
    for (const part of Object.keys(patterns) as Part[]) {
      const [, value] = (found[part] === undefined && patterns[part].exec(token)) || [];
      if (value === undefined) continue;
      found[part] = value;
      break;
    }
  }
  const { time, day, month, year } = found;
  if (time === undefined || day === undefined || month === undefined || year === undefined) {
    return undefined;
  }
  return dateOf(time, Number(day), months.indexOf(month.toLowerCase()), fullYear(Number(year)));
}

function fullYear(year: number): number {
  if (year >= 100) return year;
  return year + (year >= 70 ? 1900 : 2000);
}

function dateOf(time: string, day: number, month: number, year: number): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  if (year < 1601 || hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = Date.UTC(year, month, day, hour, minute, second);
  return new Date(ms).getUTCDate() === day ? ms : undefined;
}
