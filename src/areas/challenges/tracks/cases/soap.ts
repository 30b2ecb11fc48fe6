/** Lawful ways and near misses of the track soap. */

import type { Cases } from '../../challenge.js';

const calculator = 'POST /api/soap/calculator';
const countries = 'POST /api/soap/countries';
const both = 'intA=12 intB=4';
const action = 'SOAPAction: "http://tempuri.org/Add"';
const add = `${calculator} | soap12 Add ${both}`;
const pay = (more: string) => ` | head <t:Pay xmlns:t="urn:pay"${more}/>`;
const country = (inside: string) =>
  `${countries} | Content-Type: text/xml | <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><GetCountryInfo xmlns="http://tempuri.org/">${inside}</GetCountryInfo></e:Body></e:Envelope>`;
const wsse = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
const secure = 'GET /api/soap/secure';

const calling: Readonly<Record<string, Cases>> = {
  'soap-wsdl': {
    accepts: [
      'GET /api/soap/calculator?wsdl',
      'GET /api/soap/calculator?WSDL',
      'HEAD /api/soap/calculator?wsdl=1',
    ],
    rejects: [
      ['the usage', 'GET /api/soap/calculator'],
      ['the usage', 'GET /api/soap/calculator?wsd'],
      ['the usage', 'HEAD /api/soap/calculator | Accept: text/xml'],
    ],
  },
  'soap-add': {
    accepts: [
      `${calculator} | ${action} | soap11 Add ${both}`,
      `${calculator} | Content-Type: TEXT/XML | ${action} | soap11 Add intB=1 intA=2`,
      `${calculator} | soapaction: "http://tempuri.org/Add" | soap11 Add ${both}`,
    ],
    rejects: [
      ['no SOAPAction', `${calculator} | soap11 Add ${both}`],
      ['Content-Type of SOAP 1.1', add],
      ['double quotes', `${calculator} | SOAPAction: http://tempuri.org/Add | soap11 Add ${both}`],
      ['is a fault', `${calculator} | SOAPAction: "urn:Add" | soap11 Add ${both}`],
      ['double quotes', `${calculator} | SOAPAction: "" | soap11 Add ${both}`],
    ],
  },
  'soap-12': {
    accepts: [
      `${calculator} | soap12 Multiply ${both}`,
      `${calculator} | Content-Type: application/SOAP+xml; action="http://tempuri.org/Multiply" | soap12 Multiply ${both}`,
      `${calculator} | soap12 Multiply intB=-1 intA=3`,
    ],
    rejects: [
      ['Content-Type of SOAP 1.2', `${calculator} | soap11 Multiply ${both}`],
      ['not call Multiply', add],
      [
        'not call Multiply',
        `${calculator} | soap12 Add ${both} | head <Multiply xmlns="urn:a"><intA>1</intA></Multiply>`,
      ],
      ['is a fault', `${calculator} | soap12 Multiply intA=1`],
    ],
  },
  'soap-country': {
    accepts: [
      `${countries} | soap12 GetCountryInfo countryCode=NO`,
      `${countries} | soap11 GetCountryInfo countryCode=no`,
      country('<countryCode>&#78;O</countryCode>'),
    ],
    rejects: [
      ['another country', `${countries} | soap12 GetCountryInfo countryCode=SE`],
      [
        'another country',
        country('<!--<countryCode>NO</countryCode>--><countryCode>SE</countryCode>'),
      ],
      ['not call GetCountryInfo', `${countries} | soap12 ListCountries `],
      ['another country', country('')],
    ],
  },
  'soap-list': {
    accepts: [
      `${countries} | soap12 ListCountries `,
      `${countries} | soap11 ListCountries `,
      `${countries} | soap12 ListCountries  | head <a xmlns="urn:a"/>`,
    ],
    rejects: [
      ['not call', `${countries} | soap12 GetCountryInfo countryCode=NO`],
      ['is a fault', `${countries} | soap12 ListCountries a=1`],
      ['not well-formed', `${countries} | Content-Type: text/xml | <ListCountries>`],
    ],
  },
};

const failing: Readonly<Record<string, Cases>> = {
  'soap-fault': {
    accepts: [
      `${calculator} | soap12 Divide intA=1 intB=0 && ${calculator} | soap12 Divide ${both}`,
      `${calculator} | soap11 Divide intA=1 intB=00 && ${calculator} | soap11 Divide ${both}`,
      `${calculator} | soap11 Divide intA=1 intB=-0 && ${add} && ${calculator} | soap12 Divide ${both}`,
    ],
    rejects: [
      ['no division by zero', `${calculator} | soap12 Divide ${both}`],
      ['intA is no number', `${calculator} | soap12 Divide intA=x intB=0`],
      ['not call Divide', `${calculator} | soap12 Add intA=1 intB=0`],
      [
        'is a fault',
        `${calculator} | soap12 Divide intA=1 intB=0 && ${calculator} | soap12 Divide intA=1 intB=0`,
      ],
    ],
  },
  'soap-missing': {
    accepts: [
      `${calculator} | soap12 Subtract intA=12 && ${calculator} | soap12 Subtract ${both}`,
      `${calculator} | soap11 Subtract intA=012 && ${calculator} | soap12 Subtract intB=1 intA=12`,
      `${calculator} | soap12 Subtract intA=3 && ${add} && ${calculator} | soap11 Subtract intA=3 intB=3`,
    ],
    rejects: [
      ['intB was sent', `${calculator} | soap12 Subtract ${both}`],
      ['intB was sent', `${calculator} | soap12 Subtract intA=1 intB=`],
      ['intA is no number', `${calculator} | soap12 Subtract intB=1`],
      [
        'another intA',
        `${calculator} | soap12 Subtract intA=1 && ${calculator} | soap12 Subtract ${both}`,
      ],
    ],
  },
  'soap-must-understand': {
    accepts: [
      `${add}${pay(' e:mustUnderstand="true"')}`,
      `${calculator} | ${action} | soap11 Add ${both}${pay(' e:mustUnderstand="1"')}`,
      `${countries} | soap12 ListCountries ${pay(' e:mustUnderstand="1"')}`,
    ],
    rejects: [
      ['may ignore', `${add}${pay('')}`],
      ['no header', add],
      ['may ignore', `${add}${pay(' e:mustUnderstand="0"')}`],
      ['no header', `${calculator} | soap12 Add ${both} a=<Pay-mustUnderstand/>`],
    ],
  },
  'soap-security': {
    accepts: [
      `${secure} && POST /api/soap/secure | Content-Type: {1.json.soap12.contentType} | {1.json.soap12.sample}`,
      `${secure} && POST /api/soap/secure | Content-Type: {1.json.soap11.contentType} | {1.json.soap11.sample}`,
      `POST /api/soap/secure | soap12 Add ${both} && ${secure} && POST /api/soap/secure | Content-Type: {2.json.soap12.contentType} | {2.json.soap12.sample}`,
    ],
    rejects: [
      ['no Security', `POST /api/soap/secure | soap12 Add ${both}`],
      [
        'no UsernameToken',
        `POST /api/soap/secure | soap12 Add ${both} | head <Security xmlns="${wsse}"/>`,
      ],
      [
        'is a fault',
        `POST /api/soap/secure | soap12 Add ${both} | head <w:Security xmlns:w="${wsse}"><w:UsernameToken><w:Username>ada</w:Username></w:UsernameToken></w:Security>`,
      ],
    ],
  },
};

export const soapCases = { ...calling, ...failing };
