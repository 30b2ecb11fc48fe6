/** Escapes text inside elements and attributes of XML and HTML. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeMarkup(text: unknown): string {
  return String(text).replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

/** Escapes single quotes too, for attributes in single quotes. */
export function escapeQuotedMarkup(text: unknown): string {
  return escapeMarkup(text).replaceAll("'", '&#39;');
}
