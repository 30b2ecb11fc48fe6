/** Parses the sizes of chunks in a query. */

export const maxChunks = 100;
export const maxChunkBytes = 64 * 1024;

/** Returns `undefined` for invalid text. Rejects 0, because an empty chunk would end the body. */
export function parseSizes(text: string): readonly number[] | undefined {
  const sizes = text.split(',').map((size) => size.trim());
  if (sizes.length > maxChunks || !sizes.every((size) => /^\d{1,6}$/.test(size))) return undefined;
  const numbers = sizes.map(Number);
  return numbers.every((size) => size >= 1 && size <= maxChunkBytes) ? numbers : undefined;
}
