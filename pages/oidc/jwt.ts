/** Decodes and verifies JSON Web Tokens (RFC 7515, RFC 7519). */

export interface Jwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

export type Key = JsonWebKey & { readonly kid?: string };

export function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Returns `undefined` for text that is not a JWT, such as an opaque token. */
export function decodeJwt(token: string): Jwt | undefined {
  const [header = '', claims = '', signature = '', ...others] = token.split('.');
  if (claims === '' || others.length > 0) return undefined;
  try {
    const read = (part: string) =>
      JSON.parse(new TextDecoder().decode(bytesOf(part))) as Record<string, unknown>;
    return {
      header: read(header),
      claims: read(claims),
      signed: `${header}.${claims}`,
      signature: bytesOf(signature),
    };
  } catch {
    return undefined;
  }
}

type Algorithm = EcdsaParams & RsaHashedImportParams & EcKeyImportParams;

const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', namedCurve: '' },
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519', hash: '', namedCurve: '' },
};

/** Returns `undefined` if this browser cannot verify it. */
export async function verifySignature(
  { header, signed, signature }: Jwt,
  keys: readonly Key[],
): Promise<{ readonly isRight: boolean; readonly why: string } | undefined> {
  const { alg, kid } = header;
  const algorithm = algorithms[String(alg)];
  if (algorithm === undefined) return { isRight: false, why: `alg ${alg} is not secure` };
  // Several keys may have the same kid.
  const named = keys.filter((each) => each.kid === kid);
  if (named.length === 0) return { isRight: false, why: `jwks has no key ${kid}` };
  // Only secure contexts have it: https, and this machine.
  if (globalThis.crypto.subtle === undefined) return undefined;
  const data = new TextEncoder().encode(signed);
  const results = await Promise.all(
    named.map((key) => verifyWith(key, algorithm, signature, data).catch(() => false)),
  );
  const isRight = results.includes(true);
  const why = `${alg} with the key ${kid} of jwks`;
  return { isRight, why: isRight ? why : `not by ${why}` };
}

async function verifyWith(
  key: Key,
  algorithm: Algorithm,
  signature: BufferSource,
  data: BufferSource,
): Promise<boolean> {
  const { kty, crv, x, y, n, e } = key as Record<string, string>;
  // Without members such as alg and use, which browsers restrict.
  const publicKey = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JsonWebKey;
  const imported = await crypto.subtle.importKey('jwk', publicKey, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, imported, signature, data);
}
