import type { SecurityRequirement } from '../../kit/endpoint.js';
/** The `security` of a route that accepts these schemes, each by itself; `none` lets in without. */
export function securedBy(...names: readonly string[]): readonly SecurityRequirement[] {
  return names.map((name) => (name === 'none' ? {} : { [name]: [] }));
}
