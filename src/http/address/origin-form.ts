const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/**
 * Returns the path and query of a request target. Through a proxy it arrives with scheme and host, which name the
 * server and not the resource (RFC 9112 section 3.2.2).
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(absoluteForm, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
