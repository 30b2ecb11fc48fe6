/** Names of WS-Security: SOAP Message Security 1.1.1 and UsernameToken Profile 1.1.1. */

const oasis = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';

export const wsse = `${oasis}wssecurity-secext-1.0.xsd`;
export const wsu = `${oasis}wssecurity-utility-1.0.xsd`;
export const wsse11 = 'http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd';
export const xmlSignature = 'http://www.w3.org/2000/09/xmldsig#';
export const xmlEncryption = 'http://www.w3.org/2001/04/xmlenc#';

export const passwordText = `${oasis}username-token-profile-1.0#PasswordText`;
export const passwordDigest = `${oasis}username-token-profile-1.0#PasswordDigest`;
export const base64Binary = `${oasis}soap-message-security-1.0#Base64Binary`;

export const securityHeader = { namespace: wsse, name: 'Security' };
