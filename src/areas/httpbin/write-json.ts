/** JSON as httpbin writes it: only ASCII, in one of the two forms that Python's `json` module produces there. */

import { turns } from '../../server/work-in-turns.js';

interface Layout {
  readonly isSorted: boolean;
  /** Spaces for each level; on one line without it. */
  readonly indent?: number;
}

const indented: Layout = { isSorted: true, indent: 2 };
const onOneLine: Layout = { isSorted: true };

/** Longer texts are written on one line: indentation makes 500 MB of a deeply nested body of 1 MiB. */
const maxIndentedLength = 8 * 1024 * 1024;

/** Members that are written before others get a turn. */
const membersPerSlice = 1000;

/** Writes whole responses: members sorted by name, two spaces for each level, a line feed at the end. */
export function writeJson(value: unknown): string {
  const writing = writeWhole(value);
  for (;;) {
    const { done, value: slices } = writing.next();
    if (done === true) return slices.join('');
  }
}

/** Writes a large response like {@link writeJson}, in slices, so that other requests get responses in between. */
export async function writeJsonInTurns(value: unknown): Promise<Buffer> {
  const writing = writeWhole(value);
  for (;;) {
    await turns.whenFree();
    const { done, value: slices } = writing.next();
    if (done === true) return Buffer.concat(slices.map((slice) => Buffer.from(slice)));
  }
}

/** Writes the lines of streams: members in their order, a space after each comma and colon. */
export function writeJsonLine(value: unknown): string {
  return `${[...slicesOf(value, { isSorted: false })].join('')}\n`;
}

/** Returns the slices of the text; yields after each of them. */
function* writeWhole(value: unknown): Generator<undefined, string[]> {
  for (const layout of [indented, onOneLine]) {
    const slices: string[] = [];
    let length = 0;
    for (const slice of slicesOf(value, layout)) {
      slices.push(slice);
      length += slice.length;
      yield;
      if (layout === indented && length > maxIndentedLength) break;
    }
    if (layout === onOneLine || length <= maxIndentedLength) return [...slices, '\n'];
  }
  return [];
}

/** An object or list whose members are being written. */
interface Opened {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly count: number;
  /** The number of members that are written. */
  written: number;
  /** The line feed and indentation of the line on which it begins. */
  readonly lineStart: string;
}

/** Without recursion: a generator in a generator for each level would pass every slice up through all of them. */
function* slicesOf(value: unknown, layout: Layout): Generator<string> {
  const stack: Opened[] = [];
  let text = begin(value, '', layout, stack);
  for (let steps = 1; stack.length > 0; steps++) {
    text += writeNext(stack, layout);
    if (steps % membersPerSlice === 0) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** Writes the next member of the innermost object or list, or its end. */
function writeNext(stack: Opened[], layout: Layout): string {
  const top = stack.at(-1) as Opened;
  const { value, names, count, lineStart } = top;
  const close = names === undefined ? ']' : '}';
  if (top.written === count) {
    stack.pop();
    return `${lineStart}${close}`;
  }
  const inner =
    layout.indent === undefined ? '' : `${lineStart || '\n'}${' '.repeat(layout.indent)}`;
  const separator = top.written === 0 ? inner : layout.indent === undefined ? ', ' : `,${inner}`;
  const name = names?.[top.written];
  const member = value[name ?? top.written];
  top.written++;
  const label = name === undefined ? '' : `${quote(name)}: `;
  return `${separator}${label}${begin(member, inner, layout, stack)}`;
}

/** Writes a value that has no members, and the first bracket of another, which it adds to the stack. */
function begin(value: unknown, lineStart: string, layout: Layout, stack: Opened[]): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const names = Array.isArray(value) ? undefined : namesOf(value, layout);
  const count = Array.isArray(value) ? value.length : (names?.length ?? 0);
  if (count === 0) return names === undefined ? '[]' : '{}';
  const start = layout.indent === undefined ? '' : lineStart || '\n';
  stack.push({ value: value as Opened['value'], names, count, written: 0, lineStart: start });
  return names === undefined ? '[' : '{';
}

function namesOf(value: object, { isSorted }: Layout): string[] {
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return isSorted ? names.sort() : names;
}

const firstEscaped = 0x7f;
const anyEscaped = /[\x7f-\uffff]/;
const hexDigits = Buffer.from('0123456789abcdef');

function quote(text: string): string {
  const json = JSON.stringify(text);
  return anyEscaped.test(json) ? escapeNonAscii(json) : json;
}

/** A loop over bytes: a replacement function that is called for each character takes ten times as long. */
function escapeNonAscii(json: string): string {
  const bytes = Buffer.allocUnsafe(6 * json.length);
  let length = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit < firstEscaped) {
      bytes[length++] = unit;
      continue;
    }
    bytes[length++] = 0x5c;
    bytes[length++] = 0x75;
    for (let shift = 12; shift >= 0; shift -= 4) {
      bytes[length++] = hexDigits[(unit >> shift) & 0xf] ?? 0;
    }
  }
  return bytes.toString('latin1', 0, length);
}
