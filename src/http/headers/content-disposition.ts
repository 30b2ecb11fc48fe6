/** Content-Disposition with a file name, in both of its forms: RFC 6266, RFC 8187. */

import { decodePercent } from '#base/text/decode-percent.js';

const attributeCharacter = /[^A-Za-z0-9!#$&+.^_`|~-]/;

/** Writes a plain name for older clients, and an extended name only if it differs. */
export function contentDisposition(type: 'attachment' | 'inline', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const quoted = `${type}; filename="${plain}"`;
  if (plain === filename) return quoted;
  const bytes = [...Buffer.from(filename)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x80 && !attributeCharacter.test(character)) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return `${quoted}; filename*=UTF-8''${bytes.join('')}`;
}

/** Returns the file name of a Content-Disposition header, without folders. */
export function filenameIn(header: string | undefined): string | undefined {
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]*)/i.exec(header ?? '') ?? [];
  const [, quoted, bare] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(header ?? '') ?? [];
  const name = (extended && decodePercent(extended)) ?? quoted?.replace(/\\(.)/g, '$1') ?? bare;
  return name?.split(/[\\/]/).at(-1);
}
