/** Finds the service's URL from a page behind any proxy, by the header's link to its root. */

/** `path` begins with a slash, as in the service's documents. */
export function addressOf(path: string): string {
  const home = document.querySelector<HTMLAnchorElement>('a.site-name');
  if (home === null) throw new Error('The page has no link to the root of the service.');
  return home.href.replace(/\/$/, '') + path;
}

/** Returns the sandbox in the path of the root, after `/s/`, if the page is inside a sandbox. */
export function sandboxOfAddress(): string | undefined {
  return /\/s\/([^/]+)$/.exec(addressOf(''))?.[1];
}

/** Returns whether the path of this page contains the sandbox, so that requests name none. */
export function isInSandbox(): boolean {
  return sandboxOfAddress() !== undefined;
}

/** Returns whether the path of this page acts as an account, so that requests need no key. */
export function isAccountAddress(): boolean {
  return sandboxOfAddress()?.startsWith('~') ?? false;
}
