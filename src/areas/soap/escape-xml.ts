/** Text as it is written between tags and inside double quotes (XML 1.0 sections 2.2 and 2.4). */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const everySpecial = new RegExp(special, 'gu');

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // As itself it would be read as a line feed.
  '\r': '&#13;',
};

/** What XML 1.0 cannot hold at all becomes a replacement character. */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(everySpecial, (character) => references[character] ?? '\ufffd');
}
