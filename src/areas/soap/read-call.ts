/** Determines operation and arguments of a Body from the description of the service. */

import { attributeOf, type XmlElement } from '#http/xml/parse-xml.js';
import { describe } from '#http/xml/qualified-name.js';
import { cut, quote, trimXml } from '#http/xml/text.js';
import { invalidParameters, unknownOperation } from './body-faults.js';
import { actionOf, type Operation, type Parameter, type Service } from './service.js';
import { SoapFault, typedFault } from './soap-fault.js';
import { parseInt32, parseText, ValueError } from './values/parse-value.js';

export interface Call {
  readonly operation: Operation;
  readonly args: Readonly<Record<string, number | string>>;
}

/**
 * Parses the element inside the Body. `action` is the action in HTTP, if any; an empty action has
 * no meaning (SOAP 1.1 section 6.1.1). Throws {@link SoapFault}.
 */
export function readCall(service: Service, entry: XmlElement, action: string | undefined): Call {
  const operation = operationOf(service, entry);
  if (action) checkAction(service, operation, action);
  return { operation, args: readArguments(service, operation, entry) };
}

function operationOf(service: Service, entry: XmlElement): Operation {
  const { operations, namespace } = service;
  const named = operations.find(({ name }) => name === entry.name);
  if (named !== undefined && entry.namespace === namespace) return named;
  const names = operations.map(({ name }) => name);
  const expected = named === undefined ? `one of ${names.join(', ')}` : named.name;
  throw typedFault(
    'Sender',
    unknownOperation,
    `The Body calls ${describe(entry)}. ${service.name} supports ${expected} in the namespace ${quote(namespace)}.`,
    { Namespace: cut(entry.namespace), Name: cut(entry.name), Operation: names },
  );
}

function checkAction(service: Service, operation: Operation, action: string): void {
  const expected = actionOf(service, operation);
  if (action === expected) return;
  throw new SoapFault(
    'Sender',
    `The action is ${quote(action)}, but the Body calls ${operation.name}, whose action is ${quote(expected)}.`,
    { subcode: 'ActionMismatch' },
  );
}

/**
 * A fault names at most this many parameters, because a response should not be much larger than its
 * call.
 */
const maxNamed = 20;

/** Parses all parameters, in any order, and then throws a fault about all wrong ones. */
function readArguments({ namespace }: Service, operation: Operation, entry: XmlElement) {
  const { name: operationName, parameters } = operation;
  const args: Record<string, number | string> = {};
  const faults = new Map<string, string>();
  function blame(name: string, message: string): void {
    if (faults.size < maxNamed && !faults.has(name)) faults.set(name, message);
  }

  for (const child of entry.children) {
    const { name } = child;
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) {
      blame(name, notTaken(operation, name));
    } else if (child.namespace !== namespace) {
      blame(name, `is ${describe(child)}, but must be in ${quote(namespace)}.`);
    } else if (args[name] !== undefined) {
      blame(name, 'is repeated.');
    } else {
      try {
        args[name] = readParameter(parameter, child);
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
        blame(name, error.message);
      }
    }
  }
  for (const name in parameters) {
    if (args[name] === undefined) blame(name, 'is missing.');
  }
  if (trimXml(entry.text) !== '') {
    blame(operationName, `has text beside its parameters: ${quote(entry.text)}.`);
  }
  if (faults.size === 0) return args;
  const listed = [...faults].map(([name, message]) => ({ Name: cut(name), Message: message }));
  const sentences = listed.map(({ Name, Message }) => `${Name} ${Message}`).join(' ');
  const message = `${operationName}: ${sentences}`;
  throw typedFault('Sender', invalidParameters, message, { Parameter: listed });
}

const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';

function readParameter({ type }: Parameter, element: XmlElement): number | string {
  if (element.children.length > 0) throw new ValueError('has elements, but must have text.');
  const nil = trimXml(attributeOf(element, schemaInstance, 'nil') ?? '');
  if (nil === 'true' || nil === '1') throw new ValueError('is nil, but must have a value.');
  return type === 'int' ? parseInt32(element.text) : parseText(element.text);
}

function notTaken({ name: operationName, parameters }: Operation, name: string): string {
  const names = Object.keys(parameters);
  const near = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (near !== undefined) return `is not ${near}: names are case-sensitive.`;
  const known = names.length === 0 ? 'none' : names.join(', ');
  return `is not a parameter of ${operationName}, which accepts ${known}.`;
}
