/** What a page remembers in this browser. Browsers that keep nothing for a page throw when asked. */

/** Where the browser keeps nothing, what is remembered holds for this page alone. */
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
