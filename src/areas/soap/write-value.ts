/** Writes values as the XML that their types describe, by writers made once for each type. */

import { escapeXml } from './escape-xml.js';
import type { Fields, FieldType, RecordOf, RecordType, SimpleType } from './schema-types.js';

/** Writes a value as the element or elements of its field. */
type Writer = (value: never) => string;

/** A writer of what stands inside a record's element. */
export function recordWriter<F extends Fields>(fields: F): (value: RecordOf<F>) => string {
  const writers = Object.entries(fields).map(([name, type]) => ({
    name,
    write: fieldWriter(name, type) as (value: unknown) => string,
  }));
  return (value) => {
    let xml = '';
    for (const { name, write } of writers) xml += write((value as Record<string, unknown>)[name]);
    return xml;
  };
}

function fieldWriter(name: string, type: FieldType): Writer {
  if (typeof type === 'string') return simpleWriter(name, type);
  if ('fields' in type) return nestedWriter(name, type);
  const item = fieldWriter(name, type.listOf) as (value: unknown) => string;
  return (values: readonly unknown[]) => values.map(item).join('');
}

function simpleWriter(name: string, type: SimpleType): Writer {
  const open = `<${name}>`;
  const close = `</${name}>`;
  return type === 'string'
    ? (value: string) => open + escapeXml(value) + close
    : (value: number) => open + value + close;
}

function nestedWriter(name: string, { fields }: RecordType): Writer {
  const write = recordWriter(fields);
  // Frozen values never change, so what was written of one stays right as long as it lives.
  const written = new WeakMap<object, string>();
  return (value: never) => {
    const known = written.get(value);
    if (known !== undefined) return known;
    const xml = `<${name}>${write(value)}</${name}>`;
    if (Object.isFrozen(value)) written.set(value, xml);
    return xml;
  };
}
