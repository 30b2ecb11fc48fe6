/**
 * Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document), which a sandbox
 * stores: the issuer fetches nothing.
 */

import { isObject, type JsonObject } from '#base/json-object.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { CheckBudget } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import { type AuthMethod, type Client, withSecret } from './client.js';
import { type ClientMetadata, clientFrom, metadataSchema } from './client-metadata.js';

export type ClientDocuments = Readonly<Record<string, JsonObject>>;

const maxUrlLength = 500;
/** MCP 2026-07-28 Client Registration, section 1.1. */
const requiredMembers = ['client_id', 'client_name', 'redirect_uris'];
const secretMembers = ['client_secret', 'client_secret_expires_at'];

/** Whether a client_id can be the URL of a document. */
export function isDocumentUrl(text: string): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[\x21-\x7e]+$/.test(text)) return false;
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { username, password, pathname } = new URL(text);
  // URL removes dot segments.
  const [, path = ''] = /^https:\/\/[^/?]+(\/[^?]*)/.exec(text) ?? [];
  const hasDots = path.split('/').some((each) => /^(?:\.|%2e){1,2}$/i.test(each));
  return username === '' && password === '' && pathname !== '/' && !hasDots;
}

export function checkDocuments(documents: ClientDocuments): FieldFault[] {
  return Object.entries(documents).flatMap(([url, document]) => {
    const field = `clientDocuments.${url}`;
    const what = faultOf(url, document);
    return what === undefined ? [] : [{ field, message: `${field} ${what}` }];
  });
}

function faultOf(url: string, document: JsonObject): string | undefined {
  if (!isDocumentUrl(url)) {
    return 'must be an https URL with a path, without credentials, dot segments and a fragment.';
  }
  const missing = requiredMembers.filter((name) => isMissing(document[name]));
  if (missing.length > 0) return `must have ${missing.join(', ')}.`;
  if (document.client_id !== url) return 'must have a client_id that is its URL.';
  const secret = secretMembers.find((name) => document[name] !== undefined);
  if (secret !== undefined) return `must not have ${secret}.`;
  const found = findFaults(metadataSchema, document, new CheckBudget());
  if (found.isValid === undefined) return 'needs too many checks.';
  if (found.isValid === false) {
    const messages = describeFaults(found.faults, 'body').map(({ message }) => message);
    return `is invalid: ${messages.join(' ')}`;
  }
  const method = methodOf(document);
  if (withSecret.includes(method)) {
    return `must have the token_endpoint_auth_method none or private_key_jwt; got "${method}".`;
  }
  try {
    documentedClient(url, document);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return `is invalid: ${error.message}`;
  }
  return undefined;
}

const isMissing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** No secret could be agreed, so the default is none. */
function methodOf({ token_endpoint_auth_method: method = 'none' }: JsonObject): AuthMethod {
  return method as AuthMethod;
}

function documentedClient(url: string, document: JsonObject): Client {
  const metadata = { ...document, token_endpoint_auth_method: methodOf(document) };
  const identity = { clientId: url, secret: '', isInOwnSandbox: false };
  return clientFrom(metadata as ClientMetadata, identity);
}

/** Returns the client of a stored document. */
export function findDocumented(documents: ClientDocuments, clientId: string): Client | undefined {
  const document = Object.hasOwn(documents, clientId) ? documents[clientId] : undefined;
  return isObject(document) ? documentedClient(clientId, document) : undefined;
}
