import { createRequire } from 'node:module';
import { lazily } from './lazily.js';

const require = createRequire(import.meta.url);

/**
 * A package that only some requests need, loaded synchronously by the first that does: what no one
 * asks for costs neither start-up time nor memory. For packages that are CommonJS; others take
 * `await import()`.
 */
export function requireLazily<Package>(name: string): () => Package {
  return lazily(() => require(name) as Package);
}
