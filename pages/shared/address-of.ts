/** Where the service is, seen from a page of it, wherever a proxy has put both: the header links to its root. */

/** `path` begins with a slash, as it does in the documents of the service. */
export function addressOf(path: string): string {
  const home = document.querySelector<HTMLAnchorElement>('a.site-name');
  if (home === null) throw new Error('The page has no link to the root of the service.');
  return home.href.replace(/\/$/, '') + path;
}

/** What the root's address names after `/s/`, where the page is inside a sandbox. */
export function sandboxOfAddress(): string | undefined {
  return /\/s\/([^/]+)$/.exec(addressOf(''))?.[1];
}

/** Whether the address of this page has the sandbox in it, so that requests name none. */
export function isInSandbox(): boolean {
  return sandboxOfAddress() !== undefined;
}

/** Whether the address of this page stands for an account, so that requests need no key. */
export function isAccountAddress(): boolean {
  return sandboxOfAddress()?.startsWith('~') ?? false;
}
