/** Writes a header name with capitals, such as `User-Agent`. */
export function titleCase(name: string): string {
  return name.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}
