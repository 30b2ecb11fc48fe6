/** Limits of requests by scripts (Fetch Standard). */

/** Headers that a browser sets by itself, or not at all ("forbidden request-header"). */
export const forbiddenHeaders =
  /^(?:accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie|cookie2|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|proxy-.*|sec-.*|x-http-method.*)$/i;

export const forbiddenMethods = /^(?:connect|trace|track)$/i;
