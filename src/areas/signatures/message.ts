/** A message as its signature sees it: what RFC 9421 takes components from. */

export type Field = readonly [name: string, value: string];

export interface SignedRequest {
  readonly kind: 'request';
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** In lower case, without the scheme's own port. */
  readonly authority: string;
  /** As it was sent. */
  readonly target: string;
  /** In the order sent, names as they are written. */
  readonly fields: readonly Field[];
  readonly trailers: readonly Field[];
  readonly body: Buffer;
}

export interface SignedResponse extends Pick<SignedRequest, 'fields' | 'trailers' | 'body'> {
  readonly kind: 'response';
  readonly status: number;
  /** Its response, where that is known. */
  readonly request?: SignedRequest;
}

export type SignedMessage = SignedRequest | SignedResponse;

/** The values of a field, each without the space around it and in one line (RFC 9421 section 2.1). */
export function valuesOf(fields: readonly Field[], name: string): string[] {
  return fields
    .filter(([sent]) => sent.toLowerCase() === name)
    .map(([, value]) => value.replace(/[ \t]*\r?\n[ \t]+/g, ' ').replace(/^[ \t]+|[ \t]+$/g, ''));
}

/** Path and query of a target; the query has its question mark. */
export function partsOf(target: string): { path: string; query: string } {
  const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(.*)$/is.exec(target) ?? [];
  const end = rest.indexOf('?');
  const path = end < 0 ? rest : rest.slice(0, end);
  const query = end < 0 ? '' : rest.slice(end);
  return { path: path === '' && (origin !== '' || query !== '') ? '/' : path || '/', query };
}

/** The address without its scheme's own port. */
export function normalAuthority(host: string, scheme: 'http' | 'https'): string {
  return host.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '');
}
