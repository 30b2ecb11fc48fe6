/**
 * The description of a service for its clients: WSDL 1.1 (W3C note, 15 March 2001), document/literal
 * wrapped, with a port for each version of SOAP (WSDL 1.1 binding extension for SOAP 1.2).
 */

import * as bodyFaults from './body-faults.js';
import { escapeXml } from './escape-xml.js';
import { actionOf, type Operation, type ServiceDescription } from './service-description.js';
import type { FaultType } from './soap-fault.js';
import { writeSchema } from './write-schema.js';

/** A binding of each version: the prefix of its extension elements, and the suffix of its names. */
const bindings = [
  { prefix: 'soap', suffix: 'Soap' },
  { prefix: 'soap12', suffix: 'Soap12' },
] as const;

const httpTransport = 'http://schemas.xmlsoap.org/soap/http';

/** `address` is where the service is called. */
export function writeWsdl(service: ServiceDescription, address: string): string {
  const { name, namespace, summary, operations } = service;
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
    `    xmlns:tns="${tns}">`,
    `  <wsdl:documentation>${escapeXml(summary)}</wsdl:documentation>`,
    '  <wsdl:types>',
    indent(writeSchema(service, Object.values(bodyFaults)), '    '),
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

function portType({ name, operations }: ServiceDescription): string[] {
  return [
    `  <wsdl:portType name="${name}Soap">`,
    ...operations.flatMap((each) => [
      `    <wsdl:operation name="${each.name}">`,
      `      <wsdl:documentation>${escapeXml(each.summary)}</wsdl:documentation>`,
      `      <wsdl:input message="tns:${inputOf(each)}"/>`,
      `      <wsdl:output message="tns:${outputOf(each)}"/>`,
      ...faultsOf(each).map(
        (fault) => `      <wsdl:fault name="${fault.name}" message="tns:${fault.name}"/>`,
      ),
      '    </wsdl:operation>',
    ]),
    '  </wsdl:portType>',
  ];
}

function bindingOf(
  service: ServiceDescription,
  { prefix, suffix }: (typeof bindings)[number],
): string[] {
  const { name, operations } = service;
  const body = `<${prefix}:body use="literal"/>`;
  return [
    `  <wsdl:binding name="${name}${suffix}" type="tns:${name}Soap">`,
    `    <${prefix}:binding transport="${httpTransport}" style="document"/>`,
    ...operations.flatMap((each) => [
      `    <wsdl:operation name="${each.name}">`,
      `      <${prefix}:operation soapAction="${escapeXml(actionOf(service, each))}" style="document"/>`,
      `      <wsdl:input>${body}</wsdl:input>`,
      `      <wsdl:output>${body}</wsdl:output>`,
      ...faultsOf(each).map(
        (fault) =>
          `      <wsdl:fault name="${fault.name}"><${prefix}:fault name="${fault.name}" use="literal"/></wsdl:fault>`,
      ),
      '    </wsdl:operation>',
    ]),
    '  </wsdl:binding>',
  ];
}

/** Every operation can be called with parameters that it does not take. */
function faultsOf({ faults }: Operation): readonly FaultType[] {
  return [...faults, bodyFaults.invalidParameters];
}

function inputOf({ name }: Operation): string {
  return `${name}SoapIn`;
}

function outputOf({ name }: Operation): string {
  return `${name}SoapOut`;
}

function indent(text: string, by: string): string {
  return text.replace(/^/gm, by);
}
