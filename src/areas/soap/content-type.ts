/** The parameters of a Content-Type header (RFC 9110 sections 5.6.6 and 8.3.1). */

const parameter = /;[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/g;

/** The first parameter of that name, which is lower-case here and any case there; unquoted. */
export function contentTypeParameter(contentType: string, name: string): string | undefined {
  for (const [, sent = '', quoted, plain] of contentType.matchAll(parameter)) {
    if (sent.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? plain;
  }
  return undefined;
}
