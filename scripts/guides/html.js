/** Text as it stands in HTML. */

/** @param {string} text */
export function escapeHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * The fragment by which a heading is linked to, as GitHub makes it.
 *
 * @param {string} heading As it is read, without markup
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

/** Stands for the host of the service until a page is sent: `placeholderHost` in src/http/caching/addressed-content.ts. */
const placeholderHost = 'base-url.invalid';

/**
 * The documentation calls the reader's service by one address, in whose place comes the one it is asked at.
 *
 * @param {string} text
 */
export function withPlaceholders(text) {
  return text.replaceAll('localhost:3000', placeholderHost);
}
