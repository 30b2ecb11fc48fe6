/** Calls of the SOAP services, with checks of every response. */

import { expect } from 'vitest';
import { type SoapVersion, soap11, soap12 } from '../../src/areas/soap/soap-version.js';
import { parseXml, type XmlElement } from '../../src/http/xml/parse-xml.js';
import type { HttpResponse, SendOptions, TestService } from './service.js';

export const versions = { '1.1': soap11, '1.2': soap12 } as const;
export type VersionName = keyof typeof versions;
export const versionNames = ['1.1', '1.2'] as const satisfies readonly VersionName[];

export const calculatorPath = '/api/soap/calculator';
export const countriesPath = '/api/soap/countries';
export const tempuri = 'http://tempuri.org/';

export interface SoapFaultResponse {
  /** Without the prefix, which has been resolved to the namespace of the version. */
  readonly code: string;
  /** In the namespace of the service. */
  readonly subcode: string | undefined;
  readonly reason: string;
  readonly detail: XmlElement | undefined;
}

export interface SoapResponse {
  readonly status: number;
  readonly text: string;
  readonly header: readonly XmlElement[];
  /** The element inside the Body. */
  readonly content: XmlElement;
  readonly fault: SoapFaultResponse | undefined;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the default of the version. */
  readonly contentType?: string;
}

/** `xml` inside an envelope that uses the prefix `e`. */
export function envelope(version: VersionName, xml: string, header = ''): string {
  return `<e:Envelope xmlns:e="${versions[version].namespace}">${header}<e:Body>${xml}</e:Body></e:Envelope>`;
}

/** A call of an operation with parameters by name. */
export function operation(name: string, parameters: Readonly<Record<string, string | number>>) {
  const fields = Object.entries(parameters).map(
    ([field, value]) => `<${field}>${value}</${field}>`,
  );
  return `<${name} xmlns="${tempuri}">${fields.join('')}</${name}>`;
}

/** Posts a whole message and checks that the response is an envelope of the same version. */
export async function postSoap(
  service: TestService,
  path: string,
  version: VersionName,
  body: string | Uint8Array,
  { headers, contentType }: CallOptions = {},
): Promise<SoapResponse> {
  const options: SendOptions = {
    headers: { 'Content-Type': contentType ?? versions[version].contentType, ...headers },
    body,
  };
  return readSoap(await service.send(`POST ${path}`, options), version);
}

/** Checks a response as a SOAP client would parse it. */
export function readSoap(response: HttpResponse, versionName: VersionName): SoapResponse {
  const version: SoapVersion = versions[versionName];
  const { status, headers, text } = response;
  expect(headers['content-type'], text).toBe(version.contentType);
  const root = parseXml(text);
  expect([root.namespace, root.name]).toEqual([version.namespace, 'Envelope']);
  const body = root.children.at(-1) as XmlElement;
  expect([body.namespace, body.name]).toEqual([version.namespace, 'Body']);
  expect(body.children).toHaveLength(1);
  const content = body.children[0] as XmlElement;
  const header = root.children.length > 1 ? (root.children[0]?.children ?? []) : [];
  const isFault = content.namespace === version.namespace && content.name === 'Fault';
  if (!isFault) {
    expect(status).toBe(200);
    expect(header).toEqual([]);
    return { status, text, header, content, fault: undefined };
  }
  const fault = versionName === '1.1' ? readFault11(content) : readFault12(content);
  expect(status).toBe(versionName === '1.2' && fault.code === 'Sender' ? 400 : 500);
  expect(fault.reason.length).toBeGreaterThan(0);
  expect(fault.reason.length, 'a reason does not repeat all it was sent').toBeLessThan(4000);
  return { status, text, header, content, fault };
}

function readFault11({ children }: XmlElement): SoapFaultResponse {
  // SOAP 1.1 section 4.4: these are in no namespace.
  expect(children.map(({ namespace }) => namespace)).toEqual(children.map(() => ''));
  const [code, reason, detail, ...more] = children;
  expect([code?.name, reason?.name, ...more]).toEqual(['faultcode', 'faultstring']);
  if (detail !== undefined) expect(detail.name).toBe('detail');
  expect(code?.text).toMatch(/^soap:/);
  return {
    code: code?.text.slice(5) ?? '',
    subcode: undefined,
    reason: reason?.text ?? '',
    detail: detail?.children[0],
  };
}

function readFault12({ namespace, children }: XmlElement): SoapFaultResponse {
  expect(children.map((child) => child.namespace)).toEqual(children.map(() => namespace));
  const [code, reason, detail, ...more] = children;
  expect([code?.name, reason?.name, ...more]).toEqual(['Code', 'Reason']);
  if (detail !== undefined) expect(detail.name).toBe('Detail');
  const [value, subcode] = code?.children ?? [];
  const [text] = reason?.children ?? [];
  expect(value?.text).toMatch(/^soap:/);
  expect(text?.attributes).toEqual([
    { namespace: 'http://www.w3.org/XML/1998/namespace', name: 'lang', value: 'en' },
  ]);
  if (subcode !== undefined) expect(subcode.children[0]?.text).toMatch(/^m:/);
  return {
    code: value?.text.slice(5) ?? '',
    subcode: subcode?.children[0]?.text.slice(2),
    reason: text?.text ?? '',
    detail: detail?.children[0],
  };
}

/** The fields of a record element by name; only the fields that contain text. */
export function fieldsOf(element: XmlElement | undefined): Record<string, string> {
  return Object.fromEntries((element?.children ?? []).map(({ name, text }) => [name, text]));
}
