/** Challenges about SOAP. */

import { mediaType } from '#http/body/request-body.js';
import type { ParsedElement } from '#http/exchange.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import { header, isThere, keep, status, typeReceived, when } from '../checks.js';
import { callIn, hasChild, headersIn, parameterIn } from '../read-messages.js';
import { inTrack, step, texts } from '../track.js';
import { soapCases } from './cases/soap.js';

const soap = inTrack('soap', soapCases);

const calculator = '/api/soap/calculator';
const countries = '/api/soap/countries';
const secure = '/api/soap/secure';

const isParsed = when(({ parsed }) => parsed.xml !== undefined, 'The body is not well-formed XML.');

const calls = (operation: string) => [
  isParsed,
  when((exchange) => callIn(exchange)?.name === operation, `The body does not call ${operation}.`),
];

const type = (wanted: string, otherwise: string) =>
  header('content-type', (value) => mediaType(value) === wanted, otherwise);

const works = status(200, 'The response is a fault.');
const fails = when(({ status: code }) => code >= 400, 'There was no fault.');

/** Returns the number of a parameter; `NaN` without one. */
const numberIn = (exchange: Exchange, name: string) =>
  Number(parameterIn(exchange, name) || Number.NaN);

const isNumber = (name: string) =>
  when((exchange) => !Number.isNaN(numberIn(exchange, name)), `${name} is no number.`);

const isQuoted = (value: string) =>
  value.length > 2 && value.startsWith('"') && value.endsWith('"');

const mustBeUnderstood = ({ attributes }: ParsedElement): boolean =>
  attributes.some(
    ({ name, value }) => name === 'mustUnderstand' && (value === '1' || value === 'true'),
  );

/** The code of the fault, as the service writes it. */
const notUnderstood = /<(?:\w{1,9}:)?(?:faultcode|Value)>(?:\w{1,9}:)?MustUnderstand</;

const calling = [
  soap(
    'soap-wsdl',
    1,
    texts(
      'Read the contract',
      'Get the WSDL of /api/soap/calculator.',
      'Where does a tool learn operations and types of a service? | WSDL 1.1 section 2.1: a document describes them; by custom it is at the URL of the service with the query wsdl. | GET /api/soap/calculator?wsdl',
      'Tools generate clients from the WSDL.',
      cite('WSDL 1.1', '2.1'),
    ),
    [
      step(`GET|HEAD ${calculator}`, [
        when(
          (exchange) => exchange.status === 200 && typeReceived(exchange) === 'text/xml',
          'This is the usage, and not the WSDL.',
        ),
      ]),
    ],
  ),
  soap(
    'soap-add',
    1,
    texts(
      'Add with SOAP 1.1',
      'Call Add of /api/soap/calculator with SOAP 1.1 and its SOAPAction in double quotes.',
      'How does a receiver of SOAP 1.1 learn the intent before it reads the body? | SOAP 1.1 section 6.1.1: SOAPAction names it, in double quotes. GET /api/soap/calculator shows a sample. | POST with Content-Type: text/xml and SOAPAction: "http://tempuri.org/Add"',
      'SOAP 1.1 names the action in a header, in double quotes.',
      cite('SOAP 1.1', '6.1.1'),
    ),
    [
      step(`POST ${calculator}`, [
        type('text/xml', 'This is not the Content-Type of SOAP 1.1.'),
        ...calls('Add'),
        header('soapaction', isThere, 'You sent no SOAPAction.'),
        header('soapaction', isQuoted, 'SOAPAction is not in double quotes, or empty.'),
        works,
      ]),
    ],
  ),
  soap(
    'soap-12',
    1,
    texts(
      'Multiply with SOAP 1.2',
      'Call Multiply of /api/soap/calculator with SOAP 1.2.',
      'How does a receiver tell SOAP 1.2 from SOAP 1.1? | SOAP 1.2 Part 1 section 5.1: the envelope has another namespace; the media type is application/soap+xml. | POST with Content-Type: application/soap+xml and the namespace http://www.w3.org/2003/05/soap-envelope',
      'SOAP 1.2 has its own namespace and media type.',
      cite('SOAP 1.2 Part 1', '5.1'),
    ),
    [
      step(`POST ${calculator}`, [
        type('application/soap+xml', 'This is not the Content-Type of SOAP 1.2.'),
        ...calls('Multiply'),
        works,
      ]),
    ],
  ),
  soap(
    'soap-country',
    1,
    texts(
      'A country',
      'Call GetCountryInfo of /api/soap/countries for Norway, whose code is NO.',
      'Where in the message is a parameter? | SOAP 1.1 section 7.1: the operation is an element in the body, and its parameters are inside. | POST /api/soap/countries with GetCountryInfo, and countryCode with NO inside',
      'The operation is an element of the namespace of the service.',
      cite('SOAP 1.1', '7.1'),
    ),
    [
      step(`POST ${countries}`, [
        ...calls('GetCountryInfo'),
        when(
          (exchange) => parameterIn(exchange, 'countryCode')?.toUpperCase() === 'NO',
          'The call is about another country, or none.',
        ),
        works,
      ]),
    ],
  ),
  soap(
    'soap-list',
    1,
    texts(
      'Without parameters',
      'Call ListCountries of /api/soap/countries.',
      'What does a call without parameters look like? | SOAP 1.1 section 7.1: the operation is an element in the body; without parameters it is empty. | POST /api/soap/countries with an empty ListCountries in the namespace of the service',
      'An operation without parameters is an empty element.',
      cite('SOAP 1.1', '7.1'),
    ),
    [step(`POST ${countries}`, [...calls('ListCountries'), works])],
  ),
];

