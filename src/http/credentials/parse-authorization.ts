/** The Authorization header (RFC 9110 section 11.6.2): a scheme, then its credentials. */

export interface Authorization {
  /** In lower case, because schemes are case-insensitive. */
  readonly scheme: string;
  /** Without surrounding spaces; empty if nothing follows the scheme. */
  readonly credentials: string;
}

/** Splits at the first space; does not check the characters. */
export function parseAuthorization(header: string): Authorization {
  const space = header.indexOf(' ');
  if (space < 0) return { scheme: header.toLowerCase(), credentials: '' };
  return {
    scheme: header.slice(0, space).toLowerCase(),
    credentials: header.slice(space + 1).trim(),
  };
}
