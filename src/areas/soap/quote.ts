/** Shows something that a caller sent inside a message, however long it is. */

const maxShown = 60;

/** The beginning of a long text. */
export function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** In quotes and on one line. */
export function quote(text: string): string {
  return `'${cut(text).replace(/\s+/g, ' ')}'`;
}
