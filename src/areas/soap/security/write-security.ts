/**
 * Security text for clients: the policy in the WSDL, and a header that is valid for five minutes.
 */

import { escapeXml } from '#http/xml/text.js';
import { passwordText, wsse, wsu } from '../security-names.js';
import { soapUser } from './soap-user.js';

const securityPolicy = 'http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702';
const policyId = 'UsernameTokenPolicy';

export const policyNamespaces = [
  '    xmlns:wsp="http://www.w3.org/ns/ws-policy"',
  `    xmlns:wsu="${wsu}"`,
];

export const policyReference = `    <wsp:PolicyReference URI="#${policyId}"/>`;

/**
 * WS-SecurityPolicy 1.2 section 8.1. It can require a Timestamp only of messages that are signed or
 * sent over TLS.
 */
export const policyLines = [
  `  <wsp:Policy wsu:Id="${policyId}">`,
  `    <sp:SupportingTokens xmlns:sp="${securityPolicy}">`,
  '      <wsp:Policy>',
  `        <sp:UsernameToken sp:IncludeToken="${securityPolicy}/IncludeToken/AlwaysToRecipient">`,
  '          <wsp:Policy><sp:WssUsernameToken10/></wsp:Policy>',
  '        </sp:UsernameToken>',
  '      </wsp:Policy>',
  '    </sp:SupportingTokens>',
  '  </wsp:Policy>',
];

const lifetimeMs = 300_000;

/** `soap` is the prefix of the envelope. */
export function sampleSecurity(nowMs: number): string {
  const time = (timeMs: number) => new Date(timeMs).toISOString();
  const { username, password } = soapUser;
  return `
    <wsse:Security xmlns:wsse="${wsse}" xmlns:wsu="${wsu}" soap:mustUnderstand="1">
      <wsu:Timestamp>
        <wsu:Created>${time(nowMs)}</wsu:Created>
        <wsu:Expires>${time(nowMs + lifetimeMs)}</wsu:Expires>
      </wsu:Timestamp>
      <wsse:UsernameToken>
        <wsse:Username>${escapeXml(username)}</wsse:Username>
        <wsse:Password Type="${passwordText}">${escapeXml(password)}</wsse:Password>
      </wsse:UsernameToken>
    </wsse:Security>
  `;
}
