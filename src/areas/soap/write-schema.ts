/** The schema of a service's messages (XML Schema part 1), as it stands in the WSDL. */

import { escapeXml } from './escape-xml.js';
import type { Fields, FieldType, RecordType, SimpleType } from './schema-types.js';
import type { ServiceDescription } from './service-description.js';
import type { FaultType } from './soap-fault.js';

/** `faults` are those that any Body can get, beside the operations' own. */
export function writeSchema(service: ServiceDescription, faults: readonly FaultType[]): string {
  const types = new Map<string, RecordType>();
  const elements = new Map<string, Fields>();
  for (const { name, parameters, response, faults: own } of service.operations) {
    const types = Object.entries(parameters).map(([field, { type }]) => [field, type] as const);
    elements.set(name, Object.fromEntries(types)).set(`${name}Response`, response);
    for (const fault of own) elements.set(fault.name, fault.fields);
  }
  for (const { name, fields } of faults) elements.set(name, fields);
  for (const fields of elements.values()) collectTypes(fields, types);

  return [
    `<xs:schema elementFormDefault="qualified" targetNamespace="${escapeXml(service.namespace)}">`,
    ...[...elements].map(
      ([name, fields]) =>
        `  <xs:element name="${name}">\n    <xs:complexType>${sequence(fields, '      ')}</xs:complexType>\n  </xs:element>`,
    ),
    ...[...types.values()].map(
      ({ name, fields }) =>
        `  <xs:complexType name="${name}">${sequence(fields, '    ')}</xs:complexType>`,
    ),
    '</xs:schema>',
  ].join('\n');
}

function collectTypes(fields: Fields, types: Map<string, RecordType>): void {
  for (const field of Object.values(fields)) {
    const type = itemType(field);
    if (typeof type === 'string') continue;
    types.set(type.name, type);
    collectTypes(type.fields, types);
  }
}

function sequence(fields: Fields, indent: string): string {
  const elements = Object.entries(fields).map(([name, field]) => {
    const type = itemType(field);
    const typeName = typeof type === 'string' ? `xs:${type}` : `tns:${type.name}`;
    const occurs = itemType(field) === field ? '' : ' minOccurs="0" maxOccurs="unbounded"';
    return `${indent}  <xs:element name="${name}" type="${typeName}"${occurs}/>`;
  });
  if (elements.length === 0) return '<xs:sequence/>';
  return `\n${indent}<xs:sequence>\n${elements.join('\n')}\n${indent}</xs:sequence>\n${indent.slice(2)}`;
}

function itemType(field: FieldType): SimpleType | RecordType {
  return typeof field === 'object' && 'listOf' in field ? field.listOf : field;
}
