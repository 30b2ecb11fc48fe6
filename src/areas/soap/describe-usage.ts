/** How a service is called, with a message for each version of SOAP that works as it stands. */

import { actionOf, type Service } from './service.js';
import { type SoapVersion, soap11, soap12, wrapBody } from './soap-version.js';
import { escapeXml } from './xml/text.js';

/**
 * The samples call the first operation.
 *
 * @param address Where the service is called
 * @param header XML for the header of the samples
 */
export function describeUsage(service: Service, address: string, header = '') {
  const { name, namespace, operations } = service;
  const [first] = operations;
  const fields = Object.entries(first.parameters).map(
    ([field, { sample }]) => `      <${field}>${escapeXml(sample)}</${field}>\n`,
  );
  const call = `<${first.name} xmlns="${escapeXml(namespace)}">\n${fields.join('')}    </${first.name}>`;
  const usageOf = (version: SoapVersion) => ({
    contentType: version.contentType,
    ...(version === soap11 && { soapAction: actionOf(service, first) }),
    sample: wrapBody(version, `\n    ${call}\n  `, header),
  });
  return {
    service: name,
    wsdl: `${address}?wsdl`,
    operations: operations.map((operation) => operation.name),
    soap11: usageOf(soap11),
    soap12: usageOf(soap12),
  };
}
