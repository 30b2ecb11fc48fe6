import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { attributeOf, parseXml, type XmlElement } from '../../src/http/xml/parse-xml.js';
import { testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import {
  calculatorPath,
  countriesPath,
  envelope,
  operation,
  postSoap,
  readSoap,
  tempuri,
  versionNames,
  versions,
} from '../support/soap.js';

const service = useService();

const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/';
const extensionOf = {
  '1.1': 'http://schemas.xmlsoap.org/wsdl/soap/',
  '1.2': 'http://schemas.xmlsoap.org/wsdl/soap12/',
} as const;

const services = [
  ['Calculator', calculatorPath, ['Add', 'Subtract', 'Multiply', 'Divide']],
  ['Countries', countriesPath, ['GetCountryInfo', 'ListCountries']],
] as const;

const get = (element: XmlElement | undefined, name: string) =>
  element && attributeOf(element, '', name);

function all(element: XmlElement, name: string): XmlElement[] {
  const inside = element.children.flatMap((child) => all(child, name));
  return element.name === name && element.namespace === wsdlNamespace
    ? [element, ...inside]
    : inside;
}

const children = (element: XmlElement, name: string, namespace = wsdlNamespace) =>
  element.children.filter((child) => child.name === name && child.namespace === namespace);

const named = (elements: readonly XmlElement[], name: string | undefined) =>
  elements.find((element) => get(element, 'name') === name?.replace(/^tns:/, ''));

describe.each(services)('the WSDL of %s', (name, path, operations) => {
  async function readWsdl() {
    const response = await service.send(`GET ${path}?wsdl`);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/xml; charset=utf-8');
    const root = parseXml(response.text);
    expect([root.namespace, root.name]).toEqual([wsdlNamespace, 'definitions']);
    expect(get(root, 'targetNamespace')).toBe(tempuri);
    return root;
  }

  test('has each operation, whose messages and faults are elements of its schema', async () => {
    const root = await readWsdl();
    const [schema] = all(root, 'types').flatMap((types) => types.children);
    const elements = schema?.children.filter((child) => child.name === 'element') ?? [];
    const messages = all(root, 'message');
    const [portType, ...others] = all(root, 'portType');
    expect(others).toEqual([]);
    const described = children(portType as XmlElement, 'operation');
    expect(described.map((each) => get(each, 'name'))).toEqual(operations);

    function elementOf(message: string | undefined): string | undefined {
      const [part, ...more] = named(messages, message)?.children ?? [];
      expect(more, message).toEqual([]);
      const element = get(part, 'element')?.replace(/^tns:/, '');
      expect(named(elements, element), `${element} is in the schema`).toBeDefined();
      return element;
    }
    for (const each of described) {
      const operationName = get(each, 'name');
      const [input] = children(each, 'input');
      const [output] = children(each, 'output');
      // Wrapped style: the element of the call is named like the operation.
      expect(elementOf(get(input, 'message'))).toBe(operationName);
      expect(elementOf(get(output, 'message'))).toBe(`${operationName}Response`);
      for (const fault of children(each, 'fault')) {
        expect(elementOf(get(fault, 'message'))).toBe(get(fault, 'name'));
      }
    }
    for (const message of messages) elementOf(get(message, 'name'));
  });

  test.each(versionNames)('has a binding and a port for SOAP %s', async (version) => {
    const root = await readWsdl();
    const extension = extensionOf[version];
    const bindingName = `${name}Soap${version === '1.2' ? '12' : ''}`;
    const binding = named(all(root, 'binding'), bindingName) as XmlElement;
    const [portType] = all(root, 'portType');
    expect(get(binding, 'type')).toBe(`tns:${get(portType, 'name')}`);
    const [style] = children(binding, 'binding', extension);
    expect([get(style, 'style'), get(style, 'transport')]).toEqual([
      'document',
      'http://schemas.xmlsoap.org/soap/http',
    ]);
    const bound = children(binding, 'operation');
    expect(bound.map((each) => get(each, 'name'))).toEqual(operations);
    for (const each of bound) {
      const [soapOperation] = children(each, 'operation', extension);
      expect(get(soapOperation, 'soapAction')).toBe(`${tempuri}${get(each, 'name')}`);
      for (const direction of ['input', 'output']) {
        const [part] = children(each, direction);
        expect(part?.children.map((body) => [body.namespace, body.name, get(body, 'use')])).toEqual(
          [[extension, 'body', 'literal']],
        );
      }
      const ofPortType = named(children(portType as XmlElement, 'operation'), get(each, 'name'));
      const faultNames = (element: XmlElement) =>
        children(element, 'fault').map((fault) => get(fault, 'name'));
      expect(faultNames(each)).toEqual(faultNames(ofPortType as XmlElement));
      for (const fault of children(each, 'fault')) {
        const [soapFault] = children(fault, 'fault', extension);
        expect([get(soapFault, 'name'), get(soapFault, 'use')]).toEqual([
          get(fault, 'name'),
          'literal',
        ]);
      }
    }
    const [definition] = all(root, 'service');
    expect(get(definition, 'name')).toBe(name);
    const port = named(children(definition as XmlElement, 'port'), bindingName) as XmlElement;
    expect(get(port, 'binding')).toBe(`tns:${bindingName}`);
    const [address] = children(port, 'address', extension);
    expect(get(address, 'location')).toBe(`${service.url}${path}`);
  });

  test('is returned for ?wsdl in any case and with any value', async () => {
    const { text } = await service.send(`GET ${path}?wsdl`);
    for (const query of ['WSDL', 'Wsdl=1', 'wsdl=', 'a=1&wsdl', 'wsdl&wsdl']) {
      expect((await service.send(`GET ${path}?${query}`)).text).toBe(text);
    }
    const head = await service.send(`HEAD ${path}?wsdl`);
    expect(head.headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  test('contains the URL of the request', async () => {
    const { text } = await service.send(`GET ${path.toUpperCase()}/?wsdl`, {
      headers: { Host: 'soap.example:8080' },
    });
    const locations = [...text.matchAll(/location="([^"]*)"/g)].map(([, location]) => location);
    expect(locations).toEqual(Array(2).fill(`http://soap.example:8080${path}`));
  });
});

describe.each(services)('the usage of %s', (name, path, operations) => {
  test('explains how to call it, with samples that work unchanged', async () => {
    const { status, headers, json } = await service.send(`GET ${path}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json).toEqual({
      service: name,
      wsdl: `${service.url}${path}?wsdl`,
      operations,
      soap11: {
        contentType: 'text/xml; charset=utf-8',
        soapAction: `${tempuri}${operations[0]}`,
        sample: expect.any(String),
      },
      soap12: {
        contentType: 'application/soap+xml; charset=utf-8',
        sample: expect.any(String),
      },
    });
    const { soap11, soap12 } = json;
    const first = await service.send(`POST ${path}`, {
      headers: { 'Content-Type': soap11.contentType, SOAPAction: soap11.soapAction },
      body: soap11.sample,
    });
    expect(readSoap(first, '1.1').content.name).toBe(`${operations[0]}Response`);
    const second = await service.send(`POST ${path}`, {
      headers: { 'Content-Type': soap12.contentType },
      body: soap12.sample,
    });
    expect(readSoap(second, '1.2').content.name).toBe(`${operations[0]}Response`);
  });
});

describe('a URL with characters that XML reserves', () => {
  const behindProxy = useService({ baseUrl: "https://api.example/a&b/'c'" });

  test('is escaped in the WSDL', async () => {
    const { text, json } = await behindProxy
      .send(`GET ${calculatorPath}?wsdl`)
      .then(async (wsdl) => ({
        text: wsdl.text,
        json: (await behindProxy.send(`GET ${calculatorPath}`)).json,
      }));
    expect(text).toContain(`location="https://api.example/a&amp;b/'c'${calculatorPath}"`);
    expect(json.wsdl).toBe(`https://api.example/a&b/'c'${calculatorPath}?wsdl`);
    parseXml(text);
  });
});

testsWith('xmllint').describe('xmllint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-xsd-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const require = createRequire(import.meta.url);
  const envelopeSchemas = join(dirname(require.resolve('strong-soap/package.json')), 'xsds');
  const envelopeFile = { '1.1': 'soap-envelope.xsd', '1.2': 'soap12-envelope.xsd' } as const;

  /** The schema of the WSDL, and a schema that imports it together with the envelope's. */
  async function writeSchemas(path: string): Promise<void> {
    const { text } = await service.send(`GET ${path}?wsdl`);
    const schema = /<xs:schema[\s\S]*<\/xs:schema>/.exec(text)?.[0] ?? '';
    const standalone = schema.replace(
      '<xs:schema ',
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="${tempuri}" `,
    );
    writeFileSync(join(folder, 'service.xsd'), standalone);
    for (const version of versionNames) {
      const imports = [
        [tempuri, 'service.xsd'],
        [versions[version].namespace, join(envelopeSchemas, envelopeFile[version])],
      ].map(
        ([namespace, file]) => `<xs:import namespace="${namespace}" schemaLocation="${file}"/>`,
      );
      writeFileSync(
        join(folder, `all-${version}.xsd`),
        `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`,
      );
    }
  }

  /** Throws the output of xmllint when the XML is not valid. */
  function validate(schema: string, xml: string): void {
    const file = join(folder, 'instance.xml');
    writeFileSync(file, xml);
    execFileSync('xmllint', ['--noout', '--nonet', '--schema', join(folder, schema), file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  const messages = [
    [calculatorPath, operation('Add', { intA: 1, intB: 2 })],
    [calculatorPath, operation('Divide', { intA: 1, intB: 0 })],
    [calculatorPath, operation('Multiply', { intA: 2147483647, intB: 2 })],
    [calculatorPath, operation('Add', { intA: 'x', intC: 2 })],
    [calculatorPath, operation('Modulo', {})],
    [calculatorPath, ''],
    [countriesPath, operation('GetCountryInfo', { countryCode: 'BR' })],
    [countriesPath, operation('GetCountryInfo', { countryCode: 'ZZ' })],
    [countriesPath, operation('ListCountries', {})],
  ] as const;

  test.each(versionNames)(
    'every SOAP %s response is valid, envelope and content',
    async (version) => {
      for (const [path, xml] of messages) {
        await writeSchemas(path);
        const { text } = await postSoap(service, path, version, envelope(version, xml));
        validate(`all-${version}.xsd`, text);
      }
      const { namespace } = versions[version];
      const understood = `<e:Header><h:A xmlns:h="urn:a" e:mustUnderstand="1"/></e:Header>`;
      for (const message of [
        envelope(version, '<x/>', understood),
        `<e:Envelope xmlns:e="${namespace}x"/>`,
        '<a',
      ]) {
        const { text } = await postSoap(service, calculatorPath, version, message);
        validate(`all-${version}.xsd`, text);
      }
    },
  );

  test('the samples of the usage are valid, and an invalid message is not', async () => {
    for (const path of [calculatorPath, countriesPath]) {
      await writeSchemas(path);
      const { json } = await service.send(`GET ${path}`);
      validate('all-1.1.xsd', json.soap11.sample);
      validate('all-1.2.xsd', json.soap12.sample);
    }
    const wrong = envelope('1.1', operation('GetCountryInfo', { code: 'DE' }));
    expect(() => validate('all-1.1.xsd', wrong)).toThrow(/This element is not expected/);
  });
});
