/** Finds faults of multipart/form-data that parsers ignore: RFC 7578, RFC 2046 section 5.1.1. */

interface PartHead {
  /** Content-Type of the part, if any. */
  readonly contentType: string | undefined;
}

/** The same limit as for the headers of a request. */
const maxHeadBytes = 16 * 1024;

/** Returns the heads of the parts in order; throws an `Error` that says what is wrong and where. */
export function scanMultipart(bytes: Buffer, boundary: string): PartHead[] {
  if (boundary === '') throw malformed('the boundary in its Content-Type is empty');
  const delimiter = `--${boundary}`;
  let place = firstDelimiter(bytes, boundary);
  const heads: PartHead[] = [];
  for (;;) {
    const end = place + delimiter.length;
    if (bytes.toString('latin1', end, end + 2) === '--') break;
    const start = lineAfter(bytes, end, delimiter);
    const next = bytes.indexOf(`\r\n${delimiter}`, Math.max(start - 2, 0), 'latin1');
    if (next < 0) throw malformed(`it must end with ${quote(`${delimiter}--`)}, which is missing`);
    heads.push(headOf(bytes, start, next, heads.length + 1));
    place = next + 2;
  }
  if (heads.length === 0) throw malformed('it has no parts');
  return heads;
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

/** Returns the next line; white space may follow a delimiter. */
function lineAfter(bytes: Buffer, end: number, delimiter: string): number {
  let place = end;
  while (bytes[place] === 0x20 || bytes[place] === 0x09) place++;
  if (bytes[place] === 0x0a) throw lineEnds();
  if (place >= bytes.length) {
    throw malformed(`it must end with ${quote(`${delimiter}--`)}, which is missing`);
  }
  if (bytes[place] !== 0x0d || bytes[place + 1] !== 0x0a) {
    throw malformed(`a line that begins with ${quote(delimiter)} has more text after it`);
  }
  return place + 2;
}

function headOf(bytes: Buffer, start: number, next: number, number: number): PartHead {
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
  const found: Record<'content-disposition' | 'content-type', string | undefined> = {
    'content-disposition': undefined,
    'content-type': undefined,
  };
  for (const line of lines) {
    const [, name = '', space = '', value = ''] = /^([^:\s]+)([ \t]*):(.*)$/s.exec(line) ?? [];
    if (space !== '') throw malformed(`part ${number} has white space before the colon of ${name}`);
    const key = name.toLowerCase();
    if (key in found) found[key as keyof typeof found] ??= value.trim();
  }
  const disposition = found['content-disposition'];
  if (disposition === undefined) throw malformed(`part ${number} has no Content-Disposition`);
  const kind = disposition.split(';', 1)[0]?.trim() ?? '';
  if (kind.toLowerCase() !== 'form-data') {
    throw malformed(`the Content-Disposition of part ${number} is ${quote(kind)}, not form-data`);
  }
  return { contentType: found['content-type'] };
}

const lineEnds = () => malformed('its lines end with LF; they must end with CRLF');

const quote = (text: string) => JSON.stringify(text.slice(0, 100));

function malformed(what: string): Error {
  return new Error(`Malformed multipart body: ${what}.`);
}
