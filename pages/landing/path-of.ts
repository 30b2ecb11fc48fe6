/** What someone typed or pasted, as a path of this service. */

const fullAddress = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * The path with its query, beginning with a slash; undefined for the address of another service. `root`
 * is the address of this one, ending in a slash. A path is taken as it is, so that odd ones can be tried.
 */
export function pathOf(typed: string, root: string): string | undefined {
  const text = typed.trim();
  const { pathname } = new URL(root);
  // As answers show it, where the service lies below a path, such as that of a sandbox.
  if (pathname !== '/' && text.startsWith(pathname)) return `/${text.slice(pathname.length)}`;
  if (!fullAddress.test(text)) return `/${text.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) return undefined;
  const { href, hash } = new URL(text);
  const address = hash === '' ? href : href.slice(0, -hash.length);
  if (`${address}/` === root) return '/';
  return address.startsWith(root) ? `/${address.slice(root.length)}` : undefined;
}
