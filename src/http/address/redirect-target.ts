/** Checks redirect targets that callers choose: they must stay within this service. */

import { gotParameter } from '#base/text/got-value.js';
import { rejectField } from '../http-error.js';

/** After a few redirects, longer targets would exceed the header limits of clients. */
const maxLength = 8000;

interface TargetOptions {
  /** Query parameter of the target. */
  readonly parameter: string;
  /** Base URL of relative references. */
  readonly base: string;
  /** Whether only paths are accepted, which begin with a slash. */
  readonly isPath?: boolean;
}

/**
 * Returns a value of Location, with spaces and non-ASCII characters escaped. Throws 400 with the
 * reason if the target could lead elsewhere.
 */
export function checkRedirectTarget(text: string, options: TargetOptions): string {
  const { parameter } = options;
  const fault = faultOf(text, options);
  if (fault === undefined) return escapeUrl(text);
  return rejectField(parameter, `${parameter} ${fault}${gotParameter(parameter, text)}.`);
}

function escapeUrl(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

function faultOf(text: string, { base, isPath = false }: TargetOptions): string | undefined {
  if (text === '') return 'is empty: send a path of this service';
  if (text.length > maxLength) return `must be at most ${maxLength} characters`;
  const control = /\p{Cc}|\p{Cs}/u.exec(text);
  if (control !== null) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `has the control character U+${code}, which is invalid in URLs`;
  }
  // Browsers drop these, and the rest may be another URL.
  if (text.trim() !== text) return 'must not begin or end with white space';
  if (text.includes('\\')) return 'has a backslash, which browsers read as a slash: write %5C';
  if (isPath && !text.startsWith('/')) return 'must be a path, which begins with a slash';
  if (isPath && text.startsWith('//')) return 'begins with two slashes, so it names another host';
  return hostFault(escapeUrl(text), base);
}

function hostFault(url: string, base: string): string | undefined {
  if (!URL.canParse(url, base)) return 'is not a valid URL';
  const { origin, protocol, host, username, password } = new URL(url, base);
  const own = new URL(base).origin;
  if (host === '') return `has the scheme ${protocol}; redirects lead only to ${own}`;
  if (origin !== own) return `leads to ${origin}; redirects lead only to ${own}`;
  return username + password === '' ? undefined : 'must have no user name and no password';
}
