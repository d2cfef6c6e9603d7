/** Matches a browser, or a browser inside of an app, which has the app's name at its end. */
export const browser = /^Mozilla\/\d.*(?:AppleWebKit|Gecko|Trident|MSIE|Presto)/;

/** Matches an address of the web or of e-mail: robots say by it whom to ask. */
export const contact = /https?:\/\/|\bwww\.|@[a-z][\w-]*\.[a-z]|\(at\)[a-z]/i;
