/** Finds faults of multipart/form-data that parsers ignore: RFC 7578, RFC 2046 section 5.1.1. */

/** A part, by places in the body. */
export interface Part {
  /** Content-Type of the part, if any. */
  readonly contentType: string | undefined;
  readonly name: string | undefined;
  readonly isFile: boolean;
  /** The beginning of white space after the boundary. */
  readonly padding: number;
  readonly head: number;
  readonly content: number;
  readonly end: number;
}

/** The same limit as for the headers of a request. */
const maxHeadBytes = 16 * 1024;

/** Returns the parts in order; throws an `Error` that says what is wrong and where. */
export function scanMultipart(bytes: Buffer, boundary: string): Part[] {
  if (boundary === '') throw malformed('the boundary in its Content-Type is empty');
  const delimiter = `--${boundary}`;
  let index = firstDelimiter(bytes, boundary);
  const parts: Part[] = [];
  for (;;) {
    const end = index + delimiter.length;
    if (bytes.toString('latin1', end, end + 2) === '--') break;
    const start = lineAfter(bytes, end, delimiter);
    const next = bytes.indexOf(`\r\n${delimiter}`, Math.max(start - 2, 0), 'latin1');
    if (next < 0) throw malformed(`it must end with ${quote(`${delimiter}--`)}, which is missing`);
    const head = headOf(bytes, start, next, parts.length + 1);
    parts.push({ ...head, padding: end, head: start, end: next });
    index = next + 2;
  }
  if (parts.length === 0) throw malformed('it has no parts');
  return parts;
}

function firstDelimiter(bytes: Buffer, boundary: string): number {
  const delimiter = `--${boundary}`;
  if (bytes.indexOf(delimiter, 0, 'latin1') === 0) return 0;
  const [first = ''] = bytes.toString('latin1', 0, 200).split(/\r?\n/, 1);
  const shown = quote(first);
  if (first === boundary || first === `-${boundary}`) {
    throw malformed(`its first line is ${shown}; the boundary must follow two hyphens`);
  }
  const later = bytes.indexOf(`\r\n${delimiter}`, 0, 'latin1');
  if (later >= 0) return later + 2;
  if (bytes.indexOf(`\n${delimiter}`, 0, 'latin1') >= 0) throw lineEnds();
  if (!first.startsWith('--')) throw malformed(`it must begin with ${quote(delimiter)}`);
  throw malformed(`its boundary is ${shown}, but its Content-Type has ${quote(delimiter)}`);
}

/** Returns the next line; white space may follow a delimiter: transport padding. */
function lineAfter(bytes: Buffer, end: number, delimiter: string): number {
  let index = end;
  while (bytes[index] === 0x20 || bytes[index] === 0x09) index++;
  if (bytes[index] === 0x0a) throw lineEnds();
  if (index >= bytes.length) {
    throw malformed(`it must end with ${quote(`${delimiter}--`)}, which is missing`);
  }
  if (bytes[index] !== 0x0d || bytes[index + 1] !== 0x0a) {
    throw malformed(`a line that begins with ${quote(delimiter)} has more text after it`);
  }
  return index + 2;
}

function headOf(bytes: Buffer, start: number, next: number, number: number) {
  const blank = bytes.indexOf('\r\n\r\n', Math.max(start - 2, 0), 'latin1');
  if (blank < 0 || blank > next) {
    const hasBareLines = bytes.subarray(start, next).includes('\n\n');
    if (hasBareLines) throw lineEnds();
    throw malformed(`part ${number} has no empty line after its headers`);
  }
  if (blank - start > maxHeadBytes) {
    throw malformed(`the headers of part ${number} have more than ${maxHeadBytes} bytes`);
  }
  const lines = bytes.toString('latin1', start, blank).split('\r\n');
  return { ...readHead(lines, number), content: Math.min(blank + 4, next) };
}

const singleHeaders = ['Content-Disposition', 'Content-Type'] as const;

function readHead(lines: readonly string[], number: number) {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', space = '', value = ''] = /^([^:\s]+)([ \t]*):(.*)$/s.exec(line) ?? [];
    if (space !== '') throw malformed(`part ${number} has white space before the colon of ${name}`);
    const single = singleHeaders.find((each) => each.toLowerCase() === name.toLowerCase());
    if (single === undefined) continue;
    if (found.has(single)) throw malformed(`part ${number} has more than one ${single}`);
    found.set(single, value.trim());
  }
  const disposition = found.get('Content-Disposition');
  if (disposition === undefined) throw malformed(`part ${number} has no Content-Disposition`);
  const kind = disposition.split(';', 1)[0]?.trim() ?? '';
  if (kind.toLowerCase() !== 'form-data') {
    throw malformed(`the Content-Disposition of part ${number} is ${quote(kind)}, not form-data`);
  }
  const parameters = readParameters(disposition, number);
  const isFile = parameters.has('filename') || parameters.has('filename*');
  return { contentType: found.get('Content-Type'), name: parameters.get('name'), isFile };
}

const parameter = /;\s*([^=;\s"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs;

/** A name that comes twice would be read differently by different servers. */
function readParameters(disposition: string, number: number): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of disposition.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (values.has(key)) {
      throw malformed(`the Content-Disposition of part ${number} has more than one ${key}`);
    }
    values.set(key, quoted ?? plain.trim());
  }
  return values;
}

const lineEnds = () => malformed('its lines end with LF; they must end with CRLF');

const quote = (text: string) => JSON.stringify(text.slice(0, 100));

export function malformed(what: string): Error {
  return new Error(`Malformed multipart body: ${what}.`);
}
