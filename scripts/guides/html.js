/** Escapes text for HTML. */

/** @param {string} text */
export function escapeHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Returns the fragment of a heading, as GitHub does.
 *
 * @param {string} heading Without markup
 * @param {Set<string>} used Fragments of the page so far; the new one is added
 */
export function anchorOf(heading, used) {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  let anchor = slug;
  for (let count = 1; used.has(anchor); count++) anchor = `${slug}-${count}`;
  used.add(anchor);
  return anchor;
}

/**
 * Replaced by the host of the service when a page is sent: `placeholderHost` in
 * src/http/caching/addressed-content.ts.
 */
const placeholderHost = 'base-url.invalid';

/**
 * Replaces the documentation's URL of the reader's service by the placeholder.
 *
 * @param {string} text
 */
export function withPlaceholders(text) {
  return text.replaceAll('localhost:3000', placeholderHost);
}
