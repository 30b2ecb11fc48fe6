/** The envelope of every message that this service writes. */

import { escapeXml } from './escape-xml.js';
import type { SoapVersion } from './soap-version.js';

/** `header` and `body` are XML that may use the prefix `soap` for the namespace of the version. */
export function wrapBody({ namespace }: SoapVersion, body: string, header = ''): string {
  const headerXml = header === '' ? '' : `<soap:Header>${header}</soap:Header>`;
  return `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${escapeXml(namespace)}">${headerXml}<soap:Body>${body}</soap:Body></soap:Envelope>`;
}
