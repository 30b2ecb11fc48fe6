/** Cuts a text to `maxLength`, ending in `…`. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const maxListed = 100;
const maxCharacters = 1000;

/** Joins texts by commas, ending in `…` when they are too many or too long. */
export function joinBriefly(texts: readonly unknown[]): string {
  let joined = '';
  for (const [index, text] of texts.entries()) {
    if (index >= maxListed || joined.length > maxCharacters) return `${joined}, …`;
    joined += `${index === 0 ? '' : ', '}${cutText(String(text), maxCharacters)}`;
  }
  return joined;
}
