/** Cuts a text that is longer than `maxLength`, and ends it with `…`. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
