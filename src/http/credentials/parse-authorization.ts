/** The Authorization header as RFC 9110 section 11.6.2 has it: a scheme, then its credentials. */

export interface Authorization {
  /** In lower case: schemes are compared so. */
  readonly scheme: string;
  /** Without the spaces around; empty when nothing follows the scheme. */
  readonly credentials: string;
}

/** Splits at the first space; neither part has been checked for its characters. */
export function parseAuthorization(header: string): Authorization {
  const space = header.indexOf(' ');
  if (space < 0) return { scheme: header.toLowerCase(), credentials: '' };
  return {
    scheme: header.slice(0, space).toLowerCase(),
    credentials: header.slice(space + 1).trim(),
  };
}
