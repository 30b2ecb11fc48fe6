const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/**
 * A request target as clients send it to a server: the path and the query. Through a proxy it arrives
 * with scheme and host before them, which name the server and not the resource (RFC 9112 section 3.2.2).
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(absoluteForm, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
