/** What a page remembers in this browser. Browsers that keep nothing for a page throw when asked. */

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds for this page alone then.
  }
}
