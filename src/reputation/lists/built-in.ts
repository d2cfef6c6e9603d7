/**
 * The addresses that Google publishes for trying Safe Browsing out. Nothing dangerous lies there;
 * they are flagged so that anyone can see the check at work without any list.
 *
 * @see https://testsafebrowsing.appspot.com
 */
export const testAddresses: ReadonlyMap<string, string> = new Map([
  ['testsafebrowsing.appspot.com/s/', 'TEST'],
  ['testsafebrowsing.appspot.com/apiv4/', 'TEST'],
  ['malware.testing.google.test/', 'MALWARE'],
  ['phishing.testing.google.test/', 'SOCIAL_ENGINEERING'],
  ['unwanted.testing.google.test/', 'UNWANTED_SOFTWARE'],
]);
