/**
 * Parses XML 1.0 with namespaces, within limits, without document types and processing
 * instructions, as in SOAP.
 */

import type { SaxesParser } from 'saxes';
import { lazily } from '#base/lazily.js';
import { requireLazily } from '#base/require-lazily.js';
import { type LightXml, lightenXml } from './lighten-xml.js';
import { cut, quote, trimXml, XmlError } from './text.js';

export interface XmlAttribute {
  /** Empty if the attribute is in no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

export interface XmlElement {
  /** Empty if the element is in no namespace. */
  readonly namespace: string;
  /** Without a prefix. */
  readonly name: string;
  /** Without namespace declarations. */
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Character data directly inside, including CDATA sections, without comments. */
  readonly text: string;
}

type OpenElement = Omit<XmlElement, 'children' | 'text'> & {
  readonly children: OpenElement[];
  text: string;
};

export const xmlLimits = {
  /** Nesting of elements. */
  depth: 64,
  elements: 10_000,
  /** Attributes of one element, including namespace declarations. */
  attributes: 64,
  /** Attributes of all elements together, including namespace declarations. */
  allAttributes: 20_000,
  /** Characters of one attribute's value. */
  attributeLength: 8_192,
} as const;

const parserOptions = {
  xmlns: true,
  position: true,
  // A document that declares version 1.1 is parsed as 1.0 (XML 1.0 section 2.8), the version of
  // SOAP.
  defaultXMLVersion: '1.0',
  forceXMLVersion: true,
} as const;

const notWellFormed = 'The body is not well-formed XML';

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain these
const illegalCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** Members of the parser's tag that are used here. */
interface SentTag {
  readonly uri: string;
  readonly local: string;
  readonly attributes: Readonly<Record<string, { uri: string; local: string; value: string }>>;
}

/** Members of the parser that are used here, without its private ones. */
type PublicParser = new (
  options: typeof parserOptions,
) => Pick<SaxesParser<typeof parserOptions>, 'on' | 'write' | 'close' | 'position'>;

const saxes = requireLazily<{ readonly SaxesParser: PublicParser }>('saxes');

/**
 * The parser with a property for each handler that `on` will set. V8 turns an object that gains
 * this many properties later into a slow one, and then parses five times slower.
 */
const fastParser = lazily(
  () =>
    class FastParser extends saxes().SaxesParser {
      protected readonly doctypeHandler = undefined;
      protected readonly piHandler = undefined;
      protected readonly openTagStartHandler = undefined;
      protected readonly attributeHandler = undefined;
      protected readonly openTagHandler = undefined;
      protected readonly closeTagHandler = undefined;
      protected readonly textHandler = undefined;
      protected readonly cdataHandler = undefined;
      protected readonly errorHandler = undefined;
    } as PublicParser,
);

/** A document with its parser and its unfinished tree. */
class XmlReader {
  readonly #parser = new (fastParser())(parserOptions);
  #root: OpenElement | undefined;
  readonly #open: OpenElement[] = [];
  #elements = 0;
  #allAttributes = 0;
  /** Attributes of the current element. */
  #attributes = 0;
  readonly #original: string;
  readonly #light: LightXml;
  #sections = 0;

