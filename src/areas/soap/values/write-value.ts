/** Writes values as XML by their types, with writers that are made once for each type. */

import { escapeXml } from '#http/xml/text.js';
import type { Fields, FieldType, RecordOf, RecordType } from './schema-types.js';

type Writer = (value: never) => string;

/** Makes a writer of the content of a record's element. */
export function recordWriter<F extends Fields>(fields: F): (value: RecordOf<F>) => string {
  const writers = Object.entries(fields).map(([name, type]) => ({
    name,
    write: fieldWriter(name, type),
  }));
  return (value) => {
    let xml = '';
    for (const { name, write } of writers) xml += write(value[name] as never);
    return xml;
  };
}

/** Makes a writer of the element or elements of a field. */
function fieldWriter(name: string, type: FieldType): Writer {
  if (typeof type === 'object' && 'listOf' in type) {
    const write = fieldWriter(name, type.listOf);
    return (values: readonly never[]) => values.map(write).join('');
  }
  const write = contentWriter(type);
  return (value) => `<${name}>${write(value)}</${name}>`;
}

function contentWriter(type: Exclude<FieldType, { readonly listOf: unknown }>): Writer {
  if (type === 'string') return escapeXml;
  return typeof type === 'object' ? keptWriter(type) : String;
}

/** Frozen values never change, so their text is cached as long as they exist. */
function keptWriter({ fields }: RecordType): (value: RecordOf<Fields>) => string {
  const write = recordWriter(fields);
  const written = new WeakMap<object, string>();
  return (value) => {
    const known = written.get(value);
    if (known !== undefined) return known;
    const xml = write(value);
    if (Object.isFrozen(value)) written.set(value, xml);
    return xml;
  };
}
