/** Rejects an unknown client, and makes the command that registers it. */

import { HttpError } from '../../../http/http-error.js';
import type { Form } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { type Sandbox, sharedSandboxName } from '../../../state/state.js';
import { type Issuer, paths } from '../messages/issuer.js';
import { isDocumentUrl } from '../model/client-documents.js';
import { checkUri, maxUriLength } from '../model/client-metadata.js';
import type { KeptSettings } from '../model/issuer-settings.js';
import { postJson } from './registering-command.js';

export class UnknownClient extends OAuthError {
  readonly clientId: string;

  constructor(clientId: string) {
    super(
      'invalid_request',
      isDocumentUrl(clientId)
        ? `Unknown client_id. Its document is not fetched: store it with PUT /api/sandbox/oidc {"clientDocuments": {${JSON.stringify(clientId)}: {…}}}.`
        : 'Unknown client_id. GET /api/auth lists the demo clients; PUT /api/sandbox/oidc sets yours.',
    );
    this.clientId = clientId;
  }
}

const usualAddress = 'http://localhost:8080/callback';
/** Client ids that settings accept. */
const idForm = /^[\x20-\x7e]{1,100}$/;

const isUsableId = (clientId: string) => idForm.test(clientId) || isDocumentUrl(clientId);

interface Place {
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
  readonly settings: KeptSettings;
}

/** Returns a shell command, and a sentence about it. */
export function registerClient(
  clientId: string,
  form: Form,
  { sandbox, issuer, settings }: Place,
): { readonly says: string; readonly command: string } {
  const address = usableAddress(form.get('redirect_uri'));
  const base = issuer.url.slice(0, issuer.url.indexOf(paths.issuer));
  const { clients, users, scopes, resources, misbehave, clientDocuments = {} } = settings;
  const lists = [clients, users, scopes, resources, Object.keys(clientDocuments)];
  const isSet = lists.some((list) => list.length > 0);
  // Settings are replaced as a whole, so the command is only for a sandbox without any.
  if (sandbox.name !== sharedSandboxName && !isSet && misbehave === null && isUsableId(clientId)) {
    const document = { client_id: clientId, redirect_uris: [address] };
    if (isDocumentUrl(clientId)) {
      return {
        says: 'This issuer fetches no documents. This command stores one for this client_id:',
        command: postJson(
          `${base}/api/sandbox/oidc`,
          { clientDocuments: { [clientId]: document } },
          'PUT',
        ),
      };
    }
    const body = { clients: [{ clientId, redirectUris: [address] }] };
    return {
      says: `This command adds the public client ${clientId} to this sandbox. Add a clientSecret if it has one:`,
      command: postJson(`${base}/api/sandbox/oidc`, body, 'PUT'),
    };
  }
  const metadata = { redirect_uris: [address], token_endpoint_auth_method: 'none' };
  return {
    says: 'This command registers a public client, and returns its client_id:',
    command: postJson(issuer.at('register'), metadata),
  };
}

function usableAddress(given: string | undefined): string {
  if (given === undefined || given.length > maxUriLength) return usualAddress;
  try {
    checkUri(given, 'redirect_uris');
    return given;
  } catch (error) {
    if (error instanceof HttpError) return usualAddress;
    throw error;
  }
}
