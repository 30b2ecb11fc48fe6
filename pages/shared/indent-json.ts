/**
 * Indents JSON. Only white space changes, so numbers keep all their digits, and repeated names are
 * kept; parsing and writing would lose them.
 */

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Deeper structures are not shifted further to the right. */
const maxIndent = 40;

/** Returns `undefined` if the text is not JSON. */
export function indentJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(token) ?? [];
  const parts: string[] = [];
  let depth = 0;
  const newLine = () => parts.push('\n', '  '.repeat(Math.min(depth, maxIndent)));
  for (const [index, each] of tokens.entries()) {
    const next = tokens[index + 1];
    if (each === '{' || each === '[') {
      parts.push(each);
      depth += 1;
      if (next !== '}' && next !== ']') newLine();
    } else if (each === '}' || each === ']') {
      depth -= 1;
      const previous = tokens[index - 1];
      if (previous !== '{' && previous !== '[') newLine();
      parts.push(each);
    } else if (each === ',') {
      parts.push(each);
      newLine();
    } else {
      parts.push(each === ':' ? ': ' : each);
    }
  }
  return parts.join('');
}
