import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXml } from '#http/xml/parse-xml.js';
import { caseCount } from '../../../test/support/case-count.js';
import { createCaller, type SoapRequest } from './call-service.js';
import { operation, type Service } from './service.js';
import { calculator } from './services/calculator.js';
import { soap11, soapVersions, wrapBody } from './soap-version.js';

function serviceWith(call: () => { Result: { Text: string } }): Service {
  return {
    name: 'Test',
    summary: 'For tests.',
    path: '/test',
    namespace: 'urn:test',
    operations: [
      operation({
        name: 'Ask',
        summary: 'Asks.',
        parameters: {},
        response: { Result: { name: 'Result', fields: { Text: 'string' } } },
        faults: [],
        call,
      }),
    ],
  };
}

const request = (version = soap11, body = '<Ask xmlns="urn:test"/>'): SoapRequest => ({
  version,
  charset: undefined,
  action: undefined,
  bytes: Buffer.from(wrapBody(version, body)),
});

describe.each(soapVersions)('SOAP $name', (version) => {
  test('an unexpected failure is reported, and hidden from the caller', () => {
    const failure = new TypeError('secret of the inside');
    const call = createCaller(
      serviceWith(() => {
        throw failure;
      }),
    );
    const reported: unknown[] = [];
    const response = call(request(version), (error) => reported.push(error));
    expect(reported).toEqual([failure]);
    expect(response).toMatchObject({ status: 500, contentType: version.contentType });
    expect(response.body).not.toContain('secret');
    expect(response.body).toContain(version === soap11 ? 'soap:Server' : 'soap:Receiver');
    expect(response.body).toContain('<InternalFailure xmlns="urn:test"></InternalFailure>');
  });
});

test('a frozen value is written once, others each time', () => {
  const texts = ['one', 'two'];
  const frozen = Object.freeze({ Text: 'one' });
  const changing = { Text: 'one' };
  const callerOf = (value: { Text: string }) =>
    createCaller(serviceWith(() => ({ Result: value })));
  for (const [value, expected] of [
    [frozen, ['one', 'one']],
    [changing, texts],
  ] as const) {
    const call = callerOf(value);
    for (const text of expected) {
      changing.Text = text;
      const { body } = call(request(), () => expect.unreachable());
      expect(body).toContain(`<Result><Text>${text}</Text></Result>`);
    }
  }
});

describe('any input', () => {
  const call = createCaller(calculator);
  const version = fc.constantFrom(...soapVersions);
  const charset = fc.option(fc.constantFrom('utf-8', 'utf-16', 'latin1', 'x'), { nil: undefined });
  const action = fc.option(fc.string(), { nil: undefined });

  function check(sent: SoapRequest): void {
    const { status, contentType, body } = call(sent, (error) => {
      throw error;
    });
    expect([200, 400, 500]).toContain(status);
    expect(contentType).toBe(sent.version.contentType);
    expect(parseXml(body).namespace).toBe(sent.version.namespace);
  }

  test('gets an envelope: bytes of any kind', () => {
    fc.assert(
      fc.property(version, charset, action, fc.uint8Array(), (v, c, a, bytes) =>
        check({ version: v, charset: c, action: a, bytes: Buffer.from(bytes) }),
      ),
    );
  });

  test('gets an envelope: a call with one piece replaced by another', () => {
    const call = wrapBody(
      soap11,
      '<Add xmlns="http://tempuri.org/"><intA>1</intA><intB>2</intB></Add>',
    );
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '&',
        '&#',
        ']]>',
        '<!--',
        '<![CDATA[',
        '<!DOCTYPE',
        '<?',
        '"',
        'xmlns',
        ':',
        '\u0000',
        '\ufeff',
        '__proto__',
        'constructor',
      ),
      fc
        .tuple(fc.nat(call.length), fc.nat(40))
        .map(([start, length]) => call.slice(start, start + length)),
    );
    const change = fc.tuple(fc.nat(call.length), fc.nat(40), piece);
    fc.assert(
      fc.property(version, fc.array(change, { minLength: 1, maxLength: 4 }), (v, changes) => {
        const changed = changes.reduce(
          (text, [start, length, put]) => text.slice(0, start) + put + text.slice(start + length),
          wrapBody(v, call.slice(call.indexOf('<Add'), call.indexOf('</soap:Body>'))),
        );
        check({ version: v, charset: undefined, action: undefined, bytes: Buffer.from(changed) });
      }),
      { numRuns: caseCount(1000) },
    );
  });
});
