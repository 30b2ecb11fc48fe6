/** Writes faults as XML: SOAP 1.1 section 4.4, SOAP 1.2 part 1 sections 5.4 and 5.4.7 and 5.4.8. */

import { escapeXml } from '#http/xml/text.js';
import type { FaultCode, SoapFault } from './soap-fault.js';
import { type SoapVersion, soapVersions, wrapBody } from './soap-version.js';
import { recordWriter } from './values/write-value.js';

const codesOf11: Readonly<Record<FaultCode, string>> = {
  VersionMismatch: 'VersionMismatch',
  MustUnderstand: 'MustUnderstand',
  // Exists only in SOAP 1.2, and is checked only there.
  DataEncodingUnknown: 'Client',
  Sender: 'Client',
  Receiver: 'Server',
};

/** Returns the HTTP status: SOAP 1.1 section 6.2 and SOAP 1.2 part 2 table 20. */
export function faultStatus({ code }: SoapFault, { name }: SoapVersion): 400 | 500 {
  return name === '1.2' && code === 'Sender' ? 400 : 500;
}

/** Writes a whole envelope. `namespace` is the service's, for subcodes and details. */
export function writeFault(fault: SoapFault, version: SoapVersion, namespace: string): string {
  return version.name === '1.1'
    ? wrapBody(version, writeFault11(fault, namespace))
    : wrapBody(version, writeFault12(fault, namespace), writeHeader12(fault));
}

function writeFault11(fault: SoapFault, namespace: string): string {
  const { standard } = fault.parts;
  const codeXml =
    standard === undefined
      ? `<faultcode>soap:${codesOf11[fault.code]}</faultcode>`
      : `<faultcode xmlns:${standard.prefix}="${standard.namespace}">${standard.prefix}:${standard.name}</faultcode>`;
  return `<soap:Fault>${codeXml}<faultstring>${escapeXml(fault.message)}</faultstring>${writeDetail(fault, namespace, 'detail')}</soap:Fault>`;
}

function writeFault12(fault: SoapFault, namespace: string): string {
  const { subcode, standard } = fault.parts;
  const own = subcode === undefined ? undefined : { prefix: 'm', namespace, name: subcode };
  const shown = standard ?? own;
  const subcodeXml =
    shown === undefined
      ? ''
      : `<soap:Subcode><soap:Value xmlns:${shown.prefix}="${escapeXml(shown.namespace)}">${shown.prefix}:${shown.name}</soap:Value></soap:Subcode>`;
  return `<soap:Fault><soap:Code><soap:Value>soap:${fault.code}</soap:Value>${subcodeXml}</soap:Code><soap:Reason><soap:Text xml:lang="en">${escapeXml(fault.message)}</soap:Text></soap:Reason>${writeDetail(fault, namespace, 'soap:Detail')}</soap:Fault>`;
}

function writeDetail({ parts }: SoapFault, namespace: string, element: string): string {
  if (parts.detail === undefined) return '';
  const { type, value } = parts.detail;
  const fields = recordWriter(type.fields)(value);
  return `<${element}><${type.name} xmlns="${escapeXml(namespace)}">${fields}</${type.name}></${element}>`;
}

/** Writes header entries that SOAP 1.2 defines for two kinds of fault; SOAP 1.1 has none. */
function writeHeader12({ code, parts }: SoapFault): string {
  if (code === 'VersionMismatch') {
    const supported = soapVersions.map(
      ({ namespace }) => `<soap:SupportedEnvelope qname="e:Envelope" xmlns:e="${namespace}"/>`,
    );
    return `<soap:Upgrade>${supported.reverse().join('')}</soap:Upgrade>`;
  }
  const entries = (parts.notUnderstood ?? []).map(
    ({ namespace, name }) =>
      `<soap:NotUnderstood qname="h:${escapeXml(name)}" xmlns:h="${escapeXml(namespace)}"/>`,
  );
  return entries.join('');
}
