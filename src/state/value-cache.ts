/**
 * Values that this process has read, by version, so that what did not change is neither sent nor parsed
 * again, and stays the same object: what others derived from it stays right as well.
 */

interface KnownValue {
  readonly version: string;
  readonly json: string;
  /** Parsed when first used. */
  value: unknown;
}

const maxValues = 5000;
const maxCharacters = 16 * 1024 * 1024;

export class ValueCache {
  /** In order of last use. */
  readonly #known = new Map<string, KnownValue>();
  #characters = 0;

  /** The version that is known under an id; empty when there is none. */
  versionOf(id: string): string {
    return this.#known.get(id)?.version ?? '';
  }

  /** The value of that version, which is either known or in `json`. */
  valueOf(id: string, version: string, json: string | undefined): unknown {
    let known = this.#known.get(id);
    if (known?.version !== version) {
      if (json === undefined) throw new Error(`Version ${version} of ${id} is not known.`);
      known = this.put(id, version, json);
    } else {
      this.#known.delete(id);
      this.#known.set(id, known);
    }
    known.value ??= JSON.parse(known.json);
    return known.value;
  }

  put(id: string, version: string, json: string): KnownValue {
    this.remove(id);
    const known: KnownValue = { version, json, value: undefined };
    this.#known.set(id, known);
    this.#characters += json.length;
    for (const oldest of this.#known.keys()) {
      const isFull = this.#known.size > maxValues || this.#characters > maxCharacters;
      if (!isFull || oldest === id) break;
      this.remove(oldest);
    }
    return known;
  }

  remove(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    this.#characters -= known.json.length;
  }

  clear(): void {
    this.#known.clear();
    this.#characters = 0;
  }
}
