/** YAML 1.2 (RFC 9512); what readers of YAML 1.1 would take for something else is quoted. */

import { requireLazily } from '../../../base/require-lazily.js';
import type { FieldValue } from '../source/source.js';
import { type Format, shownRecord } from './format.js';
import { inSteps, isLarge } from './large-values.js';

const yaml = requireLazily<typeof import('yaml')>('yaml');

const options = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

function stringify(value: unknown): string {
  return yaml().stringify(value, options);
}

type Members = Readonly<Record<string, FieldValue>>;

/**
 * A value as the library writes it, in pieces where it is large. Each line begins with `indent`, the first one with
 * `lead`.
 */
export function* writeYaml(value: FieldValue, indent = '', lead = indent): Generator<string> {
  if (!isLarge(value) || typeof value !== 'object' || value === null) {
    yield indented(stringify(value), indent, lead);
  } else if (Array.isArray(value)) {
    yield* writeItems(value, indent, lead);
  } else {
    yield* writeMembers(value as Members, indent, lead);
  }
}

function* writeItems(
  items: readonly FieldValue[],
  indent: string,
  first: string,
): Generator<string> {
  let lead = first;
  for (const step of inSteps(items, (item) => item)) {
    const [item] = step;
    if (item !== undefined && isLarge(item)) yield* writeYaml(item, `${indent}  `, `${lead}- `);
    else yield indented(stringify(step), indent, lead);
    lead = indent;
  }
}

function* writeMembers(members: Members, indent: string, first: string): Generator<string> {
  let lead = first;
  for (const step of inSteps(Object.entries(members), ([, value]) => value)) {
    const [[name, value] = ['', null]] = step;
    if (typeof value === 'object' && value !== null && isLarge(value)) {
      // The library ends the line of an absent value with its name for null.
      const key = stringify({ [name]: null }).slice(0, -' null\n'.length);
      yield `${indented(key, indent, lead)}\n`;
      yield* writeYaml(value, `${indent}  `);
    } else {
      yield indented(stringify(Object.fromEntries(step)), indent, lead);
    }
    lead = indent;
  }
}

/** Puts `indent` before each line that has anything in it, and `lead` before the first one. */
function indented(text: string, indent: string, lead: string): string {
  return lead + (indent === '' ? text : text.replace(/\n(?=[^\n])/g, `\n${indent}`));
}

/** What a call of the writer costs is shared by as many records. */
const recordsPerPiece = 5;

export const yamlFormat: Format = {
  name: 'yaml',
  types: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  contentTypeOf: (mediaType) =>
    mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
  writeOne: (context, record) => writeYaml(shownRecord(context, record)),
  *writeList(context, records) {
    if (records.length === 0) yield '[]\n';
    for (let start = 0; start < records.length; start += recordsPerPiece) {
      const piece = records.slice(start, start + recordsPerPiece);
      yield* writeYaml(piece.map((record) => shownRecord(context, record)));
    }
  },
};
