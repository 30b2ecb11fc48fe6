/** Charsets of multipart/form-data: RFC 7578 sections 4.6 and 5.1.2. */

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { cutText } from '#base/text/cut-text.js';
import type { Part } from './scan-multipart.js';

interface Decoded {
  readonly text: string;
  readonly fault?: string;
}

/** Decodes the texts of a form. A field `_charset_` names the charset of parts that name none. */
export class PartDecoder {
  readonly #bytes: Buffer;
  readonly #default: string | undefined;
  readonly #decoders = new Map<string, TextDecoder | undefined>();

  constructor(bytes: Buffer, parts: readonly Part[]) {
    this.#bytes = bytes;
    const part = parts.find(({ name, isFile }) => name === '_charset_' && !isFile);
    this.#default = part && bytes.toString('latin1', part.content, part.end).trim();
  }

  /** Returns the text of a field, with U+FFFD for bytes that are not in its charset. */
  decodeField({ contentType = '', content, end }: Part): Decoded {
    const [, charset = this.#default] = charsetParameter.exec(contentType) ?? [];
    return this.#decode(this.#bytes.subarray(content, end), charset);
  }

  /** Returns the text of a head that is not UTF-8. */
  decodeHead({ head, content }: Part): Decoded | undefined {
    const bytes = this.#bytes.subarray(head, content);
    return isUtf8(bytes) ? undefined : this.#decode(bytes, this.#default);
  }

  #decode(bytes: Buffer, charset = 'utf-8'): Decoded {
    const isNamed = /^utf-?8$/i.test(charset);
    if (isNamed && isUtf8(bytes)) return { text: bytes.toString('utf8') };
    const decoder = isNamed ? undefined : this.#decoderOf(charset);
    if (decoder === undefined) {
      const shown = JSON.stringify(cutText(charset, maxLabelLength));
      const fault = isNamed ? 'is not UTF-8' : `has the unknown charset ${shown}`;
      return { text: bytes.toString('utf8'), fault };
    }
    const text = decoder.decode(bytes);
    return text.includes('\ufffd') ? { text, fault: `is not ${decoder.encoding}` } : { text };
  }

  #decoderOf(label: string): TextDecoder | undefined {
    if (!this.#decoders.has(label)) this.#decoders.set(label, newDecoder(label));
    return this.#decoders.get(label);
  }
}

const charsetParameter = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const maxLabelLength = 40;

function newDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch {
    return undefined;
  }
}
