/** The URLs of an issuer, all below the issuer's URL. */

import type { Request } from '#http/exchange.js';
import { aliasedAuthority, aliasPath } from './certificate-alias.js';
import { paths } from './paths.js';

/** Protected resources of the issuer, each with separate metadata (RFC 9728 section 3.3). */
export type ProtectedPart = 'resource' | 'me' | 'orders' | 'mcp';

export interface StepParameters {
  readonly run?: string;
  readonly misbehaviour?: string;
}

/** Returns the issuer of a request: each sandbox is an issuer, and each step of a run. */
export function issuerOf(request: Request): Issuer {
  const { baseUrl } = request;
  const authority = aliasedAuthority(request);
  if (authority !== undefined) {
    const path = new URL(baseUrl).pathname.replace(/\/$/, '');
    const here = `https://${request.headers.host}${path}${aliasPath(authority)}`;
    return new Issuer(`https://${authority}${path}`, here);
  }
  const { run, misbehaviour } = request.params as StepParameters;
  const isStep = run !== undefined && misbehaviour !== undefined;
  return new Issuer(isStep ? `${baseUrl}${paths.runs}/${run}/${misbehaviour}` : baseUrl);
}

export class Issuer {
  readonly #baseUrl: string;
  readonly #reachedUrl: string;

  /** `reachedUrl` is the URL of the request, if it is an alias. */
  constructor(baseUrl: string, reachedUrl = baseUrl) {
    this.#baseUrl = baseUrl;
    this.#reachedUrl = reachedUrl;
  }

  get url(): string {
    return this.at('issuer');
  }

  get resource(): string {
    return this.at('resource');
  }

  at(part: keyof typeof paths): string {
    return (part === 'mcp' ? this.#rootUrl : this.#baseUrl) + paths[part];
  }

  /** The steps of a run share one MCP server. */
  get #rootUrl(): string {
    const [root = ''] = this.#baseUrl.split(paths.runs);
    return root;
  }

  /** Whether a resource is an address in a run of the MCP test plan. */
  isMcpRun(resource: string): boolean {
    return resource.startsWith(`${this.#rootUrl}${paths.mcpRuns}/`);
  }

  /** Returns the same URL at the request's alias. */
  reached(part: keyof typeof paths): string {
    return this.#reachedUrl + paths[part];
  }

  /** Returns the metadata URL of a protected resource, before the sandbox prefix (RFC 9728 section 3.1). */
  metadataOf(part: ProtectedPart): string {
    const { origin, pathname } = new URL(this.reached(part));
    return `${origin}/.well-known/oauth-protected-resource${pathname}`;
  }
}
