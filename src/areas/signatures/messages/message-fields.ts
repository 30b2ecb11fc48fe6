/** The fields of a message. Each is combined and parsed only once, even if several components name it. */

import { optionalWhitespace, trimBothOf, trimEndOf } from '#base/text/trim-characters.js';
import { type Dictionary, structuredFields } from '#http/headers/structured-fields.js';
import { attempt, check, MessageFault, unlessFaulty } from './message-fault.js';

export type Field = readonly [name: string, value: string];

/** Limit of characters for all parsed structured fields of a message. */
const maxParsedLength = 16 * 1024;

export class MessageFields {
  readonly #values = new Map<string, string[]>();
  /** Parsed values, or parse errors. */
  readonly #found = new Map<string, unknown>();
  readonly #parsedNames = new Set<string>();
  #parsedLength = 0;

  /** Accepts the fields in the order sent. */
  constructor(fields: readonly Field[] = []) {
    for (const [name, value] of fields) {
      const key = name.toLowerCase();
      this.#values.set(key, [...this.valuesOf(key), normalize(value)]);
    }
  }

  /** Returns the values of a field, each on one line and trimmed (RFC 9421 section 2.1). */
  valuesOf(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns the combined values of a field. */
  textOf(name: string): string {
    return this.valuesOf(name).join(', ');
  }

  /** Throws a {@link MessageFault}. */
  dictionaryOf(name: string): Dictionary {
    return this.#once(`dictionary ${name}`, () =>
      this.#parse(name, (text) => structuredFields().parseDictionary(text)),
    );
  }

  /**
   * Serializes a field strictly. A list is serialized like a dictionary with the same members, and an item like a list.
   * Throws a {@link MessageFault}.
   */
  serializedOf(name: string): string {
    return this.#once(`text ${name}`, () => {
      const { parseList, serializeList, serializeDictionary } = structuredFields();
      try {
        return this.#parse(name, (text) => serializeList(parseList(text)));
      } catch {
        return attempt(() => serializeDictionary(this.dictionaryOf(name)));
      }
    });
  }

  #parse<Value>(name: string, parse: (text: string) => Value): Value {
    const text = this.textOf(name);
    if (!this.#parsedNames.has(name)) {
      this.#parsedNames.add(name);
      this.#parsedLength += text.length;
    }
    check(
      this.#parsedLength <= maxParsedLength,
      `The structured fields of a message have at most ${maxParsedLength} characters.`,
    );
    return attempt(() => parse(text));
  }

  #once<Value>(key: string, find: () => Value): Value {
    const found = this.#found.get(key) ?? unlessFaulty(find, (fault) => new MessageFault(fault));
    this.#found.set(key, found);
    if (found instanceof MessageFault) throw found;
    return found as Value;
  }
}

function normalize(value: string): string {
  const lines = value.split(/\r?\n[ \t]+/);
  const last = lines.pop() ?? '';
  const before = lines.map((line) => `${trimEndOf(line, optionalWhitespace)} `).join('');
  return trimBothOf(before + last, optionalWhitespace);
}
