/** Challenges about SOAP. */

import type { ParsedElement } from '../../../http/exchange.js';
import type { Check } from '../challenge.js';
import { header, status, when } from '../checks.js';
import { elementsNamed, elementsOf } from '../read-messages.js';
import { inTrack, step, texts } from '../track.js';

const soap = inTrack('soap');

const calculator = '/api/soap/calculator';
const countries = '/api/soap/countries';
const secure = '/api/soap/secure';
const isParsed = when(
  ({ parsed }) => parsed.xml !== undefined,
  'The body is not well-formed XML. Read the text of the fault.',
);
/** A condition on the elements of a name in a message that could be parsed. */
const element = (
  name: string,
  holds: (element: ParsedElement) => boolean,
  otherwise: string,
): readonly Check[] => [
  isParsed,
  when((exchange) => elementsNamed(exchange, name).some(holds), otherwise),
];
const has = (name: string, otherwise: string) => element(name, () => true, otherwise);
const calls = (operation: string) => has(operation, `The body does not call ${operation}.`);
const type11 = header('content-type', /^text\/xml/i, 'SOAP 1.1 has the Content-Type text/xml.');
const type12 = header(
  'content-type',
  /^application\/soap\+xml/i,
  'SOAP 1.2 has the Content-Type application/soap+xml.',
);
const works = status(200, 'The response is a fault. Read its text.');

export const soapTrack = [
  soap(
    'soap-wsdl',
    1,
    texts(
      'Read the contract',
      'Get the WSDL of the calculator.',
      'A WSDL describes operations and types. | The query is wsdl. | GET /api/soap/calculator?wsdl',
      'Tools generate clients from the WSDL.',
      'WSDL 1.1 section 2',
    ),
    [
      step('Send GET /api/soap/calculator?wsdl', `GET ${calculator}`, [
        when(({ query }) => query.has('wsdl'), 'You read the usage. Add ?wsdl.'),
        status(200),
      ]),
    ],
  ),
  soap(
    'soap-add',
    1,
    texts(
      'Add with SOAP 1.1',
      'Call Add with SOAP 1.1 and its SOAPAction.',
      'GET /api/soap/calculator shows a sample. | The Content-Type is text/xml. | SOAPAction: "http://tempuri.org/Add"',
      'SOAP 1.1 names the action in a header, in double quotes.',
      'SOAP 1.1 section 6.1.1',
    ),
    [
      step('Call Add in SOAP 1.1.', `POST ${calculator}`, [
        type11,
        ...calls('Add'),
        header('soapaction', /./, 'You sent no SOAPAction.'),
        header('soapaction', /^".*Add"$/, 'SOAPAction must name Add, in double quotes.'),
        works,
      ]),
    ],
  ),
  soap(
    'soap-12',
    1,
    texts(
      'Multiply with SOAP 1.2',
      'Call Multiply with SOAP 1.2.',
      'SOAP 1.2 has another namespace. | The Content-Type is application/soap+xml. | http://www.w3.org/2003/05/soap-envelope',
      'SOAP 1.2 has its own namespace and media type.',
      'SOAP 1.2 Part 2 section 7.1.4',
    ),
    [
      step('Call Multiply in SOAP 1.2.', `POST ${calculator}`, [
        type12,
        ...element(
          'Envelope',
          ({ namespace }) => namespace === 'http://www.w3.org/2003/05/soap-envelope',
          'The envelope has the namespace of SOAP 1.1.',
        ),
        ...calls('Multiply'),
        works,
      ]),
    ],
  ),
  soap(
    'soap-fault',
    2,
    texts(
      'A fault',
      'Get a fault for a division by zero, then divide correctly.',
      'Call Divide with intB 0. | SOAP 1.1 faults have the status 500, SOAP 1.2 faults of the sender 400. | Then call Divide with another intB.',
      'A fault says who is at fault: the sender or the receiver.',
      'SOAP 1.2 Part 1 section 5.4',
    ),
    [
      step('Divide by zero, and get a fault.', `POST ${calculator}`, [
        ...calls('Divide'),
        ...element('intB', ({ text }) => text.trim() === '0', 'intB is not 0.'),
        when((exchange) => exchange.status >= 400, 'There was no fault.'),
      ]),
      step('Divide by another number.', `POST ${calculator}`, [...calls('Divide'), works]),
    ],
  ),
  soap(
    'soap-missing',
    2,
    texts(
      'A missing parameter',
      'Get a fault for a missing parameter, then send it.',
      'Call Subtract with only intA. | The fault names the parameter. | Then send both.',
      'A service checks a message against its schema.',
      'SOAP 1.2 Part 1 section 5.4.6',
    ),
    [
      step('Call Subtract without intB, and get a fault.', `POST ${calculator}`, [
        ...calls('Subtract'),
        when((exchange) => exchange.status >= 400, 'There was no fault: leave a parameter out.'),
      ]),
      step('Call Subtract with both.', `POST ${calculator}`, [...calls('Subtract'), works]),
    ],
  ),
  soap(
    'soap-country',
    1,
    texts(
      'A country',
      'Call GetCountryInfo for NO.',
      'The service is /api/soap/countries. | The parameter is countryCode. | <countryCode>NO</countryCode>',
      'The operation is an element of the namespace of the service.',
      'SOAP 1.1 section 7.1',
    ),
    [
      step('Call GetCountryInfo for NO.', `POST ${countries}`, [
        ...calls('GetCountryInfo'),
        ...element('countryCode', ({ text }) => text.trim() === 'NO', 'countryCode is not NO.'),
        works,
      ]),
    ],
  ),
  soap(
    'soap-list',
    1,
    texts(
      'Without parameters',
      'Call ListCountries.',
      'The service is /api/soap/countries. | The operation has no parameters. | <ListCountries xmlns="…"/>',
      'An operation without parameters is an empty element.',
      'SOAP 1.1 section 7.1',
    ),
    [step('Call ListCountries.', `POST ${countries}`, [...calls('ListCountries'), works])],
  ),
  soap(
    'soap-must-understand',
    3,
    texts(
      'Understand it, or fail',
      'Send a header that the service must understand but does not, and get the fault.',
      'Headers are in soap:Header. | The attribute is mustUnderstand. | soap:mustUnderstand="1" on an unknown element',
      'mustUnderstand prevents that a header is silently ignored.',
      'SOAP 1.2 Part 1 section 5.2.3',
    ),
    [
      step(
        'Send a header with mustUnderstand, and get a fault.',
        `POST ${calculator}|${countries}`,
        [
          ...has('Header', 'The envelope has no Header.'),
          when(
            (exchange) => elementsOf(exchange).some(mustBeUnderstood),
            'The header is optional. Add mustUnderstand.',
          ),
          when((exchange) => exchange.status >= 400, 'There was no fault.'),
        ],
      ),
    ],
  ),
  soap(
    'soap-security',
    3,
    texts(
      'A signed-in caller',
      'Call /api/soap/secure with a UsernameToken.',
      'GET /api/soap/secure shows a sample. | The header is wsse:Security. | The user is ada.',
      'WS-Security puts credentials into the message instead of the transport.',
      'WSS UsernameToken Profile 1.1.1 section 3',
    ),
    [
      step('Call an operation of /api/soap/secure.', `POST ${secure}`, [
        ...has('Security', 'The message has no Security header.'),
        ...has('UsernameToken', 'Security has no UsernameToken.'),
        works,
      ]),
    ],
  ),
];

const mustBeUnderstood = ({ attributes }: ParsedElement): boolean =>
  attributes.some(
    ({ name, value }) => name === 'mustUnderstand' && (value === '1' || value === 'true'),
  );
