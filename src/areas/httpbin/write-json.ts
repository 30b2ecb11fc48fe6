/** JSON as httpbin writes it: ASCII alone, in one of the two forms that Python's `json` module gives there. */

/** What is written after and inside of objects and lists. */
interface Layout {
  readonly isSorted: boolean;
  /** Spaces for each level; on one line without it. */
  readonly indent?: number;
}

/** Of whole responses: members by name, two spaces for each level, a line feed at the end. */
export function writeJson(value: unknown): string {
  return `${write(value, { isSorted: true, indent: 2 }, '\n')}\n`;
}

/** Of the lines of a stream: members as they stand, a space after each comma and colon. */
export function writeJsonLine(value: unknown): string {
  return `${write(value, { isSorted: false }, '')}\n`;
}

/** `lineStart` is the line feed and the indentation of where the value begins. */
function write(value: unknown, layout: Layout, lineStart: string): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const { indent = 0, isSorted } = layout;
  const isMultiline = layout.indent !== undefined;
  const inner = lineStart + ' '.repeat(indent);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => write(item, layout, inner))
    : members(value, isSorted).map(([name, member]) => {
        return `${quote(name)}: ${write(member, layout, inner)}`;
      });
  if (items.length === 0) return `${open}${close}`;
  return `${open}${inner}${items.join(isMultiline ? `,${inner}` : ', ')}${lineStart}${close}`;
}

function members(value: object, isSorted: boolean): [string, unknown][] {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return isSorted ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : entries;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
