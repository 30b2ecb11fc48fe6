/** Reads the arguments of HTTPie; throws a {@link PasteFault} for what a page cannot send. */

import { type PastedRequest, PasteFault } from './pasted.js';
import { basicHeader } from './read-curl-command.js';

/** Options that change only the output, or that browsers follow anyway. */
const idle =
  /^(?:-[vhbFIqSm]+|--(?:verbose|headers|body|follow|all|check-status|ignore-stdin|json|stream|print=.*|pretty=.*|verify=.*|timeout=.*))$/;

/** `program` is `http` or `https`. */
export function readHttpieArguments(program: string, args: readonly string[]): PastedRequest {
  let raw: string | undefined;
  let isForm = false;
  const headers: string[] = [];
  const rest: string[] = [];
  const waiting = [...args];
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    if (arg === '-a' || arg === '--auth') headers.push(basicHeader(waiting.shift() ?? ''));
    else if (arg === '--raw') raw = waiting.shift();
    else if (arg === '-f' || arg === '--form') isForm = true;
    else if (!arg.startsWith('-')) rest.push(arg);
    else if (!idle.test(arg) && arg !== '-j')
      throw new PasteFault(`This console does not support ${arg}.`);
  }
  const method = /^[A-Z]+$/.test(rest[0] ?? '') ? rest.shift() : undefined;
  const address = rest.shift();
  if (address === undefined) throw new PasteFault('The command has no URL.');
  const { query, fields } = readItems(rest, headers);
  const data = raw ?? bodyOf(fields, isForm);
  if (raw === undefined && data !== undefined) {
    headers.push(`Content-Type: application/${isForm ? 'x-www-form-urlencoded' : 'json'}`);
  }
  const search = query.size > 0 ? `${address.includes('?') ? '&' : '?'}${query}` : '';
  return {
    method: method ?? (data === undefined ? 'GET' : 'POST'),
    address: withScheme(program, address) + search,
    headers,
    body: data ?? '',
  };
}

/** `:3000/a` is a URL of this computer. */
function withScheme(program: string, address: string): string {
  if (/^\w+:\/\//.test(address) || address.startsWith('/')) return address;
  return `${program}://${address.replace(/^:(?=\/|$)/, 'localhost').replace(/^:/, 'localhost:')}`;
}

type Field = readonly [name: string, value: string, isJson: boolean];

function readItems(items: readonly string[], headers: string[]) {
  const query = new URLSearchParams();
  const fields: Field[] = [];
  for (const item of items) {
    const [, name = '', sign = '', value = ''] = /^([^:=@;]+)(:=|==|=|:|;$)(.*)$/s.exec(item) ?? [];
    if (name === '') throw new PasteFault('A page cannot read files. Write name=value instead.');
    if (sign === '==') query.append(name, value);
    else if (sign === ':' || sign === ';') headers.push(`${name}: ${value}`);
    else fields.push([name, value, sign === ':=']);
  }
  return { query, fields };
}

function bodyOf(fields: readonly Field[], isForm: boolean): string | undefined {
  if (fields.length === 0) return undefined;
  if (isForm)
    return String(
      new URLSearchParams(fields.map(([name, value]) => [name, value] as [string, string])),
    );
  const members = fields.map(([name, value, isJson]) => {
    return `${JSON.stringify(name)}: ${isJson ? value : JSON.stringify(value)}`;
  });
  return `{${members.join(', ')}}`;
}
