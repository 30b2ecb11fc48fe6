/** A request to an issuer, and the endpoints that every issuer has. */

import type { TSchema } from 'typebox';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import type { Fields, Reply, Request } from '#http/exchange.js';
import { type Form, readForm, readQuery } from '#http/oauth/form.js';
import { type Endpoint, type EndpointSpec, endpoint, type Step } from '#kit/endpoint.js';
import type { Limits, Runtime } from '#kit/services.js';
import { issuerOf } from './messages/issuer.js';
import { paths } from './messages/paths.js';
import type { Signing } from './model/issuer-keys.js';

export interface Exchange extends Signing {
  readonly services: Pick<Limits, 'held' | 'wrongCodes'> & Pick<Runtime, 'certificates'>;
  /** Authenticates forms, so that only the browser that got a form can send it. */
  readonly mac: KeyedMac;
  readonly request: Request;
  readonly reply: Reply;
}

type IssuerParts = Pick<Exchange, 'services' | 'keys' | 'mac'>;

/** The path of issuers, and a step that rejects requests if there is no issuer. */
export interface Mount {
  readonly below: string;
  readonly beforeHandler?: Step;
}

type IssuerSpec = Omit<EndpointSpec<Fields, Fields, Fields, TSchema>, 'handle'> & {
  readonly handle: (at: Exchange) => unknown;
};

export type IssuerEndpoint = (parts: IssuerParts, mount: Mount) => Endpoint;

/** Creates an endpoint for every mount of issuers. The description has it only once. */
export function issuerEndpoint(
  method: string,
  part: keyof typeof paths,
  { handle, describedAs = paths[part], ...spec }: IssuerSpec,
): IssuerEndpoint {
  return (parts, { below, beforeHandler }) =>
    endpoint(method, urlBelow(below, paths[part]), {
      ...spec,
      describedAs,
      beforeHandler,
      handle(request, reply) {
        const { sandbox } = request;
        return handle({ ...parts, request, reply, sandbox, issuer: issuerOf(request) });
      },
    });
}

/** Documents about an issuer are at a URL before its path (RFC 8414 section 3.1, RFC 9728 section 3.1). */
function urlBelow(below: string, path: string): string {
  const [, document = ''] = /^(\/\.well-known\/[\w-]+)\//.exec(path) ?? [];
  return document + below + path.slice(document.length);
}

/** Parameters that may be repeated: RFC 8707 section 2, RFC 8693 section 2.1. */
const repeatable = ['resource', 'audience'];
/** Enough for assertions and request objects, the longest parameters. */
const maxBytes = 64 * 1024;

export function formOf({ request }: Exchange): Promise<Form> {
  return readForm(request, maxBytes, repeatable);
}

export async function parametersOf(at: Exchange): Promise<Form> {
  return at.request.method === 'POST' ? formOf(at) : readQuery(at.request, repeatable);
}
