// Checks whether a URL scheme can belong to a customer's app. Pure.

const SCHEME = /^[a-z][a-z0-9+.-]{1,62}$/;

/** Schemes that a browser, operating system or network uses: a redirect to them could open another program or run code. */
const RESERVED = new Set(
  `about acap app aim bitcoin blob callto cap cid content data dav dict dns facetime file filesystem ftp ftps geo git gopher http https
   im imap intent ipp ipps irc ircs jar javascript jdbc ldap ldaps livescript mailto maps market mhtml mid mms mocha moz-extension
   chrome chrome-extension edge ms-appx ms-settings nfs news nntp opera pop res resource rtsp sftp shell sip sips skype sms smb snmp
   ssh steam stun svn tel telnet tftp turn urn vbscript view-source vnc wais webcal ws wss wyciwyg xmpp`.split(/\s+/),
);

/** `scheme` is in lower case, without the colon. */
export function isAppScheme(scheme: string): boolean {
  return SCHEME.test(scheme) && !RESERVED.has(scheme);
}
