/** Comparison of entity tags: RFC 9110 sections 8.8.3.2 and 13.1.2. */

const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether the list of an If-None-Match header holds `tag` (with its quotes) or is `*`. The comparison
 * is the weak one, as that header wants it.
 */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const tags = header.match(entityTags) ?? [];
  return tags.some((listed) => opaque(listed) === opaque(tag));
}

/**
 * Whether the list of an If-Match header (RFC 9110 section 13.1.1) holds `tag` or is `*`. The
 * comparison is the strong one: a weak tag equals none.
 */
export function matchesStrongEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const tags: readonly string[] = header.match(entityTags) ?? [];
  return !tag.startsWith('W/') && tags.includes(tag);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
