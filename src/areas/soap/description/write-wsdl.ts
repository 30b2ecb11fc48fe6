/**
 * Describes a service for its clients: WSDL 1.1, document/literal wrapped, one port for each
 * version of SOAP.
 */

import { escapeXml } from '#http/xml/text.js';
import * as bodyFaults from '../body-faults.js';
import { policyLines, policyNamespaces, policyReference } from '../security/write-security.js';
import { actionOf, type Operation, type Service } from '../service.js';
import type { FaultType } from '../soap-fault.js';
import type { Fields, FieldType, RecordType, SimpleType } from '../values/schema-types.js';

/** Bindings of each version: the prefix of extension elements, and the suffix of names. */
const bindings = [
  { prefix: 'soap', suffix: 'Soap' },
  { prefix: 'soap12', suffix: 'Soap12' },
] as const;

const httpTransport = 'http://schemas.xmlsoap.org/soap/http';

/** `address` is the URL of the service. */
export function writeWsdl(service: Service, address: string): string {
  const { name, namespace, summary, operations, isSecured } = service;
  const tns = escapeXml(namespace);
  const faultTypes = new Map(operations.flatMap(faultsOf).map((fault) => [fault.name, fault]));

  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<wsdl:definitions',
    `    name="${name}"`,
    `    targetNamespace="${tns}"`,
    '    xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"',
    '    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"',
    '    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"',
    '    xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    ...(isSecured ? policyNamespaces : []),
    `    xmlns:tns="${tns}">`,
    `  <wsdl:documentation>${escapeXml(summary)}</wsdl:documentation>`,
    ...(isSecured ? policyLines : []),
    '  <wsdl:types>',
    ...schemaOf(service).map((line) => `    ${line}`),
    '  </wsdl:types>',
    ...operations.flatMap((each) => [
      message(inputOf(each), 'parameters', each.name),
      message(outputOf(each), 'parameters', `${each.name}Response`),
    ]),
    ...[...faultTypes.keys()].map((fault) => message(fault, 'fault', fault)),
    ...portType(service),
    ...bindings.flatMap((binding) => bindingOf(service, binding)),
    `  <wsdl:service name="${name}">`,
    `    <wsdl:documentation>${escapeXml(summary)}</wsdl:documentation>`,
    ...bindings.flatMap(({ prefix, suffix }) => [
      `    <wsdl:port name="${name}${suffix}" binding="tns:${name}${suffix}">`,
      `      <${prefix}:address location="${escapeXml(address)}"/>`,
      '    </wsdl:port>',
    ]),
    '  </wsdl:service>',
    '</wsdl:definitions>',
    '',
  ];
  return lines.join('\n');
}

function message(name: string, part: string, element: string): string {
  return `  <wsdl:message name="${name}">\n    <wsdl:part name="${part}" element="tns:${element}"/>\n  </wsdl:message>`;
}

function portType({ name, operations }: Service): string[] {
  return [
    `  <wsdl:portType name="${name}Soap">`,
    ...listOperations(operations, (each) => [
      `<wsdl:documentation>${escapeXml(each.summary)}</wsdl:documentation>`,
      `<wsdl:input message="tns:${inputOf(each)}"/>`,
      `<wsdl:output message="tns:${outputOf(each)}"/>`,
      ...faultsOf(each).map(({ name }) => `<wsdl:fault name="${name}" message="tns:${name}"/>`),
    ]),
    '  </wsdl:portType>',
  ];
}

function bindingOf(service: Service, { prefix, suffix }: (typeof bindings)[number]): string[] {
  const { name, operations, isSecured } = service;
  const body = `<${prefix}:body use="literal"/>`;
  return [
    `  <wsdl:binding name="${name}${suffix}" type="tns:${name}Soap">`,
    ...(isSecured ? [policyReference] : []),
    `    <${prefix}:binding transport="${httpTransport}" style="document"/>`,
    ...listOperations(operations, (each) => [
      `<${prefix}:operation soapAction="${escapeXml(actionOf(service, each))}" style="document"/>`,
      `<wsdl:input>${body}</wsdl:input>`,
      `<wsdl:output>${body}</wsdl:output>`,
      ...faultsOf(each).map(
        ({ name }) =>
          `<wsdl:fault name="${name}"><${prefix}:fault name="${name}" use="literal"/></wsdl:fault>`,
      ),
    ]),
    '  </wsdl:binding>',
  ];
}

function listOperations(
  operations: readonly Operation[],
  linesOf: (operation: Operation) => readonly string[],
): string[] {
  return operations.flatMap((each) => [
    `    <wsdl:operation name="${each.name}">`,
    ...linesOf(each).map((line) => `      ${line}`),
    '    </wsdl:operation>',
  ]);
}

/** Every operation can be called with unknown parameters. */
function faultsOf({ faults }: Operation): readonly FaultType[] {
  return [...faults, bodyFaults.invalidParameters];
}

function inputOf({ name }: Operation): string {
  return `${name}SoapIn`;
}

function outputOf({ name }: Operation): string {
  return `${name}SoapOut`;
}

/** Writes the schema of the messages (XML Schema part 1). */
function schemaOf({ namespace, operations }: Service): string[] {
  const elements = new Map<string, Fields>();
  for (const { name, parameters, response, faults } of operations) {
    const types = Object.entries(parameters).map(([field, { type }]) => [field, type] as const);
    elements.set(name, Object.fromEntries(types)).set(`${name}Response`, response);
    for (const fault of faults) elements.set(fault.name, fault.fields);
  }
  for (const { name, fields } of Object.values(bodyFaults)) elements.set(name, fields);
  const types = new Map<string, RecordType>();
  for (const fields of elements.values()) collectTypes(fields, types);
  return [
    `<xs:schema elementFormDefault="qualified" targetNamespace="${escapeXml(namespace)}">`,
    ...[...elements].flatMap(([name, fields]) => [
      `  <xs:element name="${name}">`,
      ...complexType('', fields).map((line) => `    ${line}`),
      '  </xs:element>',
    ]),
    ...[...types.values()].flatMap(({ name, fields }) =>
      complexType(` name="${name}"`, fields).map((line) => `  ${line}`),
    ),
    '</xs:schema>',
  ];
}

function collectTypes(fields: Fields, types: Map<string, RecordType>): void {
  for (const field of Object.values(fields)) {
    const type = itemType(field);
    if (typeof type === 'string') continue;
    types.set(type.name, type);
    collectTypes(type.fields, types);
  }
}

function complexType(name: string, fields: Fields): string[] {
  const elements = Object.entries(fields).map(([field, type]) => {
    const item = itemType(type);
    const typeName = typeof item === 'string' ? `xs:${item}` : `tns:${item.name}`;
    const occurs = item === type ? '' : ' minOccurs="0" maxOccurs="unbounded"';
    return `    <xs:element name="${field}" type="${typeName}"${occurs}/>`;
  });
  if (elements.length === 0) return [`<xs:complexType${name}><xs:sequence/></xs:complexType>`];
  return [
    `<xs:complexType${name}>`,
    '  <xs:sequence>',
    ...elements,
    '  </xs:sequence>',
    '</xs:complexType>',
  ];
}

function itemType(field: FieldType): SimpleType | RecordType {
  return typeof field === 'object' && 'listOf' in field ? field.listOf : field;
}
