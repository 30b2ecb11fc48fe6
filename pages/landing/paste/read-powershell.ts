/** Reads `Invoke-WebRequest` and `Invoke-RestMethod` with literal values. */

import { type PastedRequest, PasteFault } from './pasted.js';
import { basicHeader } from './read-curl-command.js';

const names = /^(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$/i;
const command = /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\b/i;
const literal = `'((?:[^'’]|'')*)'`;
const word = /'(?:[^']|'')*'|"(?:[^"`]|`.|"")*"|@\{[^}]*\}|\([^()]*\)|[^\s;|]+|[;|\n]/g;
const member = new RegExp(String.raw`\s*(?:(\w+)|${literal})\s*=\s*(?:${literal}|"([^"]*)")`, 'g');

export const isPowershell = (text: string) => command.test(text) && !/^\s*curl\s/.test(text);

export function readPowershell(text: string): PastedRequest {
  const basic = new RegExp(
    String.raw`'Basic '\s*\+\s*\[Convert\]::ToBase64String\(\[Text\.Encoding\]::UTF8\.GetBytes\(${literal}\)\)`,
    'g',
  );
  const bytes = new RegExp(String.raw`\(\[Text\.Encoding\]::UTF8\.GetBytes\((${literal})\)\)`, 'g');
  const known = text
    .replaceAll(/`\r?\n\s*/g, ' ')
    .replaceAll(basic, (_, pair: string) => quote(basicHeader(unquote(`'${pair}'`)).slice(15)))
    .replaceAll(bytes, '$1');
  const words = known.match(word) ?? [];
  const start = words.findIndex((each) => names.test(each));
  const end = words.findIndex((each, index) => index > start && /^[;|\n]$/.test(each));
  return requestOf(words.slice(start + 1, end < 0 ? undefined : end));
}

function requestOf(words: readonly string[]): PastedRequest {
  const headers: string[] = [];
  let [method, address, body] = ['', '', ''];
  const waiting = [...words];
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    const name = arg.startsWith('-') ? arg.slice(1).toLowerCase() : 'uri';
    if (/^(?:skiphttperrorcheck|usebasicparsing)$/.test(name)) continue;
    const value = arg.startsWith('-') ? (waiting.shift() ?? '') : arg;
    if (value.startsWith('$') || value.startsWith('(')) {
      throw new PasteFault(`Only PowerShell knows ${value}. Replace it with its value.`);
    }
    if (name === 'uri') address = unquote(value);
    else if (name === 'method' || name === 'custommethod') method = unquote(value).toUpperCase();
    else if (name === 'body') body = unquote(value);
    else if (name === 'contenttype') headers.push(`Content-Type: ${unquote(value)}`);
    else if (name === 'headers') headers.push(...headersOf(value));
    else if (!/^(?:maximumredirection|timeoutsec|outfile)$/.test(name)) {
      throw new PasteFault(`This console does not support ${arg}.`);
    }
  }
  if (address === '') throw new PasteFault('The command has no URL.');
  return { method: method || 'GET', address, headers, body };
}

function headersOf(table: string): string[] {
  return [...table.matchAll(member)].map(([, plain, quoted = '', value, double = '']) => {
    return `${plain ?? unquote(`'${quoted}'`)}: ${value === undefined ? double : unquote(`'${value}'`)}`;
  });
}

function unquote(text: string): string {
  const [, single, double] = /^(?:'(.*)'|"(.*)")$/s.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll(/(['‘’‚‛])\1/g, '$1');
  return double === undefined
    ? text
    : double.replaceAll(/`(.)|""/gs, (_, escaped) => escaped ?? '"');
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
