/**
 * Writes values as JSON text, byte for byte like graphql-js. The text of each field of a record is
 * written once.
 */

import {
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionNode,
} from 'graphql';
import {
  type FieldNodes,
  type Fragments,
  groupFields,
  selectedFields,
} from '../documents/find-fragments.js';
import { isPictureField } from './picture-fields.js';

/** Facts that are collected while writers are made. */
export interface Compilation {
  readonly fragments: Fragments;
  readonly isLeftOut: (selection: SelectionNode) => boolean;
  /** Set if an image is selected, whose URL needs the base URL. */
  hasPictures: boolean;
  /** Set if a list of objects is selected. */
  hasLists: boolean;
}

/** A partial response. */
export interface Draft {
  /** The base URL as JSON text without its closing quote. */
  readonly origin: string;
  /** Number of further characters that it may have. */
  room: number;
}

/** Writes the value of a field; throws if a list becomes longer than the response may. */
export type Writer = (value: unknown, draft: Draft) => string;

/** Throws if a text is longer than a plan may write. */
export function checkLength(text: string, maxLength: number): void {
  if (text.length > maxLength) throw new Error('The response is too long for a plan.');
}

/** `nodes` all have the same response name. */
export function fieldWriter(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: FieldNodes,
): Writer {
  if (isNonNullType(type)) {
    const write = nullableWriter(compilation, type.ofType, nodes);
    return (value, draft) => {
      if (value === null || value === undefined) throw new Error('null is not allowed here');
      return write(value, draft);
    };
  }
  const write = nullableWriter(compilation, type, nodes);
  return (value, draft) => (value === null || value === undefined ? 'null' : write(value, draft));
}

/** Makes a writer that also accepts null, if the type allows it. */
function nullableWriter(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: FieldNodes,
): Writer {
  if (isListType(type)) {
    compilation.hasLists ||= !isLeafType(getNamedType(type));
    const writeItem = fieldWriter(compilation, type.ofType, nodes);
    return (value, draft) => {
      if (!Array.isArray(value)) throw new Error('a list is required here');
      let text = '[';
      for (let index = 0; index < value.length; index++) {
        if (index > 0) text += ',';
        text += writeItem(value[index], draft);
        checkLength(text, draft.room);
      }
      return `${text}]`;
    };
  }
  if (isObjectType(type)) return objectWriter(compilation, type, nodes);
  const leaf = type as GraphQLLeafType;
  return (value) => JSON.stringify(leaf.serialize(value));
}

/** One field of an object, and how to write it. */
interface Part {
  /** Text before the value: a brace or comma, the response name, a colon. */
  readonly label: string;
  readonly name: string;
  readonly kind: 'constant' | 'leaf' | 'picture' | 'object';
  /** Index of the leaf among all fields of the type. */
  readonly slot: number;
  readonly write: Writer;
}

function objectWriter(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: FieldNodes,
): Writer {
  const parts = partsOf(compilation, type, nodes);
  if (parts.length === 0) return () => '{}';
  return (value, draft) => {
    const record = value as Readonly<Record<string, unknown>>;
    const texts = textsOf(record);
    let text = '';
    for (const part of parts) {
      text += part.label;
      if (part.kind === 'leaf') {
        text += texts[part.slot] ?? keepText(texts, part, record);
      } else if (part.kind === 'picture') {
        const address = texts[part.slot] ?? keepText(texts, part, record);
        // A stored path is an image of this service.
        text += address[1] === '/' ? draft.origin + address.slice(1) : address;
      } else if (part.kind === 'object') {
        text += part.write(record[part.name], draft);
      }
    }
    return `${text}}`;
  };
}

function partsOf(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: FieldNodes,
): readonly Part[] {
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const selected = selectedFields(compilation.fragments, sets, compilation.isLeftOut);
  const fields = type.getFields();
  const names = Object.keys(fields);
  return [...groupFields(selected, type.name)].map(([responseName, inner], index): Part => {
    const name = inner[0].name.value;
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(responseName)}:`;
    const slot = names.indexOf(name);
    if (name === '__typename') {
      const constant = label + JSON.stringify(type.name);
      return { label: constant, name, kind: 'constant', slot, write: () => '' };
    }
    const field = fields[name];
    if (!field) throw new Error(`${type.name} has no field ${name}.`);
    const isPicture = isPictureField(type.name, name);
    compilation.hasPictures ||= isPicture;
    const isLeaf = isLeafType(getNamedType(field.type));
    const kind = isPicture ? 'picture' : isLeaf ? 'leaf' : 'object';
    return { label, name, kind, slot, write: fieldWriter(compilation, field.type, inner) };
  });
}

/**
 * JSON texts of a record's leaves, by the index of each among the fields of its type. A record has
 * one type and never changes, so they stay valid; they are collected with the record.
 */
const recordTexts = new WeakMap<object, (string | undefined)[]>();

function textsOf(record: object): (string | undefined)[] {
  let texts = recordTexts.get(record);
  if (texts === undefined) {
    texts = [];
    recordTexts.set(record, texts);
  }
  return texts;
}

/** Leaves are short, so they need no limit. */
const anyLength: Draft = { origin: '', room: Number.POSITIVE_INFINITY };

function keepText(
  texts: (string | undefined)[],
  { slot, name, write }: Part,
  record: Readonly<Record<string, unknown>>,
): string {
  const text = write(record[name], anyLength);
  // Filled in order, because an array with holes would be slower to read.
  while (texts.length < slot) texts.push(undefined);
  texts[slot] = text;
  return text;
}
