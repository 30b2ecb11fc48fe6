/** Targets of redirects that callers choose: within this service, as nothing may lead a visitor elsewhere. */

import { gotParameter } from '../../base/text/got-value.js';
import { rejectField } from '../http-error.js';

/** Longer ones would not fit into the heads that clients accept, after a few redirects. */
const maxLength = 8000;

interface TargetOptions {
  /** The query parameter that has the target. */
  readonly parameter: string;
  /** The URL that relative references are resolved against. */
  readonly base: string;
  /** Whether only paths are accepted, which begin with a slash. */
  readonly isPath?: boolean;
}

/**
 * Returns a value of Location: the text with its spaces and characters beyond ASCII escaped, as in every URL. Throws 400
 * that says why a client could be led elsewhere.
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
  if (text === '') return 'is empty: give a path of this service';
  if (text.length > maxLength) return `must be at most ${maxLength} characters`;
  const control = /\p{Cc}|\p{Cs}/u.exec(text);
  if (control !== null) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `has the control character U+${code}, which no URL has`;
  }
  // Browsers drop these, and what follows may be another URL.
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
  if (host === '') return `has the scheme ${protocol} and redirects lead only to ${own}`;
  if (origin !== own) return `leads to ${origin}, and redirects lead only to ${own}`;
  return username + password === '' ? undefined : 'must have no user name and no password';
}
