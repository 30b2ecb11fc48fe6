/**
 * Differences between SOAP 1.1 (W3C note, 8 May 2000) and SOAP 1.2 (W3C recommendation, part 1).
 */

export interface SoapVersion {
  readonly name: '1.1' | '1.2';
  /** Namespace of the envelope. */
  readonly namespace: string;
  /** Without parameters. */
  readonly mediaType: string;
  /** Content-Type of every response. */
  readonly contentType: string;
  /** Attribute that names the receiver of a header entry. */
  readonly roleAttribute: 'actor' | 'role';
  /** Its values that mean this service; so does an absent or empty value. */
  readonly ownRoles: readonly string[];
  /** Allowed values of `mustUnderstand`, and their meaning. */
  readonly mustUnderstandValues: Readonly<Record<string, boolean>>;
}

export const soap11: SoapVersion = {
  name: '1.1',
  namespace: 'http://schemas.xmlsoap.org/soap/envelope/',
  mediaType: 'text/xml',
  contentType: 'text/xml; charset=utf-8',
  roleAttribute: 'actor',
  ownRoles: ['http://schemas.xmlsoap.org/soap/actor/next'],
  mustUnderstandValues: { __proto__: null as never, 0: false, 1: true },
};

export const soap12: SoapVersion = {
  name: '1.2',
  namespace: 'http://www.w3.org/2003/05/soap-envelope',
  mediaType: 'application/soap+xml',
  contentType: 'application/soap+xml; charset=utf-8',
  roleAttribute: 'role',
  ownRoles: [
    'http://www.w3.org/2003/05/soap-envelope/role/next',
    'http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver',
  ],
  mustUnderstandValues: {
    __proto__: null as never,
    0: false,
    false: false,
    1: true,
    true: true,
  },
};

export const soapVersions: readonly SoapVersion[] = [soap11, soap12];

/**
 * Writes an envelope; `header` and `body` are XML that may use the prefix `soap` for the version's
 * namespace.
 */
export function wrapBody({ namespace }: SoapVersion, body: string, header = ''): string {
  const headerXml = header === '' ? '' : `<soap:Header>${header}</soap:Header>`;
  return `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${namespace}">${headerXml}<soap:Body>${body}</soap:Body></soap:Envelope>`;
}
