/** The sections of OpenID Connect, and of standards beside it, that judges and challenges cite. */

export const openIdStandards = {
  'RFC 7517': {
    edition: 'May 2015',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/051b753b/html/rfc7517.html',
    sections: {
      '4.5': '"kid" (Key ID) Parameter',
      '5': 'JWK Set Format',
    },
  },
  'RFC 7519': {
    edition: 'May 2015',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/01b8a538/html/rfc7519.html',
    sections: {
      '2': 'Terminology',
      '4.1.3': '"aud" (Audience) Claim',
      '5.1': '"typ" (Type) Header Parameter',
    },
  },
  'RFC 8725': {
    edition: 'February 2020',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/010b2134/html/rfc8725.html',
    sections: {
      '3.1': 'Perform Algorithm Verification',
    },
  },
  'RFC 9207': {
    edition: 'March 2022',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/010b2134/html/rfc9207.html',
    sections: {
      '2.4': 'Validating the Issuer Identifier',
    },
  },
  'RFC 9700': {
    edition: 'January 2025',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/0295ab02/html/rfc9700.html',
    sections: {
      '2.1': 'Protecting Redirect-Based Flows',
      '2.2.2': 'Refresh Tokens',
      '4.5': 'Authorization Code Injection',
      '4.14': 'Refresh Token Protection',
    },
  },
  'OpenID Connect Core 1.0': {
    edition: 'errata set 2, December 2023',
    readAt: 'https://github.com/openid/connect/blob/31bc4af6/openid-connect-core-1_0.xml',
    sections: {
      '3.1.2.1': 'Authentication Request',
      '3.1.3.7': 'ID Token Validation',
      '3.1.3.8': 'Access Token Validation',
      '5.3': 'UserInfo Endpoint',
      '5.3.2': 'Successful UserInfo Response',
      '10.1.1': 'Rotation of Asymmetric Signing Keys',
      '12': 'Using Refresh Tokens',
      '12.2': 'Successful Refresh Response',
    },
  },
  'OpenID Connect Discovery 1.0': {
    edition: 'errata set 2, December 2023',
    readAt: 'https://github.com/openid/connect/blob/218b7087/openid-connect-discovery-1_0.xml',
    sections: {
      '4': 'Obtaining OpenID Provider Configuration Information',
      '4.3': 'OpenID Provider Configuration Validation',
    },
  },
} as const;
