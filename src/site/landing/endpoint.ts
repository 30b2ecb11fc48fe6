/** An endpoint as the front page lists it; its script reads the same. */

export interface Endpoint {
  /** Methods that do the same at the same path stand together. */
  readonly methods: readonly string[];
  readonly path: string;
  readonly summary: string;
  /** Where the reference has it, behind the name of the area. */
  readonly operationId?: string;
  /** The page of the guides that teaches it, where there is one of its own. */
  readonly guide?: string;
}
