/** Where the service is, seen from a page of it, wherever a proxy has put both: the header links to its root. */

/** `path` begins with a slash, as it does in the documents of the service. */
export function addressOf(path: string): string {
  const home = document.querySelector<HTMLAnchorElement>('a.site-name');
  if (home === null) throw new Error('The page has no link to the root of the service.');
  return home.href.replace(/\/$/, '') + path;
}
