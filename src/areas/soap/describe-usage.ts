/** How a service is called, with a message for each version of SOAP that works as it stands. */

import { escapeXml } from './escape-xml.js';
import { actionOf, type Operation, type ServiceDescription } from './service-description.js';
import { type SoapVersion, soap11, soap12 } from './soap-version.js';
import { wrapBody } from './wrap-body.js';

export interface Usage {
  readonly service: string;
  /** Where the WSDL is. */
  readonly wsdl: string;
  readonly operations: string[];
  readonly soap11: {
    readonly contentType: string;
    readonly soapAction: string;
    readonly sample: string;
  };
  readonly soap12: { readonly contentType: string; readonly sample: string };
}

/** `address` is where the service is called; the samples call its first operation. */
export function describeUsage(service: ServiceDescription, address: string): Usage {
  const [first] = service.operations;
  if (first === undefined) throw new Error(`${service.name} has no operation`);
  return {
    service: service.name,
    wsdl: `${address}?wsdl`,
    operations: service.operations.map(({ name }) => name),
    soap11: {
      contentType: soap11.contentType,
      soapAction: actionOf(service, first),
      sample: writeSample(service, first, soap11),
    },
    soap12: { contentType: soap12.contentType, sample: writeSample(service, first, soap12) },
  };
}

function writeSample(
  { namespace }: ServiceDescription,
  { name, parameters }: Operation,
  version: SoapVersion,
): string {
  const fields = Object.entries(parameters).map(
    ([field, { sample }]) => `      <${field}>${escapeXml(sample)}</${field}>\n`,
  );
  const call = `<${name} xmlns="${escapeXml(namespace)}">\n${fields.join('')}    </${name}>`;
  return wrapBody(version, `\n    ${call}\n  `);
}
