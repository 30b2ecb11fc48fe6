/** Rejects clients and redirect URIs that are not registered, and makes the commands that register them. */

import { HttpError } from '#http/http-error.js';
import type { Form } from '#http/oauth/form.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import type { Issuer } from '../messages/issuer.js';
import { paths } from '../messages/paths.js';
import { type Client, isPublic } from '../model/client.js';
import { isDocumentUrl } from '../model/client-documents.js';
import { checkUri, isPlainHttp, maxUriLength } from '../model/client-metadata.js';
import type { KeptSettings } from '../model/issuer-settings.js';

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
    if (isDocumentUrl(clientId)) {
      const { hostname: client_name } = new URL(clientId);
      const document = { client_id: clientId, client_name, redirect_uris: [address] };
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

type Member = 'redirect_uris' | 'post_logout_redirect_uris';

/** The end of each message. */
const advice =
  'Any port of localhost, 127.0.0.1 and [::1] is fine. Register yours with POST /oidc/register or PUT /api/sandbox/oidc.';

export class UnregisteredAddress extends OAuthError {
  readonly member: Member;
  readonly address: string;
  readonly client: Client;

  constructor(message: string, member: Member, address: string, client: Client) {
    super('invalid_request', `${message} ${advice}`);
    this.member = member;
    this.address = address;
    this.client = client;
  }

  /** Returns a shell command, or why the URI cannot be registered. */
  registration({ name }: Sandbox, issuer: Issuer): { command: string } | { fault: string } {
    const { member, address, client } = this;
    try {
      checkUri(address, member, { allowsPlainHttp: !isPublic(client) });
    } catch (error) {
      if (error instanceof HttpError) return { fault: error.message };
      throw error;
    }
    if (address.length > maxUriLength) {
      return { fault: `${member} must be at most ${maxUriLength} characters each.` };
    }
    const needsSandbox = name === sharedSandboxName && isPlainHttp(address);
    const own = issuer.at('register');
    const base = own.slice(0, own.indexOf(paths.issuer));
    const url = needsSandbox ? `${base}/s/my-sandbox${paths.register}` : own;
    const metadata = {
      ...(member !== 'redirect_uris' && { redirect_uris: client.redirectUris }),
      [member]: [address],
      ...(isPublic(client) && { token_endpoint_auth_method: 'none' }),
    };
    return { command: postJson(url, metadata) };
  }
}

/** Returns a shell command that sends JSON. */
function postJson(url: string, body: object, method = 'POST'): string {
  const choice = method === 'POST' ? '' : `-X ${method} `;
  const json = inQuotes(JSON.stringify(body));
  return `curl ${choice}${inQuotes(url)} -H 'Content-Type: application/json' -d ${json}`;
}

/** Quotes text for a shell. Inside single quotes, only the quote itself is special. */
function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
