/** Converts entered text to a path of this service. */

const fullAddress = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * Returns the path with its query, beginning with a slash; undefined for the URL of another
 * service. `root` is the URL of this service, ending in a slash. A path is unchanged, so that
 * unusual ones can be tried.
 */
export function pathOf(typed: string, root: string): string | undefined {
  const text = typed.trim();
  const { pathname } = new URL(root);
  // Responses show such paths if the service is below a prefix, such as that for a sandbox.
  if (pathname !== '/' && text.startsWith(pathname)) return `/${text.slice(pathname.length)}`;
  if (!fullAddress.test(text)) return `/${text.replace(/^\/+/, '')}`;
  if (!URL.canParse(text)) return undefined;
  const { href, hash } = new URL(text);
  const address = hash === '' ? href : href.slice(0, -hash.length);
  if (`${address}/` === root) return '/';
  return address.startsWith(root) ? `/${address.slice(root.length)}` : undefined;
}
