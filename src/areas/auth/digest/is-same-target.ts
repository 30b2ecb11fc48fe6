/**
 * Whether the `uri` of Digest credentials is the target of their request (RFC 7616 section 3.4.6).
 * Either may be in absolute form, as proxies send it (RFC 9112 section 3.2.2); the query counts.
 */
export function isSameTarget(uri: string, target: string, host: string): boolean {
  if (uri === target) return true;
  const named = originForm(uri);
  const requested = originForm(target);
  if (named.host !== undefined && named.host !== (requested.host ?? host).toLowerCase())
    return false;
  return named.path === requested.path;
}

function originForm(text: string): { readonly host?: string; readonly path: string } {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(text) ?? [];
  if (host === undefined) return { path: text };
  return { host: host.toLowerCase(), path: rest.startsWith('/') ? rest : `/${rest}` };
}