const failing = [
  soap(
    'soap-fault',
    2,
    texts(
      'A fault',
      'Get a fault for a division by zero with Divide of /api/soap/calculator, then divide by another number.',
      'How does SOAP say that a call has failed? | SOAP 1.2 Part 1 section 5.4: the body has a fault, which says who is at fault. SOAP 1.1 sends it with 500. | POST Divide with intB 0, then with another intB',
      'A fault says who is at fault: the sender or the receiver.',
      cite('SOAP 1.2 Part 1', '5.4'),
    ),
    [
      step(`POST ${calculator}`, [
        ...calls('Divide'),
        isNumber('intA'),
        when((exchange) => numberIn(exchange, 'intB') === 0, 'This is no division by zero.'),
        fails,
      ]),
      step(`POST ${calculator}`, [...calls('Divide'), works]),
    ],
  ),
  soap(
    'soap-missing',
    2,
    texts(
      'A missing parameter',
      'Call Subtract of /api/soap/calculator with intA and without intB, get the fault, then call it with the same intA and intB.',
      'Who notices that a parameter is missing? | SOAP 1.2 Part 1 section 5.4: the service checks the message, and the fault names the sender. | POST Subtract with intA only, then with intA and intB',
      'A service checks a message against its schema.',
      cite('SOAP 1.2 Part 1', '5.4'),
    ),
    [
      step(
        `POST ${calculator}`,
        [
          ...calls('Subtract'),
          isNumber('intA'),
          when((exchange) => parameterIn(exchange, 'intB') === undefined, 'intB was sent.'),
          fails,
        ],
        { keep: keep({ intA: (exchange) => String(numberIn(exchange, 'intA')) }) },
      ),
      step(`POST ${calculator}`, [
        ...calls('Subtract'),
        when(
          (exchange, { intA }) => String(numberIn(exchange, 'intA')) === intA,
          'This call has another intA than the failed call.',
        ),
        works,
      ]),
    ],
  ),
  soap(
    'soap-must-understand',
    3,
    texts(
      'Understand it, or fail',
      'Send a header that the service must understand but does not, and get the fault for it.',
      'What if a receiver does not know a header that matters? | SOAP 1.2 Part 1 section 5.2.3: the attribute mustUnderstand of the envelope makes it fail. | POST with an unknown element in the header, with mustUnderstand="1" in the namespace of the envelope',
      'mustUnderstand prevents that a header is silently ignored.',
      cite('SOAP 1.2 Part 1', '5.2.3'),
    ),
    [
      step(`POST ${calculator}|${countries}`, [
        isParsed,
        when((exchange) => headersIn(exchange).length > 0, 'The envelope has no header.'),
        when(
          (exchange) => headersIn(exchange).some(mustBeUnderstood),
          'The service may ignore the header.',
        ),
        when(
          ({ responseBody }) => notUnderstood.test(responseBody),
          'The fault has another cause, or there is none.',
        ),
      ]),
    ],
  ),
  soap(
    'soap-security',
    3,
    texts(
      'A signed-in caller',
      'Call an operation of /api/soap/secure with a UsernameToken.',
      'Where are the credentials if a message passes several receivers? | WSS UsernameToken Profile 1.1.1 section 3.1: in the header of the message, as wsse:Security with a UsernameToken. | GET /api/soap/secure, and POST its sample',
      'WS-Security puts credentials into the message instead of the transport.',
      cite('WSS UsernameToken Profile 1.1.1', '3.1'),
    ),
    [
      step(`POST ${secure}`, [
        isParsed,
        when(
          (exchange) => headersIn(exchange).some(({ name }) => name === 'Security'),
          'The header of the message has no Security.',
        ),
        when(
          (exchange) => headersIn(exchange).some((each) => hasChild(each, 'UsernameToken')),
          'Security has no UsernameToken.',
        ),
        works,
      ]),
    ],
  ),
];

export const soapTrack = [...calling, ...failing];
