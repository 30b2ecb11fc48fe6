/** The form of a case of the test plan: its texts, when a client meets it, and what it changes. */

import type { JWK, JWTPayload } from 'jose';
import type { Reply } from '#http/exchange.js';
import type { CaseText, SomeOf } from '#kit/misbehaviour/misbehaviour.js';
import type { RuleLevel } from '#kit/verdict/verdict.js';
import type { ClientResponse } from '../messages/respond-to-client.js';
import type { CodeRecord } from '../model/grants.js';
import type { KeyPair } from '../model/key-ring.js';

/** Client behaviour that a run observes, in the order of a login. */
export type RunEvent =
  /** The client read the discovery document. */
  | 'discovered'
  /** The client sent a browser to log in. */
  | 'started'
  /** The browser returned with a code. */
  | 'responded'
  /** The client requested tokens with that code. */
  | 'redeemed'
  /** The client got tokens for it. */
  | 'granted'
  /** The client used its refresh token. */
  | 'refreshed'
  /** The client got an ID token for it. */
  | 'renewed'
  /** The client requested userinfo. */
  | 'asked'
  /** The client used the access token at the API. */
  | 'used';

/** The outcomes of a correct client. */
export const expectations = ['refused', 'accepted', 'either'] as const;

/** A tolerance is valid behaviour, which a client must accept. */
export const caseKinds = ['misbehaviour', 'tolerance'] as const;

export interface CaseFacts extends CaseText {
  /** Default: a misbehaviour. */
  readonly kind?: 'tolerance';
  readonly expected: (typeof expectations)[number];
  /** Level of the section's demand on clients. */
  readonly level: RuleLevel;
  /** The standard that makes this check optional for a client. */
  readonly optionalBecause?: string;
  /** Whether it affects the whole issuer, so that a single request cannot select it. */
  readonly isOfIssuer?: true;
  /** The parameter of the authorization request without which it changes nothing. */
  readonly needs?: 'nonce' | 'state';
  /** The event when a client encounters it. */
  readonly metBy: RunEvent;
  /** Events after it that show that the client has accepted it. */
  readonly acceptedBy: readonly RunEvent[];
  /**
   * Events that only suggest acceptance, so that a report of the test overrides it.
   * Default: `asked`, because a client may read userinfo while it validates the ID token.
   */
  readonly inferredBy?: readonly RunEvent[];
}

export interface TokenResponse {
  readonly token_type: string;
  readonly expires_in?: number;
  readonly id_token: string | undefined;
}

/** Values that a case can change before they are sent or stored. */
export interface Changeable {
  readonly discovery: Readonly<Record<string, unknown>>;
  /** The keys in the JWKS, the current ones first. */
  readonly jwks: readonly JWK[];
  /** The response to the browser. */
  readonly response: ClientResponse;
  /** The login that a code belongs to. */
  readonly code: Pick<CodeRecord, 'grant' | 'codeChallenge'>;
  readonly tokenResponse: TokenResponse;
  /** The claims of the ID token. */
  readonly claims: JWTPayload;
  /** The claims of the ID token in the response to a refresh. */
  readonly renewedClaims: JWTPayload;
  readonly userinfo: { readonly sub: string };
}

export type Changes = {
  readonly [Name in keyof Changeable]: (
    value: Changeable[Name],
  ) => Changeable[Name] | Promise<Changeable[Name]>;
};

export interface Effects extends Changes {
  /** Signs an ID token in another way; `key` is the right key. */
  readonly sign: (claims: JWTPayload, key: KeyPair) => string | Promise<string>;
  /** Time that the token endpoint waits. */
  readonly delayMs: number;
  /** Responds, or throws, in place of the token endpoint. */
  readonly fail: (reply: Reply) => Reply;
  readonly acceptsAnyVerifier: true;
  readonly keepsRefreshToken: true;
}

export type IssuerCase = CaseFacts & SomeOf<Effects>;
