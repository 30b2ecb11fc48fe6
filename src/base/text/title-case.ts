/** A name of a header, each word of which begins with a capital: `User-Agent`. */
export function titleCase(name: string): string {
  return name.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}
