/** Converts entered text to a path of this service. */

const fullAddress = /^[a-z][a-z\d+.-]*:\/\//i;

/** A URL without a scheme, such as `localhost:3000/api` or `:3000/api`. */
const bareAddress = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])?(?::\d+)?(?=[/?#]|$)/i;

/** The address of the service in the documentation, in all its spellings. */
const ofDocumentation = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):3000$/i;

const thisComputer = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/i;

/**
 * Returns the path with its query, beginning with a slash; undefined for the URL of another
 * service. `root` is the URL of this service, ending in a slash. A path is unchanged, so that
 * unusual ones can be tried.
 */
export function pathOf(typed: string, root: string): string | undefined {
  const text = typed.trim();
  const { pathname, host, protocol } = new URL(root);
  // Responses show such paths if the service is below a prefix, such as that for a sandbox.
  if (pathname !== '/' && text.startsWith(pathname)) return `/${text.slice(pathname.length)}`;
  const address = fullAddress.test(text) ? text : withScheme(text, host, protocol);
  if (address === undefined) return `/${text.replace(/^\/+/, '')}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const whole = url.hash === '' ? url.href : url.href.slice(0, -url.hash.length);
  if (`${whole}/` === root) return '/';
  if (whole.startsWith(root)) return `/${whole.slice(root.length)}`;
  return isOwn(url, new URL(root)) ? whole.slice(url.origin.length) : undefined;
}

function withScheme(text: string, host: string, protocol: string): string | undefined {
  const [bare = ''] = bareAddress.exec(text) ?? [];
  if (bare !== '') return `http://${bare.startsWith(':') ? 'localhost' : ''}${text}`;
  const isOwnHost = text.toLowerCase().startsWith(`${host.toLowerCase()}/`) || text === host;
  return isOwnHost ? `${protocol}//${text}` : undefined;
}

/** Returns whether a URL of the documentation, or of this computer, means this service. */
function isOwn({ protocol, host, hostname, port }: URL, root: URL): boolean {
  if (protocol !== 'http:') return false;
  const isSamePort = thisComputer.test(hostname) && port === root.port;
  return ofDocumentation.test(host) || (isSamePort && thisComputer.test(root.hostname));
}
