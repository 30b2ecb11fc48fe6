/**
 * Parses the Security header of a message, with its Timestamp and UsernameToken, and checks their
 * form.
 */

import type { XmlElement } from '#http/xml/parse-xml.js';
import type { QualifiedName } from '#http/xml/qualified-name.js';
import { describe } from '#http/xml/qualified-name.js';
import { trimXml } from '#http/xml/text.js';
import {
  securityHeader,
  wsse,
  wsse11,
  wsu,
  xmlEncryption,
  xmlSignature,
} from '../security-names.js';
import { securityFault } from './security-fault.js';

export interface SecurityParts {
  readonly timestamp: XmlElement | undefined;
  readonly token: XmlElement;
}

/** `entries` are the header entries for this service. Throws a fault. */
export function readSecurity(
  entries: readonly XmlElement[],
  isTimestampOptional: boolean,
): SecurityParts {
  const [security, ...others] = entries.filter((entry) => is(entry, securityHeader));
  if (security === undefined) throw noSecurity(entries);
  if (others.length > 0) {
    const count = others.length + 1;
    const message = `The message has ${count} Security headers for this service. Send one.`;
    throw securityFault('InvalidSecurity', message);
  }
  for (const child of security.children) checkSupported(child);
  const timestamp = optionalChild(security, timestampName, 'InvalidSecurity');
  if (timestamp === undefined && !isTimestampOptional) {
    const message =
      'The Security header has no Timestamp. Send one, or add ?timestamp=optional to the URL.';
    throw securityFault('InvalidSecurity', message);
  }
  return {
    timestamp,
    token: onlyChild(security, tokenName, 'InvalidSecurity'),
  };
}

const timestampName = { namespace: wsu, name: 'Timestamp' };
const tokenName = { namespace: wsse, name: 'UsernameToken' };

function is(element: XmlElement, { namespace, name }: QualifiedName): boolean {
  return element.name === name && element.namespace === namespace;
}

function noSecurity(entries: readonly XmlElement[]) {
  const alike = entries.find(({ name }) => name === 'Security');
  const found =
    alike === undefined
      ? 'Send one with a wsu:Timestamp and a wsse:UsernameToken.'
      : `It has ${describe(alike)}. The namespace must be ${wsse}.`;
  return securityFault(
    'InvalidSecurity',
    `The message has no wsse:Security header for this service. ${found}`,
  );
}

const otherTokens = new Set(['BinarySecurityToken', 'SecurityTokenReference', 'Assertion']);

function checkSupported(child: XmlElement): void {
  const { namespace, name } = child;
  if (is(child, timestampName) || is(child, tokenName)) return;
  if (namespace === xmlSignature || namespace === xmlEncryption || namespace === wsse11) {
    const message = `The Security header has ${describe(child)}. Signatures and encryption are not supported.`;
    throw securityFault('UnsupportedAlgorithm', message);
  }
  if (otherTokens.has(name)) {
    const message = `The Security header has ${describe(child)}. The only supported token is a UsernameToken.`;
    throw securityFault('UnsupportedSecurityToken', message);
  }
  const near = [timestampName, tokenName].find((each) => each.name === name);
  const hint =
    near === undefined
      ? 'It must have a wsu:Timestamp and a wsse:UsernameToken.'
      : `Its namespace must be ${near.namespace}.`;
  throw securityFault('InvalidSecurity', `The Security header has ${describe(child)}. ${hint}`);
}

function titleOf(element: XmlElement): string {
  return is(element, securityHeader) ? 'Security header' : element.name;
}

type PartFault = 'InvalidSecurity' | 'InvalidSecurityToken';

/** Returns the child of that name. Throws a fault if there is none or more than one. */
export function onlyChild(parent: XmlElement, name: QualifiedName, code: PartFault): XmlElement {
  const child = optionalChild(parent, name, code);
  if (child !== undefined) return child;
  throw securityFault(code, `The ${titleOf(parent)} has no ${name.name}. Send one.`);
}

export function optionalChild(
  parent: XmlElement,
  name: QualifiedName,
  code: PartFault,
): XmlElement | undefined {
  const [child, ...others] = parent.children.filter((each) => is(each, name));
  if (others.length === 0) return child;
  const message = `The ${titleOf(parent)} has ${others.length + 1} ${name.name} elements. Send one.`;
  throw securityFault(code, message);
}

/** Throws a fault for a child that is not in `known`. */
export function checkChildren(
  parent: XmlElement,
  known: readonly QualifiedName[],
  code: PartFault,
): void {
  for (const child of parent.children) {
    if (known.some((name) => is(child, name))) continue;
    const near = known.find(({ name }) => name === child.name);
    const hint =
      near === undefined
        ? `It must have ${known.map(({ name }) => name).join(', ')}.`
        : `Its namespace must be ${near.namespace}.`;
    throw securityFault(code, `The ${parent.name} has ${describe(child)}. ${hint}`);
  }
}

/** Returns the text of a child without surrounding white space. */
export function textOf(element: XmlElement): string {
  return trimXml(element.text);
}
