/** Shapes that records have in common, inferred when needed; all sandboxes share one bounded cache of them. */

import { createBoundedCache } from '../../../../base/bounded-cache.js';
import { countShapes, inferShape, type Shape } from './infer-shape.js';
import type { OwnData } from './read-own-data.js';

/** An upper bound, with the maps that a shape has. */
const bytesPerShape = 700;
const maxCacheBytes = 24 * 1024 * 1024;

const shapes = createBoundedCache<Shape>({
  maxEntries: 20_000,
  maxWeight: maxCacheBytes,
  weigh: (shape) => bytesPerShape * countShapes(shape),
});

let sources = 0;

export class ShapesOf {
  readonly #data: OwnData;
  /** Begins the keys of this data. */
  readonly #number = ++sources;

  constructor(data: OwnData) {
    this.#data = data;
  }

  /** Returns the shape of a collection's records, or of a single resource. */
  of(name: string): Shape {
    return shapes.get(`${this.#number} ${name}`, () => inferShape(this.#valuesOf(name)));
  }

  /** Returns the names of the fields of a collection's records. */
  namesOf(name: string): Iterable<string> {
    return this.of(name).properties.keys();
  }

  #valuesOf(name: string): readonly unknown[] {
    const { singles, collections } = this.#data;
    const single = singles.get(name);
    return single === undefined ? (collections.get(name) ?? []) : [single];
  }
}
