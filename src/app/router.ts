/** Routes by path first, then by method, so that a known path responds to every method. */

import FindMyWay from 'find-my-way';
import { type Endpoint, methodsOf } from '#kit/endpoint.js';

/** Longer path segments get 414. */
const maxSegmentCharacters = 2000;

export interface Place<Value> {
  readonly path: string;
  /** By method, including the HEAD of GET. */
  readonly byMethod: ReadonlyMap<string, Value>;
  /** Sorted, as in `Allow`. */
  readonly methods: readonly string[];
}

export interface Found<Value> {
  readonly place: Place<Value>;
  readonly params: Readonly<Record<string, string | undefined>>;
}

export type Unroutable = 'malformed' | 'too long';

export class Router<Value> {
  readonly #places = new Map<string, Place<Value>>();
  /** Places whose path has no parameter, so that only this target reaches them. */
  readonly #literal = new Map<string, Place<Value>>();
  // Created for the first path that differs from its declaration, because creating it needs a tenth
  // of the start.
  #byPattern: ReturnType<typeof FindMyWay> | undefined;

  #makeByPattern(): ReturnType<typeof FindMyWay> {
    const router = FindMyWay({
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: maxSegmentCharacters,
      querystringParser: () => noParams,
      onBadUrl: malformed,
      onMaxParamLength: tooLong,
    });
    // One method represents all, because only the path matters here.
    for (const place of this.#places.values()) {
      router.on('GET', patternOf(place.path), handled, place);
    }
    return router;
  }

  get paths(): Iterable<string> {
    return this.#places.keys();
  }

  /** Adds all endpoints of an area. Throws if another area has one of their paths. */
  add(endpoints: readonly Endpoint[], make: (endpoint: Endpoint) => Value): void {
    for (const [path, byMethod] of methodsByPath(endpoints, make)) {
      if (this.#places.has(path)) throw new Error(`${path} has routes of two areas.`);
      const place = { path, byMethod, methods: [...byMethod.keys()].sort() };
      this.#places.set(path, place);
      if (!patternCharacter.test(path)) this.#literal.set(path, place);
    }
  }

  find(target: string): Found<Value> | Unroutable | undefined {
    const end = target.indexOf('?');
    // Most paths are spelled as declared. A target that spells a pattern has parameters like others.
    const place = this.#literal.get(end < 0 ? target : target.slice(0, end));
    if (place !== undefined) return { place, params: noParams };
    this.#byPattern ??= this.#makeByPattern();
    const found = this.#byPattern.find('GET', target);
    if (found === null) return undefined;
    const { store, handler, params } = found;
    if (store !== null) return { place: store, params };
    return (handler as unknown as () => Unroutable)();
  }

  methodsAt(target: string): readonly string[] | undefined {
    const found = this.find(target);
    return typeof found === 'object' ? found.place.methods : undefined;
  }
}

/** A parameter before a colon ends there. */
const patternOf = (path: string) => path.replace(/:(\w+)::/g, ':$1([^:]+)::');

const patternCharacter = /[:*]/;
const noParams = {};
const handled = () => undefined;
const malformed = (() => 'malformed') as never;
const tooLong = (() => 'too long') as never;

function methodsByPath<Value>(
  endpoints: readonly Endpoint[],
  make: (endpoint: Endpoint) => Value,
): ReadonlyMap<string, ReadonlyMap<string, Value>> {
  const found = new Map<string, Map<string, Value>>();
  for (const endpoint of endpoints) {
    const byMethod = found.get(endpoint.path) ?? new Map<string, Value>();
    found.set(endpoint.path, byMethod);
    const value = make(endpoint);
    for (const method of methodsOf(endpoint)) {
      // An explicit HEAD replaces the HEAD of GET.
      if (!byMethod.has(method) || endpoint.methods.includes(method)) byMethod.set(method, value);
    }
  }
  return found;
}
