/** The contents of a single file; in the tree they are on the disk. `npm run build:single` replaces this module. */

interface Packed {
  /** By their paths in the package, compressed by Brotli, in Base64. */
  readonly files: Readonly<Record<string, string>>;
  /** The CommonJS packages that `requireLazily` loads, by name. */
  readonly packages: Readonly<Record<string, () => unknown>>;
}

export const packed = undefined as Packed | undefined;
