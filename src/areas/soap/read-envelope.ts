/**
 * Parses the envelope of a call: SOAP 1.1 section 4, Basic Profile 1.1 section 3, SOAP 1.2 part 1
 * sections 2.6 and 5.
 */

import { attributeOf, parseXml, type XmlElement } from '#http/xml/parse-xml.js';
import { describe, type QualifiedName } from '#http/xml/qualified-name.js';
import { quote, trimXml } from '#http/xml/text.js';
import { invalidBody } from './body-faults.js';
import { securityHeader } from './security-names.js';
import { SoapFault, typedFault } from './soap-fault.js';
import { type SoapVersion, soapVersions } from './soap-version.js';

export interface Envelope {
  /** Header entries for this service. */
  readonly headers: readonly XmlElement[];
  /** The only element inside the Body. */
  readonly entry: XmlElement;
}

interface ReadOptions {
  /** The only header entry that the service supports. */
  readonly understood?: QualifiedName;
  /** Receives the root of a well-formed message. */
  readonly onParsed?: ((root: XmlElement) => void) | undefined;
}

/** Parses a message in `version`; throws {@link SoapFault} and {@link XmlError}. */
export function readEnvelope(
  xml: string,
  version: SoapVersion,
  { understood, onParsed }: ReadOptions = {},
): Envelope {
  const envelope = parseXml(xml);
  onParsed?.(envelope);
  checkVersion(envelope, version);
  const { header, body } = partsOf(envelope, version);
  const headers = header === undefined ? [] : readHeader(header, version, understood);
  return { headers, entry: onlyEntry(body, version) };
}

function checkVersion({ namespace, name }: XmlElement, version: SoapVersion): void {
  if (name === 'Envelope' && namespace === version.namespace) return;
  const expected = `an Envelope in the namespace ${version.namespace}`;
  const reason = `Content-Type ${version.mediaType} means SOAP ${version.name}, whose root is ${expected}`;
  const other = soapVersions.find((each) => each !== version && each.namespace === namespace);
  const found =
    name === 'Envelope' && other !== undefined
      ? `this Envelope is SOAP ${other.name}. Send it as ${other.mediaType}, or change its namespace.`
      : `the root is ${describe({ namespace, name })}.`;
  throw new SoapFault('VersionMismatch', `${reason}, but ${found}`);
}

function partsOf(envelope: XmlElement, version: SoapVersion) {
  const parts = [...envelope.children];
  for (const part of parts) {
    const isKnown = part.name === 'Header' || part.name === 'Body';
    if (part.namespace === version.namespace && isKnown) continue;
    throw invalid(
      `The Envelope has ${describe(part)}. It must have an optional Header and then a Body, both in the namespace ${version.namespace}.`,
    );
  }
  const header = parts[0]?.name === 'Header' ? parts.shift() : undefined;
  const [body, ...more] = parts;
  if (body === undefined) throw invalid('The Envelope has no Body.');
  if (body.name !== 'Body' || more.length > 0) {
    throw invalid('The Envelope must have an optional Header and then one Body, in that order.');
  }
  for (const element of [envelope, header, body]) {
    if (element !== undefined) checkStructure(element, version);
  }
  return { header, body };
}

/** Rejects text and attributes that elements of the envelope must not have. */
function checkStructure(element: XmlElement, version: SoapVersion): void {
  if (trimXml(element.text) !== '') {
    throw invalid(`The ${element.name} has text beside its elements: ${quote(element.text)}.`);
  }
  const isEncoded = attributeOf(element, version.namespace, 'encodingStyle') !== undefined;
  if (version.name === '1.2' && isEncoded) {
    throw invalid(`In SOAP 1.2 the ${element.name} must not have an encodingStyle.`);
  }
}

/**
 * Returns the entries for this service. Throws a fault for entries that must be understood but are
 * unknown.
 */
function readHeader(
  header: XmlElement,
  version: SoapVersion,
  understood: QualifiedName | undefined,
): readonly XmlElement[] {
  const notUnderstood: QualifiedName[] = [];
  const headers: XmlElement[] = [];
  for (const entry of header.children) {
    const { namespace, name } = entry;
    if (namespace === '') {
      throw invalid(`The header entry ${quote(name)} must be in a namespace.`);
    }
    const isDemanded = mustBeUnderstood(entry, version);
    if (!isForUs(entry, version)) continue;
    headers.push(entry);
    const isKnown = name === understood?.name && namespace === understood.namespace;
    if (isDemanded && !isKnown) notUnderstood.push(entry);
  }
  if (notUnderstood.length === 0) return headers;
  const named = notUnderstood.slice(0, maxNamed);
  const known = understood === undefined ? 'no header entry' : `only ${understood.name}`;
  const isSecured = notUnderstood.some(({ namespace }) => namespace === securityHeader.namespace);
  const hint = isSecured && understood === undefined ? ' /api/soap/secure supports Security.' : '';
  const message = `These header entries must be understood, but ${known} is supported: ${named.map(describe).join(', ')}.${hint}`;
  throw new SoapFault('MustUnderstand', message, { notUnderstood: named });
}

/**
 * A fault names at most this many header entries, because a response should not be much larger than
 * its call.
 */
const maxNamed = 20;

function mustBeUnderstood(entry: XmlElement, version: SoapVersion): boolean {
  const sent = attributeOf(entry, version.namespace, 'mustUnderstand');
  if (sent === undefined) return false;
  const value = version.mustUnderstandValues[trimXml(sent)];
  if (value === undefined) {
    const known = Object.keys(version.mustUnderstandValues).join(', ');
    throw invalid(
      `mustUnderstand of ${describe(entry)} is ${quote(sent)}; in SOAP ${version.name} it must be one of ${known}.`,
    );
  }
  return value;
}

function isForUs(entry: XmlElement, version: SoapVersion): boolean {
  const role = trimXml(attributeOf(entry, version.namespace, version.roleAttribute) ?? '');
  return role === '' || version.ownRoles.includes(role);
}

function onlyEntry(body: XmlElement, version: SoapVersion): XmlElement {
  const [entry, ...others] = body.children;
  if (entry === undefined || others.length > 0) {
    const found = entry === undefined ? 'is empty' : `holds ${others.length + 1} elements`;
    const message = `The Body ${found}. It must have one: the operation to call.`;
    throw typedFault('Sender', invalidBody, message, { Elements: body.children.length });
  }
  if (version.name === '1.2') checkEncoding(entry, version);
  return entry;
}

/** Rejects encoding styles, because the messages are literal XML. */
function checkEncoding(element: XmlElement, version: SoapVersion): void {
  const style = attributeOf(element, version.namespace, 'encodingStyle');
  if (style !== undefined && trimXml(style) !== `${version.namespace}/encoding/none`) {
    const message = `The encodingStyle ${quote(style)} is not supported. Leave it out: the messages are literal XML.`;
    throw new SoapFault('DataEncodingUnknown', message);
  }
  for (const child of element.children) checkEncoding(child, version);
}

function invalid(message: string): SoapFault {
  return new SoapFault('Sender', message, { subcode: 'InvalidEnvelope' });
}
