/** The fields of a message. Each is looked up, combined and parsed once, however many components name it. */

import { optionalWhitespace, trimBothOf, trimEndOf } from '../../base/text/trim-characters.js';
import { type Fault, isFault } from '../../http/credentials/fault.js';
import { attempt, type Dictionary, structuredFields } from './structured-fields.js';

export type Field = readonly [name: string, value: string];

/** The structured fields of a message that are parsed have at most this many characters together. */
const maxParsedLength = 16 * 1024;

export class MessageFields {
  readonly #values = new Map<string, string[]>();
  readonly #dictionaries = new Map<string, Dictionary | Fault>();
  readonly #serialized = new Map<string, string | Fault>();
  readonly #parsedNames = new Set<string>();
  #parsedLength = 0;

  /** Takes the fields in the order they were sent. */
  constructor(fields: readonly Field[]) {
    for (const [name, value] of fields) {
      const key = name.toLowerCase();
      const earlier = this.#values.get(key);
      if (earlier === undefined) this.#values.set(key, [normalize(value)]);
      else earlier.push(normalize(value));
    }
  }

  /** Returns the values of a field, each in one line and without the space around it (RFC 9421 section 2.1). */
  valuesOf(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns the values of a field as one. */
  textOf(name: string): string {
    return this.valuesOf(name).join(', ');
  }

  dictionaryOf(name: string): Dictionary | Fault {
    return remember(this.#dictionaries, name, () =>
      this.#parse(name, (text) => structuredFields().parseDictionary(text)),
    );
  }

  /** Serializes a field strictly. A list is serialized like a dictionary of the same members, and an item like a list. */
  serializedOf(name: string): string | Fault {
    return remember(this.#serialized, name, () => {
      const { parseList, serializeList, serializeDictionary } = structuredFields();
      const list = this.#parse(name, (text) => serializeList(parseList(text)));
      if (typeof list === 'string') return list;
      const dictionary = this.dictionaryOf(name);
      return isFault(dictionary) ? dictionary : attempt(() => serializeDictionary(dictionary));
    });
  }

  #parse<Value>(name: string, parse: (text: string) => Value): Value | Fault {
    const text = this.textOf(name);
    if (!this.#parsedNames.has(name)) {
      this.#parsedNames.add(name);
      this.#parsedLength += text.length;
    }
    if (this.#parsedLength > maxParsedLength) {
      return {
        fault: `The structured fields of a message have at most ${maxParsedLength} characters.`,
      };
    }
    return attempt(() => parse(text));
  }
}

function normalize(value: string): string {
  const lines = value.split(/\r?\n[ \t]+/);
  const last = lines.pop() ?? '';
  const before = lines.map((line) => `${trimEndOf(line, optionalWhitespace)} `).join('');
  return trimBothOf(before + last, optionalWhitespace);
}

function remember<Value>(known: Map<string, Value>, name: string, find: () => Value): Value {
  const found = known.get(name) ?? find();
  known.set(name, found);
  return found;
}