  constructor(text: string) {
    this.#original = withPlainLineEnds(text);
    // Before anything is removed. Decoding never yields halves of surrogate pairs.
    const illegalAt = this.#original.search(illegalCharacter);
    if (illegalAt >= 0) this.#rejectAt(illegalAt + 1, `${notWellFormed}: disallowed character`);
    this.#light = lightenXml(this.#original, 2 * xmlLimits.elements);
    const parser = this.#parser;
    const addText = (part: string) => {
      const element = this.#open.at(-1);
      if (element !== undefined) element.text += part;
    };
    parser.on('error', ({ message }) => {
      const what = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
      this.#reject(`${notWellFormed}: ${cut(what)}`);
    });
    parser.on('doctype', () => this.#rejectDoctype());
    parser.on('processinginstruction', () => this.#rejectInstruction());
    parser.on('opentagstart', () => this.#countElement());
    parser.on('attribute', ({ name, value }) => this.#countAttribute(name, value));
    parser.on('opentag', (tag) => this.#openElement(tag));
    parser.on('closetag', () => this.#open.pop());
    parser.on('text', addText);
    parser.on('cdata', () => addText(this.#light.sections[this.#sections++] ?? ''));
  }

  read(): XmlElement {
    const parser = this.#parser;
    let rest = this.#light.text;
    const doctypeAt = rest.indexOf('<!DOCTYPE');
    if (doctypeAt >= 0) {
      parser.write(rest.slice(0, doctypeAt));
      // The parser would first read it to its end, which may be far.
      if (this.#elements === 0) this.#rejectDoctype();
      rest = rest.slice(doctypeAt);
    }
    parser.write(rest).close();
    return this.#root ?? this.#reject(`${notWellFormed}: it has no element`);
  }

  #countElement(): void {
    this.#attributes = 0;
    const { depth, elements } = xmlLimits;
    if (this.#open.length >= depth) this.#reject(`Elements are nested more than ${depth} deep`);
    if (++this.#elements > elements) this.#reject(`There are more than ${elements} elements`);
  }

  #countAttribute(name: string, value: string): void {
    const { attributes, allAttributes, attributeLength } = xmlLimits;
    if (++this.#attributes > attributes) {
      this.#reject(`An element has more than ${attributes} attributes`);
    }
    if (++this.#allAttributes > allAttributes) {
      this.#reject(`There are more than ${allAttributes} attributes`);
    }
    if (value.length > attributeLength) {
      this.#reject(`The attribute ${quote(name)} has more than ${attributeLength} characters`);
    }
  }

  #openElement({ uri, local, attributes }: SentTag): void {
    const element = {
      namespace: uri,
      name: local,
      attributes: listAttributes(attributes),
      children: [],
      text: '',
    };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = element;
    else parent.children.push(element);
    this.#open.push(element);
  }

  /**
   * Rejects a declaration that is not at the very beginning, which has the form of a processing
   * instruction (XML 1.0 section 2.8).
   */
  #rejectInstruction(): never {
    const { text, originOf } = this.#light;
    // The names of instructions were removed from the light text.
    const start = originOf(text.lastIndexOf('<?', this.#parser.position));
    if (!/^<\?xml[\s?]/i.test(this.#original.slice(start, start + 6))) {
      this.#reject('The body has a processing instruction, which SOAP forbids');
    }
    const isFirst = trimXml(this.#original.slice(0, start)) === '';
    const what = isFirst
      ? 'white space precedes the XML declaration, which must be at the very beginning'
      : 'an XML declaration is allowed only at the very beginning';
    this.#reject(`${notWellFormed}: ${what} (XML 1.0 section 2.8)`);
  }

  #rejectDoctype(): never {
    this.#reject('The body has a document type declaration, which SOAP forbids');
  }

  #reject(what: string): never {
    this.#rejectAt(this.#light.originOf(this.#parser.position), what);
  }

  /** `index` is the index after the character that shows the fault. */
  #rejectAt(index: number, what: string): never {
    let line = 1;
    let column = 0;
    for (let at = 0; at < index; at++) {
      const code = this.#original.charCodeAt(at);
      if (code === 0x0a) {
        line++;
        column = 0;
      } else if ((code & 0xfc00) !== 0xdc00) {
        // The second half of a surrogate pair is not a separate character.
        column++;
      }
    }
    throw new XmlError(`${what} (line ${line}, column ${column}).`);
  }
}

/** Parses a whole document and returns its root. Throws {@link XmlError} at the first fault. */
export function parseXml(text: string): XmlElement {
  return new XmlReader(text).read();
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Normalizes line ends as in XML 1.0 section 2.11; the parser would be slow for many of them. Works
 * on code units, because replacing a million of them in strings is eight times slower.
 */
function withPlainLineEnds(text: string): string {
  if (!text.includes('\r')) return text;
  // Not from the pool of small buffers, because 16-bit access requires alignment.
  const bytes = Buffer.allocUnsafeSlow(text.length * 2);
  bytes.write(text, 'utf16le');
  const units = new Uint16Array(bytes.buffer);
  let length = 0;
  let before = 0;
  for (const unit of units) {
    const isSecondOfPair = unit === lineFeed && before === carriageReturn;
    if (!isSecondOfPair) units[length++] = unit === carriageReturn ? lineFeed : unit;
    before = unit;
  }
  return bytes.toString('utf16le', 0, length * 2);
}

function listAttributes(sent: SentTag['attributes']): readonly XmlAttribute[] {
  return Object.values(sent)
    .filter(({ uri }) => uri !== xmlnsNamespace)
    .map(({ uri, local, value }) => ({ namespace: uri, name: local, value }));
}

export function attributeOf(
  { attributes }: XmlElement,
  namespace: string,
  name: string,
): string | undefined {
  return attributes.find((each) => each.name === name && each.namespace === namespace)?.value;
}
