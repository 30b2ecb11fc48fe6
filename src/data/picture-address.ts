/** Pictures of this service are stored as paths, so that they are found wherever it is; others as they are. */

export function pictureAddress(baseUrl: string, stored: string): string {
  return stored.startsWith('/') ? baseUrl + stored : stored;
}

/** What is stored of an address that a client sends, which may be one that it got in a response. */
export function storedPicture(baseUrl: string, sent: string): string {
  return sent.startsWith(`${baseUrl}/images/`) ? sent.slice(baseUrl.length) : sent;
}
