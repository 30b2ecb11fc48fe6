/** A message with the parts that RFC 9421 derives components from. */

import { lazily } from '#base/lazily.js';
import type { MessageFields } from './message-fields.js';

interface Content {
  readonly fields: MessageFields;
  readonly trailers: MessageFields;
  readonly body: Buffer;
}

export interface SignedRequest extends Content {
  readonly kind: 'request';
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** In lower case, without the default port of the scheme. */
  readonly authority: string;
  /** The request target, unchanged. */
  readonly target: string;
  /** Values by name. Both are percent-encoded as RFC 9421 section 2.2.8 demands. */
  readonly queryParameters: () => ReadonlyMap<string, readonly string[]>;
}

export interface SignedResponse extends Content {
  readonly kind: 'response';
  readonly status: number;
  /** The request that this response belongs to, if known. */
  readonly request?: SignedRequest;
}

export type SignedMessage = SignedRequest | SignedResponse;

/** Returns path and query of a target; the query includes its question mark. */
export function partsOf(target: string): { path: string; query: string } {
  const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(.*)$/is.exec(target) ?? [];
  const end = rest.indexOf('?');
  const path = end < 0 ? rest : rest.slice(0, end);
  const query = end < 0 ? '' : rest.slice(end);
  return { path: path === '' && (origin !== '' || query !== '') ? '/' : path || '/', query };
}

/** Parses the query of a target lazily, and only once. */
export function queryParametersOf(target: string): SignedRequest['queryParameters'] {
  return lazily(() => {
    const parameters = new Map<string, string[]>();
    for (const [name, value] of new URLSearchParams(partsOf(target).query)) {
      const key = percentEncoded(name);
      const earlier = parameters.get(key);
      if (earlier === undefined) parameters.set(key, [percentEncoded(value)]);
      else earlier.push(percentEncoded(value));
    }
    return parameters;
  });
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
