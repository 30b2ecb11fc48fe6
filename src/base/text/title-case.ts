/** Writes a header name with capitals, such as `User-Agent`. */
export function titleCase(name: string): string {
  let cased = '';
  let isInWord = false;
  for (let index = 0; index < name.length; index++) {
    const letter = name.charCodeAt(index);
    const isUpper = letter >= 0x41 && letter <= 0x5a;
    const isLower = letter >= 0x61 && letter <= 0x7a;
    if (isInWord && isUpper) cased += String.fromCharCode(letter + 0x20);
    else if (!isInWord && isLower) cased += String.fromCharCode(letter - 0x20);
    else cased += name[index];
    isInWord = isUpper || isLower;
  }
  return cased;
}
