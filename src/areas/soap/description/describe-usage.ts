/** Describes how to call a service, with a ready-to-send message for each version of SOAP. */

import { escapeXml } from '#http/xml/text.js';
import { actionOf, type Service } from '../service.js';
import { type SoapVersion, soap11, soap12, wrapBody } from '../soap-version.js';

/**
 * Describes samples of the first operation.
 *
 * @param address URL of the service
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
    wsdl: `${address}${address.includes('?') ? '&' : '?'}wsdl`,
    operations: operations.map((operation) => operation.name),
    soap11: usageOf(soap11),
    soap12: usageOf(soap12),
  };
}
