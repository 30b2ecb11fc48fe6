/** Compares the outcomes of a request. */

export interface ShownResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of JSON, or text. */
  readonly body: unknown;
}

export interface Outcome extends ShownResponse {
  /** Everything that the request wrote. */
  readonly state: unknown;
  /** A later response, which shows what the request has stored. */
  readonly later?: ShownResponse;
}

/** More are not needed to tell outcomes apart. */
const maxDifferences = 500;
const maxDepth = 60;

/** Returns the paths of members that differ, such as `body.items.0.id`. */
export function differencesOf(one: Outcome, other: Outcome): ReadonlySet<string> {
  const found = new Set<string>();
  collect(one, other, { path: '', depth: 0, found });
  return found;
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly found: Set<string>;
}

function collect(one: unknown, other: unknown, { path, depth, found }: Place): void {
  if (one === other || found.size >= maxDifferences) return;
  const isComparable = isObject(one) && isObject(other) && depth < maxDepth;
  if (!isComparable || isOtherShape(one, other)) {
    found.add(path);
    return;
  }
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const inner = path === '' ? name : `${path}.${name}`;
    collect(one[name], other[name], { path: inner, depth: depth + 1, found });
  }
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isOtherShape(one: Members, other: Members): boolean {
  if (Array.isArray(one) !== Array.isArray(other)) return true;
  return Array.isArray(one) && Array.isArray(other) && one.length !== other.length;
}

/** Removes the members that also differ between two right outcomes, such as random ids. */
export function withoutVolatile(
  found: ReadonlySet<string>,
  volatile: ReadonlySet<string>,
): readonly string[] {
  if (volatile.size === 0) return [...found];
  return [...found].filter((path) => !isBelowAny(path, volatile));
}

function isBelowAny(path: string, others: ReadonlySet<string>): boolean {
  if (others.has(path)) return true;
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    if (others.has(path.slice(0, dot))) return true;
  }
  return false;
}
