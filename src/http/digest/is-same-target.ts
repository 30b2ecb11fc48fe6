/**
 * Returns whether the `uri` of Digest credentials is the target of their request (RFC 7616 section
 * 3.4.6). Through a proxy either may be in absolute form, and the target may lack the path of the
 * base URL. Nothing is normalized.
 */
export function isSameTarget(uri: string, target: string, baseUrl: string): boolean {
  if (uri === target) return true;
  const named = split(uri);
  const requested = split(target);
  const base = split(baseUrl);
  if (named.host !== undefined && named.host !== (requested.host ?? base.host)) return false;
  const prefix = base.path.replace(/\/$/, '');
  return named.path === requested.path || named.path === prefix + requested.path;
}

function split(text: string): { readonly host?: string; readonly path: string } {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (host === undefined) return { path: text };
  return { host: host.toLowerCase(), path: rest.startsWith('/') ? rest : `/${rest}` };
}
