import { createRequire } from 'node:module';
import { lazily } from './lazily.js';
import { packed } from './package/packed.js';

const require = createRequire(import.meta.url);

/** Loads a CommonJS package on first use. For other packages, use `await import()`. */
export function requireLazily<Package>(name: string): () => Package {
  return lazily(() => (packed?.packages[name]?.() ?? require(name)) as Package);
}
