/** Texts that a page stores in this browser. Browsers that store nothing for a page throw. */

/** Without storage, texts are kept only for this page. */
const ofThisPage = new Map<string, string>();

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return ofThisPage.get(name) ?? null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    ofThisPage.set(name, value);
  }
}
