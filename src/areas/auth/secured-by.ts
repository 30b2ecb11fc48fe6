import type { SecurityRequirement } from '../../server/area.js';
import type { securitySchemes } from './security-schemes.js';

/** The `security` of a route that takes these, each by itself; `none` lets in without. */
export function securedBy(
  ...names: readonly (keyof typeof securitySchemes | 'none')[]
): readonly SecurityRequirement[] {
  return names.map((name) => (name === 'none' ? {} : { [name]: [] }));
}
