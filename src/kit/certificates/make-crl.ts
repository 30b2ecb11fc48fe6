/** Makes certificate revocation lists (RFC 5280 section 5). */

import { unixSeconds } from '#base/whole-seconds.js';
import { type Identity, loadPki } from './make-certificate.js';

const dayMs = 24 * 3600 * 1000;

export async function makeCrl(
  issuer: Identity,
  serials: readonly Buffer[],
  nowMs: number,
): Promise<Buffer> {
  const { pki, asn1 } = await loadPki();
  const time = (atMs: number) => new pki.Time({ type: 0, value: new Date(atMs) });
  const list = new pki.CertificateRevocationList({
    version: 1,
    issuer: issuer.parsed.subject,
    thisUpdate: time(nowMs - dayMs),
    nextUpdate: time(nowMs + dayMs),
    revokedCertificates: serials.map(
      (serial) =>
        new pki.RevokedCertificate({
          userCertificate: new asn1.Integer({ valueHex: new Uint8Array(serial).buffer }),
          revocationDate: time(nowMs - dayMs),
        }),
    ),
  });
  const number = new asn1.Integer({ value: unixSeconds(nowMs) });
  list.crlExtensions = new pki.Extensions({
    extensions: [new pki.Extension({ extnID: '2.5.29.20', extnValue: number.toBER() })],
  });
  await list.sign(issuer.keys.privateKey, 'SHA-256');
  return Buffer.from(list.toSchema(true).toBER());
}
