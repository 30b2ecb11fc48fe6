/** Thrown when a body is not XML that this service reads; the message says what and where. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}
