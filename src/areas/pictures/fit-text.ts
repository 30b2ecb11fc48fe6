/** Breaks text into lines that fit a box. Without a font, widths are conservative estimates. */

export interface TextBox {
  readonly width: number;
  readonly height: number;
  /** Distance of lines, in units of the font size. */
  readonly lineHeight: number;
  /** The largest first. */
  readonly fontSizes: readonly number[];
}

/**
 * Sets the text in the largest size that fits. If none fits, it uses the smallest, and cuts the
 * text with an ellipsis.
 */
export function fitText(text: string, { width, height, lineHeight, fontSizes }: TextBox) {
  let fitted = { lines: [] as string[], fontSize: 0 };
  for (const fontSize of fontSizes) {
    const widthEm = width / fontSize;
    const room = Math.max(1, Math.floor(height / (lineHeight * fontSize)));
    const lines = breakLines(text, widthEm);
    const kept = lines
      .slice(0, room)
      .map((line, index) => cut(line, widthEm, index === room - 1 && lines.length > room));
    fitted = { lines: kept, fontSize };
    if (lines.every((line, index) => line === kept[index])) break;
  }
  return fitted;
}

function breakLines(text: string, widthEm: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > widthEm) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

function cut(line: string, widthEm: number, isContinued: boolean): string {
  if (!isContinued && widthOf(line) <= widthEm) return line;
  const characters = [...line];
  while (characters.length > 0 && widthOf(`${characters.join('')}…`) > widthEm) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** Returns the width in units of the font size, for a bold face. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (/[\s.,:;'’!|ijlI()]/.test(character)) return 0.36;
  if (/[mwMW@%&…—]/.test(character)) return 0.95;
  if (/\p{Lu}/u.test(character)) return 0.74;
  if (/[\u2E80-\uFFFF]|\p{Extended_Pictographic}/u.test(character)) return 1.05;
  return 0.6;
}
