/** Counts the tokens of a document and the depth of its brackets, before it is parsed. */

export interface DocumentScan {
  /** Exactly the number that a parser would read from a well-formed document. */
  readonly tokens: number;
  readonly nesting: number;
}

const parts = [
  /[\t\n\r ,\ufeff]+/,
  /#[^\n\r]*/, // a comment
  /[A-Za-z_]\w*/, // a name
  /[-\d](?:[\w.]|(?<=[eE])[-+])*/, // a number, with its sign, fraction and exponent
  /"""(?:[^\\"]|\\"""|\\|"(?!""))*(?:""")?/, // a block string, which may lack its end
  /"(?:[^\\"\n\r]|\\[\s\S]?)*"?/, // a string, which ends with its line when it is malformed
  /\.\.\./,
  /[\s\S]/, // any other character
];
const part = new RegExp(parts.map(({ source }) => source).join('|'), 'y');

export function scanDocument(text: string): DocumentScan {
  let tokens = 0;
  let depth = 0;
  let nesting = 0;
  for (let start = 0; start < text.length; start = part.lastIndex) {
    part.lastIndex = start;
    part.test(text);
    const first = text[start] as string;
    if ('\t\n\r ,\ufeff#'.includes(first)) continue;
    tokens++;
    if ('{[('.includes(first)) nesting = Math.max(nesting, ++depth);
    else if ('}])'.includes(first)) depth--;
  }
  return { tokens, nesting };
}
