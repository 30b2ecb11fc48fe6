/** Rejects an unregistered redirect URI, and shows the command that registers it. */

import { HttpError } from '../../../http/http-error.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { type Sandbox, sharedSandboxName } from '../../../state/state.js';
import { type Issuer, paths } from '../messages/issuer.js';
import { type Client, isPublic } from '../model/client.js';
import { checkUri, isPlainHttp, maxUriLength } from '../model/client-metadata.js';
import { postJson } from './registering-command.js';

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
