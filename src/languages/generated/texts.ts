// Written by release/catalogue.ts.
import type { Formats } from '../formats.ts';

/** The sentences of a language. */
export interface Texts {
  /** How it writes numbers and lists. */
  readonly formats: Formats;
  readonly fields: {
    /** E-mail */
    readonly email: string;
    /** Show */
    readonly show: string;
    /** There is no such choice. Choose one of the list. */
    readonly noSuchChoice: string;
    /** {label}: choose a colour */
    readonly chooseColour: (values: { readonly label: string }) => string;
    /** A colour such as #1a2b3c */
    readonly colourPattern: string;
    /** Password */
    readonly password: string;
    /** Current password */
    readonly currentPassword: string;
    /** Your password */
    readonly yourPassword: string;
    /** New password */
    readonly newPassword: string;
    /** At least {chars, plural, one {# character} other {# characters}}, and not a common password. */
    readonly newPasswordHint: (values: { readonly chars: number }) => string;
    /** At least {chars, plural, one {# character} other {# characters}}, and not a common password. A few unrelated words are easy to remember. */
    readonly firstPasswordHint: (values: { readonly chars: number }) => string;
    /** Code */
    readonly code: string;
    /** Six digits of your authenticator app, or a recovery code. */
    readonly sixDigits: string;
    /** (optional) */
    readonly optional: string;
    /** A file can be up to {megabytes, number} MB. Choose a smaller one. */
    readonly fileTooLarge: (values: { readonly megabytes: number }) => string;
    /** Use {address} */
    readonly useAddress: (values: { readonly address: string }) => string;
    /** Change the design */
    readonly changeDesign: string;
  };
  readonly common: {
    /** Settings */
    readonly settings: string;
    /** Activity */
    readonly activity: string;
    /** Actions for {name} */
    readonly actionsFor: (values: { readonly name: string }) => string;
    /** Copy the link */
    readonly copyLink: string;
    /** Done */
    readonly done: string;
    /** Save */
    readonly save: string;
    /** This is not possible */
    readonly notPossible: string;
    /** Codes */
    readonly codes: string;
    /** Back */
    readonly back: string;
    /** Close */
    readonly close: string;
    /** Cancel */
    readonly cancel: string;
    /** More */
    readonly more: string;
    /** Copy */
    readonly copy: string;
    /** Change */
    readonly change: string;
    /** On */
    readonly isOn: string;
    /** Off */
    readonly isOff: string;
    /** Show full address */
    readonly showFullAddress: string;
  };
  readonly roles: {
    /** Role */
    readonly role: string;
    /** {role, select, owner {Owner} editor {Editor} viewer {Viewer} other {}} */
    readonly name: (values: { readonly role: 'editor' | 'owner' | 'viewer' }) => string;
    /** Choose viewer or editor. */
    readonly chooseOne: string;
  };
  readonly people: {
    /** People */
    readonly title: string;
    /** Invite */
    readonly invite: string;
    /** Invite… */
    readonly inviteMenu: string;
    /** Invite…: people of this account */
    readonly inviteHere: string;
    /** See them */
    readonly seeThem: string;
    /** See them: people of this account */
    readonly seeThemHere: string;
    /** Invite somebody */
    readonly inviteSomebody: string;
    /** Invite somebody to {account} */
    readonly inviteSomebodyTo: (values: { readonly account: string }) => string;
    /** They sign in with this address. */
    readonly theySignInWithIt: string;
    /** Sees codes and scans, downloads and prints. */
    readonly viewerSees: string;
    /** Also creates, changes, pauses and plans codes. */
    readonly editorCreates: string;
    /** Create the link */
    readonly createLink: string;
    /** This server sends no mail. You get a link to pass on yourself. */
    readonly noMail: string;
    /** Can enter {account} */
    readonly canEnter: (values: { readonly account: string }) => string;
    /** · you */
    readonly you: string;
    /** Invited */
    readonly invited: string;
    /** Links work once, for {days, plural, one {# day} other {# days}}. */
    readonly linksWorkOnce: (values: { readonly days: number }) => string;
    /** What the roles may do */
    readonly whatRolesMayDo: string;
    /** sees codes and scans, downloads, prints */
    readonly viewerMay: string;
    /** also creates, changes, pauses, plans */
    readonly editorMay: string;
    /** also people, API key, plan, deletion */
    readonly ownerMay: string;
    /** not signed in here */
    readonly notSignedInHere: string;
    /** here <when></when> */
    readonly lastHere: <Part>(values: { readonly when: Part }) => (string | Part)[];
    /** {role, select, editor {Make an editor} viewer {Make a viewer} other {}} */
    readonly make: (values: { readonly role: 'editor' | 'viewer' }) => string;
    /** Remove */
    readonly remove: string;
    /** Remove… */
    readonly removeMenu: string;
    /** Remove {email}? */
    readonly removeQuestion: (values: { readonly email: string }) => string;
    /** They can’t enter this account any more, from their next click on. What they changed stays, and so does their own account. */
    readonly removed: string;
    /** {role, select, editor {Editor · ends on <date></date>} viewer {Viewer · ends on <date></date>} other {}} */
    readonly linkEnds: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly date: Part }) => (string | Part)[];
    /** {role, select, editor {Editor · <bad>the link ended on <date></date></bad>} viewer {Viewer · <bad>the link ended on <date></date></bad>} other {}} */
    readonly linkEnded: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly bad: (parts: (string | Part)[]) => Part; readonly date: Part }) => (string | Part)[];
    /** New link */
    readonly newLink: string;
    /** Take back */
    readonly takeBack: string;
    /** A link for {email} */
    readonly linkFor: (values: { readonly email: string }) => string;
    /** {role, select, editor {Editor of {account}.} viewer {Viewer of {account}.} other {}} Send it to them by mail or message. */
    readonly sendIt: (values: { readonly role: 'editor' | 'viewer'; readonly account: string }) => string;
    /** It works once, until <b>{time}</b>. */
    readonly worksOnceUntil: <Part>(values: { readonly b: (text: string) => Part; readonly time: string }) => (string | Part)[];
    /** Who has it can join with this address. It is shown only now; you can make a new one. */
    readonly whoHasIt: string;
    /** This person is gone */
    readonly gone: string;
    /** They left, or were removed meanwhile. */
    readonly goneWhy: string;
    /** Who can enter this account beside you. */
    readonly whoCanEnter: string;
    /** Who can enter your account beside you. Invite people in the settings. */
    readonly whoCanEnterYours: string;
    /** Who can enter this account beside its owner, who alone invites them. */
    readonly whoCanEnterTheirs: string;
    /** {people, plural, one {# person} other {# people}} */
    readonly count: (values: { readonly people: number }) => string;
    /** {people, plural, one {# person, {invited, number} invited} other {# people, {invited, number} invited}} */
    readonly countWithInvited: (values: { readonly people: number; readonly invited: number }) => string;
    /** Let a colleague do the work without your password. */
    readonly letColleague: string;
    /** Nobody. */
    readonly nobody: string;
    /** {role, select, editor {Editor since <date></date>} viewer {Viewer since <date></date>} other {}} */
    readonly since: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly date: Part }) => (string | Part)[];
    /** {role, select, editor {Invited as editor, the link ends on <date></date>} viewer {Invited as viewer, the link ends on <date></date>} other {}} */
    readonly invitedAs: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly date: Part }) => (string | Part)[];
  };
  readonly signIn: {
    /** Sign in */
    readonly title: string;
    /** Sign in again */
    readonly again: string;
    /** Your codes keep working while you’re away. */
    readonly codesKeepWorking: string;
    /** Your session has ended. <dialog>Your changes are kept.</dialog><page>Nothing was changed. Sign in, then press Back.</page> */
    readonly interrupted: <Part>(values: { readonly dialog: (text: string) => Part; readonly page: (text: string) => Part }) => (string | Part)[];
    /** Wrong e-mail or password. */
    readonly wrong: string;
    /** {unit, select, seconds {{count, plural, one {Too many attempts. Wait # second and try again.} other {Too many attempts. Wait # seconds and try again.}}} minutes {{count, plural, one {Too many attempts. Wait # minute and try again.} other {Too many attempts. Wait # minutes and try again.}}} hours {{count, plural, one {Too many attempts. Wait # hour and try again.} other {Too many attempts. Wait # hours and try again.}}} other {}} */
    readonly tooManyAttempts: (values: { readonly unit: 'hours' | 'minutes' | 'seconds'; readonly count: number }) => string;
    /** One more step */
    readonly oneMoreStep: string;
    /** Your password is right. Your account has a second factor. */
    readonly passwordIsRight: string;
    /** No phone and no recovery code? Ask the operator of this server to turn it off. */
    readonly noPhone: string;
    /** Forgot it? Ask the operator of this server for a link to set a new one. */
    readonly forgotIt: string;
    /** There is no account yet */
    readonly noAccountYet: string;
    /** To create the first account, open the newest link in the log of this server. */
    readonly createFirst: string;
    /** I’m signed in: send my form */
    readonly sendMyForm: string;
    /** or with a password */
    readonly orWithPassword: string;
    /** You sign in at <b>{host}</b> and come back here. This server doesn’t see your password. */
    readonly atProvider: <Part>(values: { readonly b: (text: string) => Part; readonly host: string }) => (string | Part)[];
    /** This server has no passwords */
    readonly noPasswords: string;
    /** Nothing was changed. Sign in with the login that the sign-in page names, or ask the operator for a link. */
    readonly noPasswordsWhy: string;
    /** Sign out */
    readonly signOut: string;
  };
  readonly confirm: {
    /** Confirm that it’s you */
    readonly title: string;
    /** Confirm */
    readonly button: string;
    /** You are asked once in {minutes, plural, one {# minute} other {# minutes}}, so that nobody does this who only found your browser open. <dialog>Your changes are kept.</dialog><page>Nothing was changed. Confirm, then press Back and send it again.</page> */
    readonly why: <Part>(values: { readonly minutes: number; readonly dialog: (text: string) => Part; readonly page: (text: string) => Part }) => (string | Part)[];
    /** You are asked once in {minutes, plural, one {# minute} other {# minutes}}. Your account has no password here, so sign in at {provider} again. <dialog>Your changes are kept.</dialog><page>Nothing was changed. Then press Back and send it again.</page> */
    readonly atProvider: <Part>(values: { readonly minutes: number; readonly provider: string; readonly dialog: (text: string) => Part; readonly page: (text: string) => Part }) => (string | Part)[];
    /** Your account has no password. Sign out and in again, and send the form within {minutes, plural, one {# minute} other {# minutes}}. */
    readonly noPassword: (values: { readonly minutes: number }) => string;
    /** I have confirmed: send my form */
    readonly sendMyForm: string;
  };
  readonly timeZone: {
    /** Time zone */
    readonly label: string;
    /** “Today”, charts, planned changes and exported times follow it. It is {time} there. The API stays in UTC. */
    readonly whatFollows: (values: { readonly time: string }) => string;
    /** Times are in {place}. */
    readonly timesAreIn: (values: { readonly place: string }) => string;
    /** Days begin at midnight in {place}. */
    readonly daysBeginIn: (values: { readonly place: string }) => string;
    /** Days begin at midnight in {place}. Scans are counted by the hour, so the half hour before it counts to the new day. */
    readonly daysBeginHalfHourOff: (values: { readonly place: string }) => string;
    /** {minutes, plural, one {Days begin at midnight in {place}. Scans are counted by the hour, so the minute before it counts to the new day.} other {Days begin at midnight in {place}. Scans are counted by the hour, so the # minutes before it counts to the new day.}} */
    readonly daysBeginMinutesOff: (values: { readonly minutes: number; readonly place: string }) => string;
    /** Change the time zone */
    readonly changeIt: string;
  };
  readonly link: {
    /** You sign in with it. No e-mail is sent. */
    readonly youSignInWithIt: string;
    /** This link is no longer valid */
    readonly invalid: string;
    /** It was used, has expired, was replaced, or the password has been changed since. Ask the operator of this server for a new one. */
    readonly invalidWhy: string;
    /** It was used, has expired, was replaced, or the password has been changed since. To create the first account, open the newest link in the log of this server. */
    readonly invalidFirst: string;
    /** Set your password */
    readonly setYourPassword: string;
    /** Set password */
    readonly setPassword: string;
    /** Create your account */
    readonly createYours: string;
    /** Create account */
    readonly create: string;
    /** It is the first one of this server, so it can create accounts for others. */
    readonly isFirst: string;
    /** For {email}. You will be signed in here and signed out everywhere else. */
    readonly whatHappens: (values: { readonly email: string }) => string;
  };
  readonly join: {
    /** Join {account} */
    readonly title: (values: { readonly account: string }) => string;
    /** Join */
    readonly button: string;
    /** This invitation is no longer valid */
    readonly invalid: string;
    /** It was used, has ended, was taken back, or a newer one has replaced it. Ask who invited you for a new link. */
    readonly invalidWhy: string;
    /** {role, select, editor {<by></by> invites <email></email> as an editor: to create, change and print codes.} viewer {<by></by> invites <email></email> as a viewer: to see codes and scans, to download and print.} other {}} */
    readonly invites: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly by: Part; readonly email: Part }) => (string | Part)[];
    /** {role, select, editor {<business></business>, <by></by>, invites <email></email> as an editor: to create, change and print codes.} viewer {<business></business>, <by></by>, invites <email></email> as a viewer: to see codes and scans, to download and print.} other {}} */
    readonly businessInvites: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly business: Part; readonly by: Part; readonly email: Part }) => (string | Part)[];
    /** You are signed in as <own></own>. The invitation is for <invited></invited>. */
    readonly signedInAsOther: <Part>(values: { readonly own: Part; readonly invited: Part }) => (string | Part)[];
    /** Sign out and use {email} */
    readonly signOutAndUse: (values: { readonly email: string }) => string;
    /** There is an account with this address. Sign in to it, then accept. */
    readonly hasAccount: string;
    /** You sign in with this address and a password of your choice. */
    readonly ownPassword: string;
  };
  readonly enter: {
    /** You can’t enter this account */
    readonly cannot: string;
    /** Its owner has removed you, or it is deleted. You are where you were. */
    readonly cannotWhy: string;
    /** Leave the account */
    readonly leaveTitle: string;
    /** Leave {account}? */
    readonly leaveQuestion: (values: { readonly account: string }) => string;
    /** Leave */
    readonly leave: string;
    /** Leave… */
    readonly leaveMenu: string;
    /** You can’t enter the account of <account></account> any more, until its owner invites you again. What you changed in it stays. */
    readonly leaving: <Part>(values: { readonly account: Part }) => (string | Part)[];
    /** This is your own account */
    readonly ownAccount: string;
    /** Nobody leaves the own account. Delete it in the settings. */
    readonly ownAccountWhy: string;
    /** Where you work */
    readonly whereYouWork: string;
    /** The account of somebody else, which you have entered. */
    readonly ofSomebodyElse: string;
    /** {role, select, editor {Editor in the account of <account></account>.} viewer {Viewer in the account of <account></account>.} other {}} Its time zone, texts for visitors and API key are its owner’s. Yours are in your own account, to which the account menu leads. */
    readonly whatIsOwners: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly account: Part }) => (string | Part)[];
  };
  readonly provider: {
    /** Continue with {provider} */
    readonly continueWith: (values: { readonly provider: string }) => string;
    /** Your Waymark password */
    readonly waymarkPassword: string;
    /** Connect your account */
    readonly connectYours: string;
    /** Type a code of your second factor once to connect {provider}. From then on, {provider} signs you in. */
    readonly typeCodeToConnect: (values: { readonly provider: string }) => string;
    /** Type your Waymark password once to connect {provider}. From then on, {provider} signs you in. */
    readonly typePasswordToConnect: (values: { readonly provider: string }) => string;
    /** {provider} knows you. Your account has a second factor. */
    readonly knowsYou: (values: { readonly provider: string }) => string;
    /** Connect and sign in */
    readonly connectAndSignIn: string;
    /** Nothing was changed. Your codes keep working. */
    readonly nothingChanged: string;
    /** You are not signed in. Your codes keep working. */
    readonly notSignedIn: string;
    /** Back to the settings */
    readonly backToSettings: string;
    /** Use your password */
    readonly usePassword: string;
    /** A link of the operator lets you in meanwhile: <command></command>. */
    readonly linkLetsYouIn: <Part>(values: { readonly command: Part }) => (string | Part)[];
    /** {provider} didn’t let you in */
    readonly notLetIn: (values: { readonly provider: string }) => string;
    /** Try another login */
    readonly tryAnother: string;
    /** Ask the owner of your account for an invitation, or the operator of this server, who can let you in: <command></command>. Tell them: <code></code>, <date></date>, reference {reference}. */
    readonly askOwner: <Part>(values: { readonly command: Part; readonly code: Part; readonly date: Part; readonly reference: string }) => (string | Part)[];
    /** Try again */
    readonly tryAgain: string;
    /** Sign in again */
    readonly signInAgain: string;
    /** Tell the operator of this server: <code></code>, <time></time>, reference {reference}. */
    readonly tellOperator: <Part>(values: { readonly code: Part; readonly time: Part; readonly reference: string }) => (string | Part)[];
    /** If it lasts, tell the operator of this server: <code></code>, <time></time>, reference {reference}. */
    readonly tellIfItLasts: <Part>(values: { readonly code: Part; readonly time: Part; readonly reference: string }) => (string | Part)[];
    /** If it happens again, tell the operator of this server: <code></code>, <time></time>, reference {reference}. */
    readonly tellIfAgain: <Part>(values: { readonly code: Part; readonly time: Part; readonly reference: string }) => (string | Part)[];
    /** If it should let you in, tell whoever runs {provider}: <code></code>, <time></time>, reference {reference}. */
    readonly tellWhoeverRuns: <Part>(values: { readonly provider: string; readonly code: Part; readonly time: Part; readonly reference: string }) => (string | Part)[];
    /** The operator of this server has to look at its settings. “waymark doctor” says what is wrong. */
    readonly lookAtSettings: string;
    /** {provider} doesn’t answer */
    readonly unreachable: (values: { readonly provider: string }) => string;
    /** {host} takes no sign-ins right now. That is nothing that you did, and it often passes within minutes. */
    readonly unreachableWhy: (values: { readonly host: string }) => string;
    /** {provider} takes too long to answer */
    readonly slow: (values: { readonly provider: string }) => string;
    /** {host} has not answered in time. That is nothing that you did, and it often passes within minutes. */
    readonly slowWhy: (values: { readonly host: string }) => string;
    /** The certificate of {provider} isn’t trusted here */
    readonly certificate: (values: { readonly provider: string }) => string;
    /** {provider} answers something else */
    readonly noProvider: (values: { readonly provider: string }) => string;
    /** {provider} calls itself by another address */
    readonly otherIssuer: (values: { readonly provider: string }) => string;
    /** The clocks of the two servers differ too much */
    readonly clock: string;
    /** So the answer of {provider} is not valid here. The operator of this server has to look at them. */
    readonly clockWhy: (values: { readonly provider: string }) => string;
    /** {provider} refuses what this server asks for */
    readonly scopeRefused: (values: { readonly provider: string }) => string;
    /** The operator of this server has to allow its client the scopes “openid”, “email” and “profile” at {provider}. */
    readonly scopeRefusedWhy: (values: { readonly provider: string }) => string;
    /** {provider} doesn’t accept this server */
    readonly wrongClient: (values: { readonly provider: string }) => string;
    /** The sign-in was used already, or came too late */
    readonly codeUsed: string;
    /** Nothing has happened. */
    readonly codeUsedWhy: string;
    /** You cancelled, or {provider} has refused */
    readonly denied: (values: { readonly provider: string }) => string;
    /** Whoever runs {provider} decides who may use this server. */
    readonly deniedWhy: (values: { readonly provider: string }) => string;
    /** {provider} doesn’t say that you have just signed in */
    readonly notFresh: (values: { readonly provider: string }) => string;
    /** Sign out here, sign in again, and send the form within ten minutes. */
    readonly notFreshWhy: string;
    /** The answer doesn’t belong to your sign-in */
    readonly wrongAnswer: string;
    /** Nothing has happened. Sign in again from this browser. */
    readonly wrongAnswerWhy: string;
    /** That was somebody else */
    readonly somebodyElse: string;
    /** You are signed in here as {email}. */
    readonly somebodyElseWhy: (values: { readonly email: string }) => string;
    /** {email} has no access */
    readonly hasNoAccess: (values: { readonly email: string }) => string;
    /** You have no access */
    readonly youHaveNoAccess: string;
    /** Nobody has invited this address to an account here. */
    readonly nobodyInvited: string;
    /** {provider} doesn’t vouch for this address. Verify it there. Or sign in here another way, and connect {provider} under Settings. */
    readonly unverified: (values: { readonly provider: string }) => string;
    /** The account of this address is connected with another person of {provider}. */
    readonly otherIdentity: (values: { readonly provider: string }) => string;
    /** There is no account yet */
    readonly noAccountYet: string;
    /** The first one is created by the newest link in the log of this server. */
    readonly noAccountYetWhy: string;
    /** An account cannot have this address. */
    readonly noAddress: string;
    /** Too many attempts */
    readonly tooManyAttempts: string;
    /** {unit, select, seconds {{count, plural, one {Wait # second and try again.} other {Wait # seconds and try again.}}} minutes {{count, plural, one {Wait # minute and try again.} other {Wait # minutes and try again.}}} hours {{count, plural, one {Wait # hour and try again.} other {Wait # hours and try again.}}} other {}} */
    readonly waitAndTryAgain: (values: { readonly unit: 'hours' | 'minutes' | 'seconds'; readonly count: number }) => string;
    /** Connect {provider} */
    readonly connectTitle: (values: { readonly provider: string }) => string;
    /** Connect {provider}? */
    readonly connectQuestion: (values: { readonly provider: string }) => string;
    /** Connect */
    readonly connect: string;
    /** <name></name> of {provider} then signs in as <email></email>. */
    readonly whoSignsIn: <Part>(values: { readonly name: Part; readonly provider: string; readonly email: Part }) => (string | Part)[];
    /** That is wrong. Nothing was changed. */
    readonly wrongSecret: string;
    /** This took too long */
    readonly tooLate: string;
    /** Nothing was changed. Go to the settings, and connect {provider} again. */
    readonly tooLateWhy: (values: { readonly provider: string }) => string;
    /** Your account is connected already, or another account is connected with this person of {provider}. */
    readonly taken: (values: { readonly provider: string }) => string;
    /** Without a password, you could not sign in any more. Set one first. */
    readonly noPassword: string;
  };
  readonly deletion: {
    /** Delete */
    readonly delete: string;
    /** Delete {email}? */
    readonly title: (values: { readonly email: string }) => string;
    /** Delete your account {email}? */
    readonly ownTitle: (values: { readonly email: string }) => string;
    /** This can’t be undone. */
    readonly cannotUndo: string;
    /** This can’t be undone. The newest backup is from {when}. */
    readonly cannotUndoBackup: (values: { readonly when: string }) => string;
    /** Delete account */
    readonly deleteAccount: string;
    /** {codes, plural, one {Delete account, give {codes, number} code to <recipient></recipient>} other {Delete account, give {codes, number} codes to <recipient></recipient>}} */
    readonly deleteAndGive: <Part>(values: { readonly codes: number; readonly recipient: Part }) => (string | Part)[];
    /** {codes, plural, one {Delete account, keep code} other {Delete account, keep codes}} */
    readonly deleteAndKeep: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Delete account and # code} other {Delete account and # codes}} */
    readonly deleteAndStop: (values: { readonly codes: number }) => string;
    /** the chosen account */
    readonly chosenAccount: string;
    /** your account, {email} */
    readonly yourAccount: (values: { readonly email: string }) => string;
    /** What happens to your codes */
    readonly whatHappensToYours: string;
    /** What happens to its codes */
    readonly whatHappensToIts: string;
    /** Choose what happens to the codes. */
    readonly chooseWhatHappens: string;
    /** {codes, plural, one {Give your # code to another account} other {Give your # codes to another account}} */
    readonly giveYours: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Give its # code to another account} other {Give its # codes to another account}} */
    readonly giveIts: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {It keeps working. Its design, name and scans move with it.} other {They keep working. Their designs, names and scans move with them.}} */
    readonly given: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Keep your # code working, without an owner} other {Keep your # codes working, without an owner}} */
    readonly keepYours: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Keep its # code working, without an owner} other {Keep its # codes working, without an owner}} */
    readonly keepIts: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {It keeps redirecting to the same destination. Nobody can change it, and its name is removed.} other {They keep redirecting to the same destinations. Nobody can change them, and their names are removed.}} */
    readonly kept: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Stop your # code} other {Stop your # codes}} */
    readonly stopYours: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Stop its # code} other {Stop its # codes}} */
    readonly stopIts: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {People who scan it read “{title}”.} other {People who scan them read “{title}”.}} */
    readonly stopped: (values: { readonly codes: number; readonly title: string }) => string;
    /** {codes, plural, one {Account that gets it} other {Account that gets them}} */
    readonly recipient: (values: { readonly codes: number }) => string;
    /** Choose an account… */
    readonly chooseAccount: string;
    /** Choose an account of the list. */
    readonly chooseOfList: string;
    /** Choose who gets the codes. */
    readonly chooseRecipient: string;
    /** Type {email} to confirm */
    readonly typeEmail: (values: { readonly email: string }) => string;
    /** Type {email} to confirm that you mean this account. */
    readonly typeEmailAgain: (values: { readonly email: string }) => string;
  };
  readonly codeUse: {
    /** You have no codes. */
    readonly youHaveNone: string;
    /** It has no codes. */
    readonly itHasNone: string;
    /** {codes, plural, one {You have # printed code.} other {You have # printed codes.}} */
    readonly youHave: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {It has # printed code.} other {It has # printed codes.}} */
    readonly itHas: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {It was never scanned.} other {They were never scanned.}} */
    readonly neverScanned: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {It was not scanned in the last 30 days, most recently {when}.} other {They were not scanned in the last 30 days, most recently {when}.}} */
    readonly notScannedLately: (values: { readonly codes: number; readonly when: string }) => string;
    /** {codes, plural, one {{scans, plural, one {It was scanned once in the last 30 days, most recently {when}.} other {It was scanned {scans, number} times in the last 30 days, most recently {when}.}}} other {{scans, plural, one {They were scanned once in the last 30 days, most recently {when}.} other {They were scanned {scans, number} times in the last 30 days, most recently {when}.}}}} */
    readonly scannedLately: (values: { readonly codes: number; readonly scans: number; readonly when: string }) => string;
  };
  readonly accounts: {
    /** Accounts */
    readonly title: string;
    /** Account */
    readonly account: string;
    /** Your account */
    readonly yours: string;
    /** All accounts */
    readonly all: string;
    /** All accounts together */
    readonly allTogether: string;
    /** New account */
    readonly newAccount: string;
    /** Create account */
    readonly create: string;
    /** You’ll get a one-time link for them to set a password. */
    readonly youGetLink: string;
    /** Operator: can manage accounts and safety */
    readonly mayManage: string;
    /** There is already an account {email}. */
    readonly taken: (values: { readonly email: string }) => string;
    /** Search by e-mail */
    readonly searchByEmail: string;
    /** Search */
    readonly search: string;
    /** No accounts found. */
    readonly noneFound: string;
    /** {more, plural, one {# more. Search to find it.} other {# more. Search to find them.}} */
    readonly more: (values: { readonly more: number }) => string;
    /** Codes */
    readonly codes: string;
    /** {codes, plural, one {{codes, number}<word>code</word>} other {{codes, number}<word>codes</word>}} */
    readonly codeCount: <Part>(values: { readonly codes: number; readonly word: (text: string) => Part }) => (string | Part)[];
    /** Scans */
    readonly scans: string;
    /** Scans, 30 days */
    readonly recentScans: string;
    /** Plan */
    readonly plan: string;
    /** {state, select, active {Active} none {No plan} expired {Plan expired} other {}} */
    readonly planState: (values: { readonly state: 'active' | 'expired' | 'none' }) => string;
    /** Does not expire */
    readonly planNeverExpires: string;
    /** Expires on <date></date> */
    readonly planExpiresOn: <Part>(values: { readonly date: Part }) => (string | Part)[];
    /** Expired on <date></date> */
    readonly planExpiredOn: <Part>(values: { readonly date: Part }) => (string | Part)[];
    /** None yet */
    readonly noPlanYet: string;
    /** Last day of the plan */
    readonly lastPlanDay: string;
    /** In UTC. Empty: it doesn’t end. After it, printed codes keep working; creating and changing stop. */
    readonly lastPlanDayHint: string;
    /** Save plan */
    readonly savePlan: string;
    /** Created */
    readonly created: string;
    /** Operator */
    readonly operator: string;
    /** Second factor */
    readonly secondFactor: string;
    /** on */
    readonly isOn: string;
    /** off */
    readonly isOff: string;
    /** Facts */
    readonly facts: string;
    /** Last seen */
    readonly lastSeen: string;
    /** not signed in */
    readonly notSignedIn: string;
    /** API key */
    readonly apiKey: string;
    /** ends in <end></end> */
    readonly keyEndsIn: <Part>(values: { readonly end: Part }) => (string | Part)[];
    /** none */
    readonly noKey: string;
    /** What you may do, and until when. */
    readonly whatYouMayDo: string;
    /** What it may do, and until when. */
    readonly whatItMayDo: string;
    /** Security */
    readonly security: string;
    /** A new password signs you out everywhere else. */
    readonly passwordSignsYouOut: string;
    /** A new password signs them out everywhere else. */
    readonly passwordSignsThemOut: string;
    /** One-time link */
    readonly oneTimeLink: string;
    /** It lets {email} set a new password. A new link replaces an earlier one. */
    readonly linkSetsPassword: (values: { readonly email: string }) => string;
    /** It lets {email} sign in. A new link replaces an earlier one. */
    readonly linkSignsIn: (values: { readonly email: string }) => string;
    /** Their second factor stays on. */
    readonly factorStaysOn: string;
    /** Create a link */
    readonly createLink: string;
    /** Nobody makes a link for the own account. Change your password in the settings. */
    readonly noOwnLink: string;
    /** Turn off */
    readonly turnOff: string;
    /** For somebody without phone and recovery codes. Make sure that it is them: then the password alone is enough to sign in. */
    readonly turnOffWhen: string;
    /** Turn off your own second factor in the settings, with a code. */
    readonly ownSecondFactor: string;
    /** Devices */
    readonly devices: string;
    /** Used <when></when> */
    readonly used: <Part>(values: { readonly when: Part }) => (string | Part)[];
    /** Signed in nowhere. */
    readonly signedInNowhere: string;
    /** Sign out everywhere */
    readonly signOutEverywhere: string;
    /** This cannot be undone. */
    readonly cannotUndo: string;
    /** Delete… */
    readonly deleteMenu: string;
    /** You decide what happens to your codes. */
    readonly decideYours: string;
    /** You decide what happens to its codes. */
    readonly decideIts: string;
    /** Sign-in link */
    readonly signInLink: string;
    /** Send it to {email} over a channel you trust: anyone who opens it can set the password. It works once and expires in {days, plural, one {# day} other {# days}}, or when the password is changed. It is shown <b>only this once</b>. */
    readonly sendLink: <Part>(values: { readonly email: string; readonly days: number; readonly b: (text: string) => Part }) => (string | Part)[];
  };
  readonly pages: {
    /** Keyboard shortcuts */
    readonly keys: string;
    /** Overview */
    readonly overview: string;
    /** Codes */
    readonly codes: string;
    /** Print */
    readonly print: string;
    /** Designs */
    readonly designs: string;
    /** API key */
    readonly apiKey: string;
    /** API docs */
    readonly apiDocs: string;
    /** Domains */
    readonly domains: string;
    /** New code */
    readonly newCode: string;
    /** Create many codes */
    readonly createMany: string;
    /** Planned changes */
    readonly plannedChanges: string;
    /** Devices */
    readonly devices: string;
    /** Second factor */
    readonly secondFactor: string;
    /** Find */
    readonly find: string;
  };
  readonly designs: {
    /** Design */
    readonly design: string;
    /** Your designs */
    readonly yours: string;
    /** New design */
    readonly newDesign: string;
    /** Default design */
    readonly defaultDesign: string;
    /** New codes use it */
    readonly newCodesUseIt: string;
    /** Saved, but phones can’t read it */
    readonly savedUnreadable: string;
    /** No code can be created with it until you fix it. */
    readonly noCodesUntilFixed: string;
    /** Printed and existing codes keep the design they were created with. */
    readonly codesKeepTheirs: string;
    /** {changes, plural, one {# unsaved change} other {# unsaved changes}} */
    readonly unsavedChanges: (values: { readonly changes: number }) => string;
    /** You can save it, but no code can be created with it. */
    readonly savedWithoutUse: string;
    /** Save as… */
    readonly saveAsMenu: string;
    /** Save as default */
    readonly saveAsDefault: string;
    /** Save <name></name> */
    readonly saveNamed: <Part>(values: { readonly name: Part }) => (string | Part)[];
    /** Save design */
    readonly saveDesign: string;
    /** Make it the default */
    readonly makeDefault: string;
    /** Actions for the design {name} */
    readonly actionsFor: (values: { readonly name: string }) => string;
    /** Rename */
    readonly rename: string;
    /** Rename… */
    readonly renameMenu: string;
    /** Rename design */
    readonly renameDesign: string;
    /** Duplicate… */
    readonly duplicateMenu: string;
    /** Delete… */
    readonly deleteMenu: string;
    /** Delete design */
    readonly deleteDesign: string;
    /** Delete “{name}” */
    readonly deleteNamed: (values: { readonly name: string }) => string;
    /** Delete the saved design */
    readonly deleteSaved: string;
    /** Codes that were created with it keep it. */
    readonly codesKeepDeleted: string;
    /** Check */
    readonly check: string;
    /** Start from */
    readonly startFrom: string;
    /** {preset, select, Ink {Ink} Navy {Navy} Forest {Forest} Brick {Brick} Plum {Plum} Sea {Sea} other {}} */
    readonly presetName: (values: { readonly preset: 'Brick' | 'Forest' | 'Ink' | 'Navy' | 'Plum' | 'Sea' }) => string;
    /** Logo */
    readonly logo: string;
    /** Upload a logo */
    readonly uploadLogo: string;
    /** <drawn>PNG, JPEG, WebP, AVIF or SVG, up to {drawnMegabytes, number} MB.</drawn><read>PNG or JPEG, up to {readMegabytes, number} MB. With JavaScript, your browser draws other pictures.</read> */
    readonly acceptedFiles: <Part>(values: { readonly drawn: (text: string) => Part; readonly drawnMegabytes: number; readonly read: (text: string) => Part; readonly readMegabytes: number }) => (string | Part)[];
    /** Drop a logo here */
    readonly dropLogo: string;
    /** Choose a file */
    readonly chooseFile: string;
    /** Your logo */
    readonly yourLogo: string;
    /** Replace */
    readonly replaceLogo: string;
    /** Remove */
    readonly removeLogo: string;
    /** Drawn by this browser, {widthPx, number} × {heightPx, number} px. It is printed as you see it here. */
    readonly logoDrawnHere: (values: { readonly widthPx: number; readonly heightPx: number }) => string;
    /** {widthPx, number} × {heightPx, number} px. It is printed as you see it here. */
    readonly logoPrintedSo: (values: { readonly widthPx: number; readonly heightPx: number }) => string;
    /** {widthPx, number} × {heightPx, number} px<more>. Or drop another file here: <drawn>PNG, JPEG, WebP, AVIF or SVG, up to {drawnMegabytes, number} MB.</drawn><read>PNG or JPEG, up to {readMegabytes, number} MB. With JavaScript, your browser draws other pictures.</read></more> */
    readonly logoSaved: <Part>(values: { readonly widthPx: number; readonly heightPx: number; readonly more: (parts: (string | Part)[]) => Part; readonly drawn: (text: string) => Part; readonly drawnMegabytes: number; readonly read: (text: string) => Part; readonly readMegabytes: number }) => (string | Part)[];
    /** The logo was chosen more than a day ago. Choose the file again. */
    readonly logoTooOld: string;
    /** Size */
    readonly logoSize: string;
    /** {percent, number} % */
    readonly logoSizeValue: (values: { readonly percent: number }) => string;
    /** Larger logos cover more of the pattern. */
    readonly logoSizeHint: string;
    /** Space behind it */
    readonly logoSpace: string;
    /** {space, select, none {None} square {Square} circle {Circle} other {}} */
    readonly logoSpaceName: (values: { readonly space: 'circle' | 'none' | 'square' }) => string;
    /** Colours */
    readonly colours: string;
    /** Enter a colour such as #1a2b3c. */
    readonly colourWanted: string;
    /** Pattern */
    readonly patternColour: string;
    /** Background */
    readonly backgroundColour: string;
    /** Corners */
    readonly cornerColour: string;
    /** as the pattern */
    readonly likePattern: string;
    /** Shapes */
    readonly shapes: string;
    /** Pattern */
    readonly patternShape: string;
    /** {shape, select, square {Square} rounded {Rounded} dots {Dots} other {}} */
    readonly patternShapeName: (values: { readonly shape: 'dots' | 'rounded' | 'square' }) => string;
    /** Corners */
    readonly cornerShape: string;
    /** {shape, select, square {Square} rounded {Rounded} circle {Circle} other {}} */
    readonly cornerShapeName: (values: { readonly shape: 'circle' | 'rounded' | 'square' }) => string;
    /** Margin */
    readonly margin: string;
    /** {squares, plural, one {# square} other {# squares}} */
    readonly marginValue: (values: { readonly squares: number }) => string;
    /** Phones need at least {squares, plural, one {# square} other {# squares}} of background around the code. */
    readonly marginHint: (values: { readonly squares: number }) => string;
    /** Caption */
    readonly caption: string;
    /** A call to action, such as “Scan for the menu”. Up to {chars, plural, one {# character} other {# characters}}. */
    readonly captionHint: (values: { readonly chars: number }) => string;
    /** Where */
    readonly captionPlace: string;
    /** {place, select, below {Below} above {Above} other {}} */
    readonly captionPlaceName: (values: { readonly place: 'above' | 'below' }) => string;
    /** Name */
    readonly nameOfDesign: string;
    /** With a name, you choose the design when you create codes. */
    readonly nameHint: string;
    /** Preview */
    readonly preview: string;
    /** A code in this design */
    readonly codeInDesign: string;
    /** Phones can’t read it */
    readonly unreadable: string;
    /** Readable now */
    readonly readableNow: string;
    /** Phones can read it */
    readonly readable: string;
    /** It isn’t saved yet. */
    readonly notSavedYet: string;
    /** Readability <b>{score, number}</b> of 100 */
    readonly readability: <Part>(values: { readonly b: (text: string) => Part; readonly score: number }) => (string | Part)[];
    /** Readability {score, number} of 100 */
    readonly readabilityText: (values: { readonly score: number }) => string;
    /** {score, number} of 100 */
    readonly score: (values: { readonly score: number }) => string;
    /** Not readable */
    readonly notReadable: string;
    /** {band, select, weak {too weak} good {good} excellent {excellent} other {}} */
    readonly band: (values: { readonly band: 'excellent' | 'good' | 'weak' }) => string;
    /** The logo covers {percent, number} % of the pattern. Without it, this design has {score, number}. */
    readonly betterWithoutLogo: (values: { readonly percent: number; readonly score: number }) => string;
    /** In black on white, this design has {score, number}. */
    readonly betterInBlack: (values: { readonly score: number }) => string;
    /** Details */
    readonly details: string;
    /** {how, select, removed {The logo is removed.} new {The logo is new.} another {The logo is another one.} other {}} */
    readonly logoChanged: (values: { readonly how: 'another' | 'new' | 'removed' }) => string;
    /** Undo */
    readonly undo: string;
    /** Undo all changes */
    readonly undoAll: string;
    /** Use this colour */
    readonly useColour: string;
    /** Use these changes */
    readonly useChanges: string;
    /** now: {score, number} */
    readonly scoreNow: (values: { readonly score: number }) => string;
    /** then: {score, number} */
    readonly scoreThen: (values: { readonly score: number }) => string;
    /** Fix it */
    readonly fix: string;
    /** Fix {name} */
    readonly fixNamed: (values: { readonly name: string }) => string;
    /** Use {name} */
    readonly use: (values: { readonly name: string }) => string;
    /** Use Default design */
    readonly useDefault: string;
  };
  readonly safety: {
    /** Safety */
    readonly title: string;
    /** Destinations are checked against your rules, then the threat lists. */
    readonly checkedLocally: string;
    /** Destinations are checked against your rules, then the threat lists, then the remote check. */
    readonly checkedRemotely: string;
    /** Needs attention */
    readonly needsAttention: string;
    /** Code, short link or destination */
    readonly lookUpLabel: string;
    /** Look up */
    readonly lookUp: string;
    /** Percent-encode a destination of more than 500 characters */
    readonly percentEncode: string;
    /** No code found */
    readonly noCodeFound: string;
    /** There is no code “{search}”. */
    readonly noSuchCode: (values: { readonly search: string }) => string;
    /** Code found */
    readonly codeFound: string;
    /** {address} would be rejected */
    readonly isFlagged: (values: { readonly address: string }) => string;
    /** {address} is allowed by your rules */
    readonly isAllowed: (values: { readonly address: string }) => string;
    /** {address} is not flagged */
    readonly isNotFlagged: (values: { readonly address: string }) => string;
    /** It matches no rule and no list. */
    readonly matchesNothing: string;
    /** {source, select, operator {Decided by the operator’s rules} builtIn {Decided by the built-in test addresses} remote {Decided by the remote check “{list}”} imported {Decided by the list “{list}”} other {}} */
    readonly decidedBy: (values: { readonly source: 'builtIn' | 'imported' | 'operator' | 'remote'; readonly list: string }) => string;
    /** {source, select, operator {Decided by the operator’s rules: “{expression}”} builtIn {Decided by the built-in test addresses: “{expression}”} remote {Decided by the remote check “{list}”: “{expression}”} imported {Decided by the list “{list}”: “{expression}”} other {}} */
    readonly decidedByAs: (values: { readonly source: 'builtIn' | 'imported' | 'operator' | 'remote'; readonly expression: string; readonly list: string }) => string;
    /** {source, select, operator {flagged by the operator’s rules as “{expression}” since <time></time>} builtIn {flagged by the built-in test addresses as “{expression}” since <time></time>} remote {flagged by the remote check “{list}” as “{expression}” since <time></time>} imported {flagged by the list “{list}” as “{expression}” since <time></time>} other {}} */
    readonly flaggedBy: <Part>(values: { readonly source: 'builtIn' | 'imported' | 'operator' | 'remote'; readonly expression: string; readonly time: Part; readonly list: string }) => (string | Part)[];
    /** your account */
    readonly yourAccount: string;
    /** blocked: {reason} */
    readonly blockedBecause: (values: { readonly reason: string }) => string;
    /** Flagged codes */
    readonly flaggedCodes: string;
    /** No code redirects to a flagged destination. */
    readonly noneFlagged: string;
    /** Blocked codes */
    readonly blockedCodes: string;
    /** No code is blocked. To block a code, look it up. */
    readonly noneBlocked: string;
    /** Block */
    readonly block: string;
    /** Block… */
    readonly blockMenu: string;
    /** Block {code}… */
    readonly blockCode: (values: { readonly code: string }) => string;
    /** Unblock */
    readonly unblock: string;
    /** Unblock {code} */
    readonly unblockCode: (values: { readonly code: string }) => string;
    /** Block a code */
    readonly blockTitle: string;
    /** Block {code}? */
    readonly blockQuestion: (values: { readonly code: string }) => string;
    /** People who scan it see a page that says so, until you unblock it. It belongs to {owner}. */
    readonly blocking: (values: { readonly owner: string }) => string;
    /** People who scan it see a page that says so, until you unblock it. It belongs to your account. */
    readonly blockingOwn: string;
    /** Reason */
    readonly reason: string;
    /** The owner of the code reads it. Visitors don’t. */
    readonly reasonHint: string;
    /** Leads to a fake bank */
    readonly reasonExample: string;
    /** Your rules */
    readonly yourRules: string;
    /** Allow */
    readonly allow: string;
    /** added on <date></date> */
    readonly addedOn: <Part>(values: { readonly date: Part }) => (string | Part)[];
    /** Remove */
    readonly remove: string;
    /** Remove: {rule} */
    readonly removeRule: (values: { readonly rule: string }) => string;
    /** Domain or address */
    readonly ruleTarget: string;
    /** A domain includes its subdomains. An address that ends in / includes everything in that folder. */
    readonly ruleTargetHint: string;
    /** Add block rule */
    readonly addBlockRule: string;
    /** Add allow rule */
    readonly addAllowRule: string;
    /** Threat lists */
    readonly threatLists: string;
    /** No list is imported. Import one with <code>waymark safety import</code>. */
    readonly noList: <Part>(values: { readonly code: (text: string) => Part }) => (string | Part)[];
    /** {entries, plural, one {# entry · imported on <date></date>} other {# entries · imported on <date></date>}} */
    readonly entries: <Part>(values: { readonly entries: number; readonly date: Part }) => (string | Part)[];
    /** Remote check */
    readonly remoteCheck: string;
    /** none */
    readonly noProvider: string;
    /** Codes to re-check */
    readonly toRecheck: string;
    /** all, because rules or lists have changed */
    readonly allToRecheck: string;
  };
  readonly messages: {
    /** Done. It was made now, as an edit. */
    readonly scheduledChangeMade: string;
    /** Folder renamed. */
    readonly folderRenamed: string;
    /** {edit}. */
    readonly codesEdited: (values: { readonly edit: string }) => string;
    /** No code was changed: all are like that already, or can’t be changed. */
    readonly noCodesChanged: string;
    /** The last bulk edit is undone. */
    readonly bulkEditUndone: string;
    /** Design saved. New codes will use it. */
    readonly designSaved: string;
    /** Design saved. You can choose it when you create codes. */
    readonly designNamed: string;
    /** New codes will use this design. */
    readonly designMadeDefault: string;
    /** Design renamed. */
    readonly designRenamed: string;
    /** Saved design deleted. */
    readonly designDeleted: string;
    /** The replaced key no longer works. */
    readonly oldKeyEnded: string;
    /** The key is revoked. */
    readonly keyRevoked: string;
    /** The second factor is off. */
    readonly secondFactorOff: string;
    /** The session has ended. */
    readonly oneSessionEnded: string;
    /** All other sessions have ended. */
    readonly otherSessionsEnded: string;
    /** Password changed. All other sessions have ended. */
    readonly passwordChanged: string;
    /** Saved. Visitors see it on paused codes at once. */
    readonly visitorsSaved: string;
    /** Keyboard shortcuts are off. */
    readonly keysOff: string;
    /** Keyboard shortcuts are on. */
    readonly keysOn: string;
    /** You are signed out. */
    readonly signedOut: string;
    /** Connected. From now on, it signs you in. */
    readonly providerConnected: string;
    /** Disconnected. You sign in with your password. */
    readonly providerDisconnected: string;
    /** You have joined. The account menu leads to your own account. */
    readonly joined: string;
    /** The invitation is taken back. Its link no longer works. */
    readonly invitationTakenBack: string;
    /** Plan saved. */
    readonly planSaved: string;
    /** The account is signed out everywhere. */
    readonly sessionsEnded: string;
    /** Saved. */
    readonly domainSaved: string;
    /** Name, note, folder and path saved. */
    readonly labelsSaved: string;
    /** The domain is removed. */
    readonly domainRemoved: string;
    /** The code is blocked. It no longer redirects. */
    readonly codeBlocked: string;
    /** The code is no longer blocked. */
    readonly codeUnblocked: string;
    /** Rule saved. Existing codes will be re-checked. */
    readonly ruleAdded: string;
    /** Rule removed. Existing codes will be re-checked. */
    readonly ruleRemoved: string;
    /** The message is saved. */
    readonly pausedMessageSaved: string;
    /** The code is paused. */
    readonly paused: string;
    /** The code redirects again. */
    readonly resumed: string;
    /** The code is archived. It still redirects. */
    readonly archived: string;
    /** The code is in lists again. */
    readonly unarchived: string;
    /** Sign in again */
    readonly signInExpired: string;
    /** The code came too late, or your password has been changed. */
    readonly signInExpiredText: string;
    /** Sign in again */
    readonly providerExpired: string;
    /** It took more than ten minutes, or began in another browser. */
    readonly providerExpiredText: string;
    /** You are signed in */
    readonly signedInAgain: string;
    /** Your form was not sent. Close this tab, press Back in the one before, and send it again. */
    readonly signedInAgainText: string;
    /** You have confirmed that it’s you */
    readonly confirmed: string;
    /** Your form was not sent. Close this tab, press Back in the one before, and send it again. */
    readonly confirmedText: string;
    /** Your code is ready. Download it below. */
    readonly created: string;
    /** Your code is ready. Download it below. https:// was added. */
    readonly createdCompleted: string;
    /** Destination saved. */
    readonly destinationSaved: string;
    /** Destination saved. https:// was added. */
    readonly destinationSavedCompleted: string;
    /** {codes, plural, one {Planned for # code.} other {Planned for # codes.}} */
    readonly planned: (values: { readonly codes: number }) => string;
    /** {left, plural, one {# was left out: with too many changes, or another one at this time.} other {# were left out: with too many changes, or another one at this time.}} */
    readonly leftOut: (values: { readonly left: number }) => string;
    /** Planned: {when}, in {place}. */
    readonly changePlanned: (values: { readonly when: string; readonly place: string }) => string;
    /** Planned: {when}, and back: {back}, in {place}. */
    readonly changePlannedWithEnd: (values: { readonly when: string; readonly back: string; readonly place: string }) => string;
    /** {changes, plural, one {Planned: # change, in {place}.} other {Planned: # changes, in {place}.}} */
    readonly changesPlanned: (values: { readonly changes: number; readonly place: string }) => string;
    /** See them */
    readonly seePlanned: string;
    /** {changes, plural, one {Planned change deleted.} other {# planned changes deleted.}} */
    readonly plannedDeleted: (values: { readonly changes: number }) => string;
    /** {codes, plural, one {Folder removed. # code stays, without a folder.} other {Folder removed. # codes stay, without a folder.}} */
    readonly folderRemoved: (values: { readonly codes: number }) => string;
    /** {left, plural, one {You signed in with a recovery code. # is left.} other {You signed in with a recovery code. # are left.}} */
    readonly recoveryCodeUsed: (values: { readonly left: number }) => string;
    /** Make new ones in the settings, or turn the second factor off and on with your new phone. */
    readonly recoveryCodeUsedText: string;
    /** Since your last sign-in here */
    readonly sinceLastSignIn: string;
    /** {codes, plural, one {# wrong code of the second factor.} other {# wrong codes of the second factor.}} */
    readonly wrongCodes: (values: { readonly codes: number }) => string;
    /** {links, plural, one {# one-time link to sign in.} other {# one-time links to sign in.}} */
    readonly signInLinks: (values: { readonly links: number }) => string;
    /** {keys, plural, one {# new API key.} other {# new API keys.}} */
    readonly newKeys: (values: { readonly keys: number }) => string;
    /** Your e-mail address was changed. */
    readonly emailWasChanged: string;
    /** New on {browsers}. */
    readonly newBrowsers: (values: { readonly browsers: string }) => string;
    /** If that was not you, change your password. */
    readonly ifNotYou: string;
    /** See the activity */
    readonly seeActivity: string;
    /** Your e-mail address is {email} now. Sign in with it from now on. */
    readonly emailChanged: (values: { readonly email: string }) => string;
    /** The panel is in English now. */
    readonly languageChanged: string;
    /** Your days follow {place}. */
    readonly daysFollow: (values: { readonly place: string }) => string;
    /** Change */
    readonly changeZone: string;
    /** You are signed out here. You may still be signed in at {provider}. */
    readonly signedOutHere: (values: { readonly provider: string }) => string;
    /** Sign out there too */
    readonly signOutThere: string;
    /** You are signed in as {email} */
    readonly signedInAsOther: (values: { readonly email: string }) => string;
    /** The form was of another account. It was not sent, and nothing was changed. */
    readonly signedInAsOtherText: string;
    /** You have left {account}. */
    readonly accountLeft: (values: { readonly account: string }) => string;
    /** {role, select, editor {{email} is an editor now.} viewer {{email} is a viewer now.} other {}} */
    readonly roleChanged: (values: { readonly role: 'editor' | 'viewer'; readonly email: string }) => string;
    /** {email} can’t enter this account any more. */
    readonly personRemoved: (values: { readonly email: string }) => string;
    /** Your account is deleted. */
    readonly ownAccountDeleted: string;
    /** The account is deleted. */
    readonly accountDeleted: string;
    /** The domain is added. */
    readonly domainAdded: string;
    /** New codes begin with {domain}. */
    readonly domainChosen: (values: { readonly domain: string }) => string;
    /** Saved. Codes that are printed already keep their domain. */
    readonly folderDomainSaved: string;
  };
  readonly errors: {
    /** Page not found */
    readonly pageNotFound: string;
    /** This page does not exist, or you do not have access to it. */
    readonly pageNotFoundWhy: string;
    /** The scans are being counted */
    readonly beingCounted: string;
    /** The scans of these days are being counted. Try again in a minute. */
    readonly beingCountedWhy: string;
    /** Changes are not possible right now */
    readonly noChangesNow: string;
    /** The server cannot save changes. Nothing was changed, and printed codes continue to redirect. Its operator finds the cause in the log and at /healthz. */
    readonly noChangesNowWhy: string;
    /** This form is out of date */
    readonly outOfDate: string;
    /** Nothing was changed: you have signed in again since its page was opened. Go back and send it again. */
    readonly outOfDateWhy: string;
    /** This form is of another account */
    readonly ofAnotherAccount: string;
    /** This form is of your account */
    readonly ofYourAccount: string;
    /** This form is of the account of {email} */
    readonly ofTheAccountOf: (values: { readonly email: string }) => string;
    /** Nothing was changed: you now work in the account of {entered}. To send the form, go back to your account in the account menu. */
    readonly goBackToYours: (values: { readonly entered: string }) => string;
    /** Nothing was changed: you now work in your account. To send the form, go back to the account of {other} in the account menu. */
    readonly goBackFromYours: (values: { readonly other: string }) => string;
    /** Nothing was changed: you now work in the account of {entered}. To send the form, go back to the account of {other} in the account menu. */
    readonly goBackFrom: (values: { readonly entered: string; readonly other: string }) => string;
    /** Nothing was changed: you are now signed in as {person}. To send the form, sign in as before. */
    readonly signedInAs: (values: { readonly person: string }) => string;
    /** Nothing was changed: you are now signed in as {person} and work in the account of {entered}. */
    readonly signedInAsIn: (values: { readonly person: string; readonly entered: string }) => string;
    /** Only the owner can do this */
    readonly onlyTheOwner: string;
    /** This is the account of {email}. You are its editor. Ask its owner. */
    readonly editorAsksOwner: (values: { readonly email: string }) => string;
    /** This is the account of {email}. You are its viewer. Ask its owner. */
    readonly viewerAsksOwner: (values: { readonly email: string }) => string;
    /** You can look, not change */
    readonly onlyLook: string;
    /** This is the account of {email}. You are its viewer. Ask its owner or an editor. */
    readonly viewerAsksEditor: (values: { readonly email: string }) => string;
    /** What you typed is kept. */
    readonly typedIsKept: string;
    /** Send it again */
    readonly sendAgain: string;
    /** Back to the list */
    readonly backToList: string;
    /** Your codes */
    readonly yourCodes: string;
    /** This needs an active plan */
    readonly needsPlan: string;
    /** Something went wrong */
    readonly wentWrong: string;
    /** The server failed. Its log has the cause. */
    readonly serverFailed: string;
    /** The server is busy */
    readonly serverIsBusy: string;
    /** The server cannot do this right now. Nothing was changed. Try again shortly. */
    readonly serverCannotNow: string;
    /** The server lost its database during this request. The change may have been made: look before you repeat it. */
    readonly outcomeUnknown: string;
    /** Request rejected */
    readonly rejected: string;
    /** The form could not be read */
    readonly formNotRead: string;
    /** Nothing was changed. Go back, reload the page and try again. */
    readonly formNotReadWhy: string;
    /** The form is too large */
    readonly formTooLarge: string;
    /** Nothing was changed. A form can be up to {kilobytes, number} KB. */
    readonly formTooLargeWhy: (values: { readonly kilobytes: number }) => string;
    /** Nothing was changed. A file can be up to {megabytes, number} MB. Choose a smaller one. */
    readonly fileTooLargeWhy: (values: { readonly megabytes: number }) => string;
    /** This form was sent from another address */
    readonly sentFromElsewhere: string;
    /** Nothing was changed. Open the panel at {address} and try again. */
    readonly sentFromElsewhereWhy: (values: { readonly address: string }) => string;
    /** Nothing was changed */
    readonly nothingChanged: string;
  };
  readonly find: {
    /** Codes, folders and pages */
    readonly whatIsFound: string;
    /** Nothing found */
    readonly nothingFound: string;
    /** {results, plural, one {# result} other {# results}} */
    readonly results: (values: { readonly results: number }) => string;
    /** Nothing matches “<search></search>”. */
    readonly nothingMatches: <Part>(values: { readonly search: Part }) => (string | Part)[];
    /** All codes that match */
    readonly allThatMatch: string;
    /** Codes */
    readonly codes: string;
    /** Folders */
    readonly folders: string;
    /** Pages */
    readonly pages: string;
  };
  readonly layout: {
    /** Skip to content */
    readonly skipToContent: string;
    /** The server did not answer */
    readonly noAnswer: string;
    /** Your form may have arrived. Look in another tab before you send it again. */
    readonly noAnswerWhy: string;
    /** Developers */
    readonly developers: string;
    /** Operator */
    readonly operator: string;
    /** {codes, plural, one {{codes, number}<hidden> flagged</hidden>} other {{codes, number}<hidden> flagged</hidden>}} */
    readonly flaggedCodes: <Part>(values: { readonly codes: number; readonly hidden: (text: string) => Part }) => (string | Part)[];
    /** <hidden>In the account of </hidden><name></name> */
    readonly inTheAccountOf: <Part>(values: { readonly hidden: (text: string) => Part; readonly name: Part }) => (string | Part)[];
    /** <hidden>Your account </hidden><name></name> */
    readonly yourAccount: <Part>(values: { readonly hidden: (text: string) => Part; readonly name: Part }) => (string | Part)[];
    /** Account */
    readonly account: string;
    /** Account {email} */
    readonly accountWith: (values: { readonly email: string }) => string;
    /** <hidden>Account </hidden><email></email> */
    readonly accountWithEmail: <Part>(values: { readonly hidden: (text: string) => Part; readonly email: Part }) => (string | Part)[];
    /** Main */
    readonly mainNavigation: string;
    /** Bottom */
    readonly bottomNavigation: string;
    /** Undo */
    readonly undo: string;
    /** This server has a problem */
    readonly serverHasProblem: string;
    /** This server needs attention */
    readonly serverNeedsAttention: string;
    /** What it is, and what to do */
    readonly whatItIs: string;
    /** Phones can’t open {host} */
    readonly phonesCannotOpen: (values: { readonly host: string }) => string;
    /** A code that you print now leads nowhere. Tell the operator of this server before you print. */
    readonly leadsNowhere: string;
    /** A code that you print now leads nowhere. Set the public address of this server, then restart it. */
    readonly leadsNowhereOperator: string;
    /** How to set it */
    readonly howToSetIt: string;
    /** Copy the command */
    readonly copyCommand: string;
    /** You no longer have access to the account in which you worked */
    readonly lostAccount: string;
    /** Its owner has removed you, or it is deleted. This is your own account, {email}. */
    readonly lostAccountWhy: (values: { readonly email: string }) => string;
    /** OK */
    readonly understood: string;
    /** The account of {name} has no plan */
    readonly accountHasNoPlan: (values: { readonly name: string }) => string;
    /** To create codes in it, its owner asks the operator of this server for a plan. */
    readonly accountHasNoPlanWhy: string;
    /** Your account has no plan */
    readonly youHaveNoPlan: string;
    /** You can work in the accounts of others, which the account menu has. To create codes of your own, ask the operator of this server for a plan. */
    readonly youHaveNoPlanWhy: string;
    /** The plan of {name} expired on {date} */
    readonly accountPlanExpired: (values: { readonly name: string; readonly date: string }) => string;
    /** Printed codes keep working: they redirect and count scans. To create codes or change destinations, its owner asks the operator of this server to renew the plan. */
    readonly accountPlanExpiredWhy: string;
    /** Your plan expired on {date} */
    readonly planExpired: (values: { readonly date: string }) => string;
    /** Printed codes keep working: they redirect and count scans. You can still download, export, pause and resume them. To create codes, change destinations or use the API, ask the operator of this server to renew your plan. */
    readonly planExpiredWhy: string;
  };
  readonly pager: {
    /** {first, number}–{last, number} */
    readonly range: (values: { readonly first: number; readonly last: number }) => string;
    /** {first, number}–{last, number} of {total, number} */
    readonly rangeOf: (values: { readonly first: number; readonly last: number; readonly total: number }) => string;
    /** Previous */
    readonly previous: string;
    /** Next */
    readonly next: string;
    /** Page {page, number} */
    readonly page: (values: { readonly page: number }) => string;
  };
  readonly pausedPage: {
    /** How the page looks */
    readonly howItLooks: string;
    /** This code is paused */
    readonly isPaused: string;
    /** Its owner */
    readonly itsOwner: string;
    /** <who></who> has turned it off for now. */
    readonly whoHasTurnedItOff: <Part>(values: { readonly who: Part }) => (string | Part)[];
  };
  readonly flags: {
    /** {source, select, operator {the operator’s rules} builtIn {the built-in test addresses} remote {the remote check “{list}”} imported {the list “{list}”} other {}} */
    readonly list: (values: { readonly source: 'builtIn' | 'imported' | 'operator' | 'remote'; readonly list: string }) => string;
  };
  readonly times: {
    /** just now */
    readonly justNow: string;
    /** on {date} */
    readonly onDate: (values: { readonly date: string }) => string;
  };
  readonly settings: {
    /** Account */
    readonly account: string;
    /** Who you are here, and which clock your days follow. */
    readonly whoYouAre: string;
    /** Change the e-mail address */
    readonly changeEmail: string;
    /** Change your e-mail address */
    readonly changeYourEmail: string;
    /** New e-mail */
    readonly newEmail: string;
    /** Change it */
    readonly changeIt: string;
    /** You sign in with it from then on. This server sends no mail: nobody checks that it is yours, so look at each letter. Your sessions, API key and codes stay, and so do the accounts that you can enter. */
    readonly newEmailSignsIn: string;
    /** Plan */
    readonly plan: string;
    /** {state, select, endless {Does not expire.} active {Expires on <end></end>.} expired {<bad>Expired on <end></end></bad>.} none {None yet.} other {}} The account was created on <created></created>. */
    readonly planAndCreation: <Part>(values: { readonly state: 'active' | 'endless' | 'expired' | 'none'; readonly end: Part; readonly bad: (parts: (string | Part)[]) => Part; readonly created: Part }) => (string | Part)[];
    /** Security */
    readonly security: string;
    /** How you get in, and where you are signed in. */
    readonly howYouGetIn: string;
    /** A new one signs you out everywhere else. */
    readonly newPasswordSignsOut: string;
    /** You have none. With one, you can sign in here too. */
    readonly noPassword: string;
    /** Change the password */
    readonly changeThePassword: string;
    /** Change password */
    readonly changePassword: string;
    /** Set a password */
    readonly setPassword: string;
    /** Set */
    readonly set: string;
    /** You stay signed in here and are signed out everywhere else. */
    readonly youStaySignedIn: string;
    /** Leave this server. */
    readonly leaveServer: string;
    /** Delete my account… */
    readonly deleteMyAccount: string;
    /** Your e-mail address, password, API key, designs and all names and notes are removed. You decide whether your codes keep working. */
    readonly whatIsRemoved: string;
    /** Show the activity */
    readonly showActivity: string;
    /** Show */
    readonly show: string;
    /** {days, plural, one {Who did what in this account in the last # day.} other {Who did what in this account in the last # days.}} */
    readonly activityKept: (values: { readonly days: number }) => string;
    /** Connect it to sign in without a password of this server. */
    readonly connectToSignIn: string;
    /** Connected on <date></date>. */
    readonly connectedOn: <Part>(values: { readonly date: Part }) => (string | Part)[];
    /** Connected on <date></date>, used <when></when>. */
    readonly connectedAndUsed: <Part>(values: { readonly date: Part; readonly when: Part }) => (string | Part)[];
    /** It is your only way in. */
    readonly onlyWayIn: string;
    /** Disconnect {provider} */
    readonly disconnectProvider: (values: { readonly provider: string }) => string;
    /** Disconnect */
    readonly disconnect: string;
  };
  readonly shortcuts: {
    /** In this browser. <all>All shortcuts</all> */
    readonly inThisBrowser: <Part>(values: { readonly all: (text: string) => Part }) => (string | Part)[];
    /** Switch on */
    readonly switchOn: string;
    /** Switch off */
    readonly switchOff: string;
    /** Switch on keyboard shortcuts in this browser */
    readonly switchOnHere: string;
    /** Switch off keyboard shortcuts in this browser */
    readonly switchOffHere: string;
    /** Ctrl or ⌘ + {key} */
    readonly ctrlOrCommand: (values: { readonly key: string }) => string;
    /** {first}, then {second} */
    readonly oneThenOther: (values: { readonly first: string; readonly second: string }) => string;
    /** Shift + click */
    readonly shiftAndClick: string;
    /** Search */
    readonly search: string;
    /** Find codes, folders and pages */
    readonly find: string;
    /** Tick the row with the focus */
    readonly tickRow: string;
    /** Tick all rows from the one ticked last */
    readonly tickRows: string;
    /** Change the destination: of the ticked codes, the row with the focus, or the code */
    readonly changeDestination: string;
    /** Close a dialog, or clear the selection */
    readonly close: string;
    /** Send the form of a dialog */
    readonly send: string;
    /** This list */
    readonly thisList: string;
  };
  readonly visitors: {
    /** Visitors */
    readonly title: string;
    /** What people see when a code is paused. */
    readonly whatTheySee: string;
    /** Business name */
    readonly businessName: string;
    /** Visitors see it, with the logo of your design, on the page of a paused code. */
    readonly businessNameHint: string;
    /** Message for paused codes */
    readonly message: string;
    /** At most {chars, plural, one {# character} other {# characters}}, in the language of your guests. */
    readonly messageHint: (values: { readonly chars: number }) => string;
    /** Button below it */
    readonly buttonBelowMessage: string;
    /** An address. The button shows it as it is. */
    readonly buttonHint: string;
    /** What you write stands beside our words, which are in their language. */
    readonly besideOurWords: string;
  };
  readonly secondFactor: {
    /** The six digits that the app shows now. */
    readonly appShowsNow: string;
    /** Turn on the second factor */
    readonly turnOnTitle: string;
    /** 1. Scan this with an authenticator app */
    readonly stepScan: string;
    /** Such as Aegis, Google Authenticator, 1Password or the passwords of an iPhone. The camera alone is not enough. */
    readonly whichApps: string;
    /** QR code with the secret */
    readonly qrCode: string;
    /** Or <open>open it on this device</open>, or type the secret into the app: */
    readonly orOnThisDevice: <Part>(values: { readonly open: (text: string) => Part }) => (string | Part)[];
    /** Copy the secret */
    readonly copySecret: string;
    /** 2. Type the code that it shows */
    readonly stepType: string;
    /** Turn on */
    readonly turnOn: string;
    /** Turn on… */
    readonly turnOnMenu: string;
    /** Manage */
    readonly manage: string;
    /** Then you get recovery codes, for the day on which you don’t have the phone. */
    readonly thenRecoveryCodes: string;
    /** Open the page of the second factor again. */
    readonly openAgain: string;
    /** The second factor is on already. */
    readonly isOnAlready: string;
    /** This is not the code that the app shows. Check the clock of the phone, and type the next one. */
    readonly wrongCode: string;
    /** The second factor is on */
    readonly isOn: string;
    /** From now on, you sign in with your password and a code. */
    readonly fromNowOn: string;
    /** New recovery codes */
    readonly newRecoveryCodes: string;
    /** Your recovery codes */
    readonly yourRecoveryCodes: string;
    /** Each signs you in once, in place of a code of the app. Print them, or keep them in a password manager. They are shown <b>only this once</b>. */
    readonly keepThem: <Part>(values: { readonly b: (text: string) => Part }) => (string | Part)[];
    /** Each signs you in once, in place of a code of the app. Print them, or keep them in a password manager. They are shown <b>only this once</b>, and the earlier ones no longer work. */
    readonly keepNewOnes: <Part>(values: { readonly b: (text: string) => Part }) => (string | Part)[];
    /** For {email} at {server} */
    readonly onPaper: (values: { readonly email: string; readonly server: string }) => string;
    /** Copy the recovery codes */
    readonly copyRecoveryCodes: string;
    /** I have kept them */
    readonly haveKeptThem: string;
    /** {codes, plural, one {# recovery code is left. New ones replace them.} other {# recovery codes are left. New ones replace them.}} */
    readonly newOnesReplace: (values: { readonly codes: number }) => string;
    /** Make new ones */
    readonly makeNewOnes: string;
    /** Turn off */
    readonly turnOff: string;
    /** Then the password alone is enough to sign in. For a new phone, turn it off and on again. */
    readonly passwordIsEnough: string;
    /** {codes, plural, one {An app on your phone. # recovery code is left.} other {An app on your phone. # recovery codes are left.}} */
    readonly codesLeft: (values: { readonly codes: number }) => string;
    /** With a code of an app on your phone, a stolen password is not enough. */
    readonly whatFor: string;
  };
  readonly sessions: {
    /** Where you are signed in */
    readonly title: string;
    /** since <date></date> */
    readonly since: <Part>(values: { readonly date: Part }) => (string | Part)[];
    /** since <date></date>, used <when></when> */
    readonly sinceAndUsed: <Part>(values: { readonly date: Part; readonly when: Part }) => (string | Part)[];
    /** This one */
    readonly thisOne: string;
    /** End */
    readonly end: string;
    /** End the session of {device} */
    readonly endThatOf: (values: { readonly device: string }) => string;
    /** End the session of an unknown browser */
    readonly endUnknown: string;
    /** There are more, which were used longer ago. */
    readonly thereAreMore: string;
    /** End all others */
    readonly endOthers: string;
    /** A session ends after {hours, plural, one {# hour} other {# hours}} without use, and after {days, plural, one {# day} other {# days}} at the latest. */
    readonly howLong: (values: { readonly hours: number; readonly days: number }) => string;
    /** {devices, plural, one {# device} other {# devices}} */
    readonly count: (values: { readonly devices: number }) => string;
    /** {devices, plural, one {More than # device} other {More than # devices}} */
    readonly moreThan: (values: { readonly devices: number }) => string;
    /** This one, {device} <when></when> */
    readonly thisAndOne: <Part>(values: { readonly device: string; readonly when: Part }) => (string | Part)[];
    /** This one, {first} <firstUsed></firstUsed>, {second} <secondUsed></secondUsed> */
    readonly thisAndTwo: <Part>(values: { readonly first: string; readonly firstUsed: Part; readonly second: string; readonly secondUsed: Part }) => (string | Part)[];
    /** This one, {first} <firstUsed></firstUsed>, {second} <secondUsed></secondUsed>, and others */
    readonly thisAndOthers: <Part>(values: { readonly first: string; readonly firstUsed: Part; readonly second: string; readonly secondUsed: Part }) => (string | Part)[];
    /** {devices, plural, one {See it} other {See them}} */
    readonly see: (values: { readonly devices: number }) => string;
    /** Unknown browser */
    readonly unknownBrowser: string;
    /** Browser */
    readonly someBrowser: string;
    /** Browser on {system} */
    readonly someBrowserOn: (values: { readonly system: string }) => string;
    /** {browser} on {system} */
    readonly browserOn: (values: { readonly browser: string; readonly system: string }) => string;
  };
  readonly apiKey: {
    /** Create and edit codes from your own programs. */
    readonly whatFor: string;
    /** Replace key */
    readonly replaceKey: string;
    /** Replace the key? */
    readonly replaceQuestion: string;
    /** Replace */
    readonly replace: string;
    /** Replace… */
    readonly replaceMenu: string;
    /** Without the current key, programs that use it get <status></status> until they have the new one. Printed codes are not affected. */
    readonly replacing: <Part>(values: { readonly status: Part }) => (string | Part)[];
    /** The current key works on */
    readonly currentWorksOn: string;
    /** Beside the new one, so that programs can be changed one by one. */
    readonly currentWorksOnHint: string;
    /** not at all */
    readonly worksOnNotAtAll: string;
    /** for an hour */
    readonly worksOnForHour: string;
    /** for a day */
    readonly worksOnForDay: string;
    /** for a week */
    readonly worksOnForWeek: string;
    /** Revoke key */
    readonly revokeKey: string;
    /** Revoke the key? */
    readonly revokeQuestion: string;
    /** Revoke */
    readonly revoke: string;
    /** Revoke… */
    readonly revokeMenu: string;
    /** Programs that use the key get <status></status>. Printed codes are not affected. */
    readonly revoking: <Part>(values: { readonly status: Part }) => (string | Part)[];
    /** Nothing was changed: this page showed an earlier key. */
    readonly outdated: string;
    /** Your new key */
    readonly yourNewKey: string;
    /** Copy it now: it is shown <b>only this once</b>. The server stores only its hash. */
    readonly copyItNow: <Part>(values: { readonly b: (text: string) => Part }) => (string | Part)[];
    /** Copy the key */
    readonly copy: string;
    /** Your first request */
    readonly firstRequest: string;
    /** Each of these creates a code. They are ready to paste. */
    readonly readyToPaste: string;
    /** Copy the request in {language} */
    readonly copyRequest: (values: { readonly language: string }) => string;
    /** Try it in Swagger UI */
    readonly tryIt: string;
    /** It has the key while this page is open. The key is not stored in the browser. */
    readonly inThisPage: string;
    /** No API key yet */
    readonly noneYet: string;
    /** The key is shown only once. You can replace or revoke it at any time. */
    readonly shownOnce: string;
    /** Generate key */
    readonly generate: string;
    /** You can generate a key once your account has an active plan. */
    readonly needsPlan: string;
    /** Key ending in <end></end> */
    readonly endingIn: <Part>(values: { readonly end: Part }) => (string | Part)[];
    /** Generated */
    readonly generated: string;
    /** Last used */
    readonly lastUsed: string;
    /** never */
    readonly neverUsed: string;
    /** In the last minute */
    readonly lastMinute: string;
    /** {used, number} of {limit, plural, one {# request} other {# requests}} */
    readonly usedOfLimit: (values: { readonly used: number; readonly limit: number }) => string;
    /** The replaced key ending in <end></end> works beside it until <time></time>. */
    readonly replacedWorksUntil: <Part>(values: { readonly end: Part; readonly time: Part }) => (string | Part)[];
    /** End the replaced key now */
    readonly endReplaced: string;
  };
  readonly activity: {
    /** {topic, select, codes {Codes} designs {Designs} people {People and sign-in} settings {Settings} other {}} */
    readonly topic: (values: { readonly topic: 'codes' | 'designs' | 'people' | 'settings' }) => string;
    /** Search code, address, person */
    readonly search: string;
    /** Person */
    readonly person: string;
    /** Everybody */
    readonly everybody: string;
    /** Kind */
    readonly kind: string;
    /** Every kind */
    readonly everyKind: string;
    /** Apply */
    readonly apply: string;
    /** What happened */
    readonly whatHappened: string;
    /** No entries found */
    readonly noneFound: string;
    /** {entries, plural, one {# entry} other {# entries}} */
    readonly found: (values: { readonly entries: number }) => string;
    /** {entries, plural, one {The first # entry} other {The first # entries}} */
    readonly firstFound: (values: { readonly entries: number }) => string;
    /** Nothing is recorded here. */
    readonly nothing: string;
    /** No entry matches “<search></search>”. */
    readonly noMatch: <Part>(values: { readonly search: Part }) => (string | Part)[];
    /** All activity */
    readonly all: string;
    /** Pages of the activity */
    readonly pages: string;
    /** {days, plural, one {Kept for # day.} other {Kept for # days.}} */
    readonly kept: (values: { readonly days: number }) => string;
    /** Searched back to <time></time>. */
    readonly searchedBack: <Part>(values: { readonly time: Part }) => (string | Part)[];
    /** Newest */
    readonly newest: string;
    /** Older */
    readonly older: string;
    /** Search on */
    readonly searchOn: string;
    /** Today, {date} */
    readonly today: (values: { readonly date: string }) => string;
    /** Yesterday, {date} */
    readonly yesterday: (values: { readonly date: string }) => string;
    /** this code */
    readonly thisCode: string;
    /** a code */
    readonly aCode: string;
    /** a person who left */
    readonly aPersonWhoLeft: string;
    /** You */
    readonly you: string;
    /** You, as the operator */
    readonly youAsOperator: string;
    /** You, as the operator, */
    readonly youAsOperatorDid: string;
    /** A person who left */
    readonly personWhoLeft: string;
    /** API key …{end} */
    readonly apiKey: (values: { readonly end: string }) => string;
    /** The operator */
    readonly operator: string;
    /** A planned change */
    readonly plannedChange: string;
    /** A command on the server */
    readonly command: string;
  };
  readonly domains: {
    /** Domain */
    readonly domain: string;
    /** The addresses that codes are printed with. A printed code keeps its domain for ever. */
    readonly whatTheyAre: string;
    /** Domains are checked when this page is opened, those that lead here once an hour. */
    readonly whenChecked: string;
    /** Add a domain */
    readonly addDomain: string;
    /** Add */
    readonly add: string;
    /** It may lead to this server later. Don’t print before it does. */
    readonly domainHint: string;
    /** Who may print codes with it */
    readonly whoMayPrint: string;
    /** Choose who may print codes with it. */
    readonly chooseWhoMayPrint: string;
    /** All accounts */
    readonly allAccounts: string;
    /** Each account chooses it for its codes. */
    readonly eachChooses: string;
    /** No account yet */
    readonly noAccountYet: string;
    /** You name accounts on the page of the domain. */
    readonly nameThemLater: string;
    /** Open {domain} */
    readonly openThis: (values: { readonly domain: string }) => string;
    /** Open */
    readonly open: string;
    /** Address of this server */
    readonly mainAddress: string;
    /** Not checked */
    readonly notChecked: string;
    /** Leads here */
    readonly leadsHere: string;
    /** Doesn’t lead here */
    readonly leadsElsewhere: string;
    /** checked <when></when> */
    readonly checkedAt: <Part>(values: { readonly when: Part }) => (string | Part)[];
    /** No account */
    readonly noAccount: string;
    /** {others, plural, one {{first}, {second} and # other account} other {{first}, {second} and # other accounts}} */
    readonly twoAndOthers: (values: { readonly others: number; readonly first: string; readonly second: string }) => string;
    /** its codes are being counted */
    readonly beingCounted: string;
    /** no codes */
    readonly noCodes: string;
    /** {text} is no domain. Write it without a path, such as go.example.com. */
    readonly isNoDomain: (values: { readonly text: string }) => string;
    /** {url} is there already. Open it in the list to change it. */
    readonly existsAlready: (values: { readonly url: string }) => string;
    /** There is no domain {url} any more. */
    readonly isGone: (values: { readonly url: string }) => string;
    /** {codes, plural, one {# code printed with {url} would lead nowhere once it does not lead here. Nothing was changed.} other {# codes printed with {url} would lead nowhere once it does not lead here. Nothing was changed.}} */
    readonly printedCodesLost: (values: { readonly codes: number; readonly url: string }) => string;
    /** {codes, plural, one {# code} other {# codes}} */
    readonly codes: (values: { readonly codes: number }) => string;
  };
  readonly domain: {
    /** Those of the future as well. */
    readonly futureToo: string;
    /** Only these */
    readonly onlyThese: string;
    /** The ticked accounts. */
    readonly tickedAccounts: string;
    /** Accounts */
    readonly accounts: string;
    /** Who may print codes with it. Printed codes stay. */
    readonly whoPrints: string;
    /** E-mail of another account */
    readonly otherEmail: string;
    /** There is no account {email}. */
    readonly noSuchAccount: (values: { readonly email: string }) => string;
    /** Save accounts */
    readonly saveAccounts: string;
    /** Front page leads to */
    readonly frontPage: string;
    /** Empty: the front page of this server. */
    readonly frontPageHint: string;
    /** Unknown codes lead to */
    readonly unknownCodes: string;
    /** Empty: a page that says so. Paused and blocked codes keep their own pages. */
    readonly unknownCodesHint: string;
    /** Check again */
    readonly checkAgain: string;
    /** Does it lead here? */
    readonly doesItLeadHere: string;
    /** It was not checked yet. */
    readonly notCheckedYet: string;
    /** What this server found <when></when>. */
    readonly whatWasFound: <Part>(values: { readonly when: Part }) => (string | Part)[];
    /** Settings */
    readonly settings: string;
    /** What cannot be changed here. */
    readonly cannotBeChanged: string;
    /** This is the main domain. All accounts may use it, and the settings of the server say which it is, and what its front page is. */
    readonly isMain: string;
    /** Visitors */
    readonly visitors: string;
    /** Where people go who type only the domain, or an address that doesn’t exist. */
    readonly whereVisitorsGo: string;
    /** Remove */
    readonly remove: string;
    /** Remove… */
    readonly removeMenu: string;
    /** For domains that nothing was printed with. */
    readonly nothingPrinted: string;
    /** Don’t offer it for new codes */
    readonly doNotOffer: string;
    /** Remove {domain}? */
    readonly removeQuestion: (values: { readonly domain: string }) => string;
    /** Remove the domain */
    readonly removeDomain: string;
    /** Its front page and its page for unknown addresses end at once. Codes stay found under the other domains. */
    readonly removing: string;
    /** Type {domain} to confirm */
    readonly typeIt: (values: { readonly domain: string }) => string;
    /** Type {domain} to confirm that you mean this domain. */
    readonly typeItAgain: (values: { readonly domain: string }) => string;
    /** The codes that are printed with {domain} are being counted. */
    readonly beingCounted: (values: { readonly domain: string }) => string;
    /** No code is printed with {domain}. */
    readonly noneLost: (values: { readonly domain: string }) => string;
    /** {codes, plural, one {# code is printed with {domain}. It leads nowhere once the domain doesn’t lead here.} other {# codes are printed with {domain}. They lead nowhere once the domain doesn’t lead here.}} */
    readonly lost: (values: { readonly codes: number; readonly domain: string }) => string;
    /** Address */
    readonly toHaveAddress: string;
    /** It has an address */
    readonly hasAddress: string;
    /** It has no address */
    readonly hasNoAddress: string;
    /** An answer */
    readonly toAnswer: string;
    /** It answers */
    readonly answers: string;
    /** It does not answer */
    readonly doesNotAnswer: string;
    /** Certificate */
    readonly toHaveCertificate: string;
    /** Its certificate is valid */
    readonly certificateIsValid: string;
    /** Its certificate is not valid */
    readonly certificateIsNotValid: string;
    /** An answer of this server */
    readonly toBeThisServer: string;
    /** This server answers */
    readonly isThisServer: string;
    /** Another server answers */
    readonly isOtherServer: string;
    /** Not checked yet. */
    readonly stepNotChecked: string;
    /** Looked at once the line above is in order. */
    readonly stepChecksLater: string;
    /** Where the domain is managed, set an entry of the type CNAME with this value, or entries A and AAAA with the addresses that it has: */
    readonly setEntry: string;
    /** Copy the value */
    readonly copyValue: string;
    /** It may take an hour until the whole world has it. The proxy needs a certificate for the domain, and forwards it to this server. */
    readonly takesTime: string;
  };
  readonly ownDomains: {
    /** What your codes are printed with. */
    readonly printedWith: string;
    /** You choose for each new code. A printed code keeps its domain for ever. The operator of this server adds domains. */
    readonly youChoose: string;
    /** For new codes */
    readonly forNewCodes: string;
    /** No codes. */
    readonly noCodes: string;
    /** {codes, plural, one {# code.} other {# codes.}} */
    readonly codes: (values: { readonly codes: number }) => string;
    /** Phones don’t get here with it, so don’t print it yet. The operator of this server sees this too. */
    readonly leadsElsewhere: string;
    /** Use it for new codes: {domain} */
    readonly useThis: (values: { readonly domain: string }) => string;
    /** Use it for new codes */
    readonly use: string;
    /** The short link begins with it. It is part of the picture and can’t be changed later. */
    readonly hint: string;
  };
  readonly codeState: {
    /** Active */
    readonly active: string;
    /** Paused */
    readonly paused: string;
    /** Blocked */
    readonly blocked: string;
    /** Stopped */
    readonly stopped: string;
    /** Archived */
    readonly archived: string;
    /** Flagged */
    readonly flagged: string;
    /** link */
    readonly importedLink: string;
  };
  readonly labels: {
    /** Name, note, folder and path */
    readonly title: string;
    /** Name, note, folder and path… */
    readonly menu: string;
    /** Name */
    readonly name: string;
    /** Note */
    readonly note: string;
    /** Folder */
    readonly folder: string;
    /** Path */
    readonly path: string;
    /** Pass the query on */
    readonly query: string;
    /** Shown in lists and file names. It is not part of the image. */
    readonly nameHint: string;
    /** Only you see it. */
    readonly noteHint: string;
    /** Created if there is none of this name. */
    readonly folderHint: string;
    /** One more address for the code, for people who type, such as menu. */
    readonly pathHint: string;
    /** What stands behind the ? of the opened link is added to the destination. */
    readonly queryHint: string;
  };
  readonly code: {
    /** Test scan */
    readonly testScan: string;
    /** Pause */
    readonly pause: string;
    /** Pause “{name}” */
    readonly pauseQuestion: (values: { readonly name: string }) => string;
    /** Visitors see a page that says so, until you resume it. */
    readonly pausing: string;
    /** Resume */
    readonly resume: string;
    /** The operator has blocked this code */
    readonly blocked: string;
    /** It shows a “blocked” page instead of redirecting. Ask the operator of this server why. */
    readonly blockedWithoutReason: string;
    /** It shows a “blocked” page instead of redirecting. Reason: <reason></reason> */
    readonly blockedBecause: <Part>(values: { readonly reason: Part }) => (string | Part)[];
    /** This code is paused */
    readonly isPaused: string;
    /** Scans are not counted. */
    readonly scansNotCounted: string;
    /** This code is archived: it is left out of lists, searches and exports. It still redirects and counts. */
    readonly isArchived: string;
    /** The destination is flagged as dangerous */
    readonly isFlagged: string;
    /** {source, select, operator {Flagged since <time></time> by the operator’s rules as “{expression}”.} builtIn {Flagged since <time></time> by the built-in test addresses as “{expression}”.} remote {Flagged since <time></time> by the remote check “{list}” as “{expression}”.} imported {Flagged since <time></time> by the list “{list}” as “{expression}”.} other {}} People who scan the code may see a warning first. Change the destination, or ask the operator if the flag is wrong. */
    readonly flaggedBy: <Part>(values: { readonly source: 'builtIn' | 'imported' | 'operator' | 'remote'; readonly time: Part; readonly expression: string; readonly list: string }) => (string | Part)[];
    /** What people see who scan it */
    readonly visitorsSee: string;
    /** It has no message, and there is none in <settings>Settings</settings>. */
    readonly noMessage: <Part>(values: { readonly settings: (text: string) => Part }) => (string | Part)[];
    /** In your words, in every language. Without a message of its own, it shows that of <settings>Settings</settings>. */
    readonly ownMessage: <Part>(values: { readonly settings: (text: string) => Part }) => (string | Part)[];
    /** In your words, in every language. It has no message of its own: this is that of <settings>Settings</settings>. */
    readonly messageOfSettings: <Part>(values: { readonly settings: (text: string) => Part }) => (string | Part)[];
    /** Change the message */
    readonly changeMessage: string;
    /** See the page */
    readonly seePage: string;
    /** Message for visitors */
    readonly message: string;
    /** {chars, plural, one {At most # character. Left empty, it is the message of your settings.} other {At most # characters. Left empty, it is the message of your settings.}} */
    readonly messageHint: (values: { readonly chars: number }) => string;
    /** Visitors see it at once, and until you resume the code. */
    readonly messageShown: string;
    /** Print */
    readonly print: string;
    /** Plan a change… */
    readonly planMenu: string;
    /** Duplicate */
    readonly duplicate: string;
    /** Archive */
    readonly archive: string;
    /** Unarchive */
    readonly unarchive: string;
  };
  readonly destination: {
    /** Destination */
    readonly destination: string;
    /** People who scan it go to */
    readonly aboveAddress: string;
    /** After a warning, people go to */
    readonly aboveAddressFlagged: string;
    /** When resumed, people go to */
    readonly aboveAddressPaused: string;
    /** Nobody gets to */
    readonly aboveAddressBlocked: string;
    /** Change */
    readonly change: string;
    /** Open */
    readonly open: string;
    /** You can look, not change. Ask an editor, or the owner: <owner></owner>. */
    readonly askEditor: <Part>(values: { readonly owner: Part }) => (string | Part)[];
    /** You can change the destination once this account has an active plan. */
    readonly needsPlan: string;
    /** Since <time></time>, as planned. */
    readonly sincePlanned: <Part>(values: { readonly time: Part }) => (string | Part)[];
    /** Next, {time}: it leads to {address}. */
    readonly nextLeads: (values: { readonly time: string; readonly address: string }) => string;
    /** Next, {time}: it is paused. */
    readonly nextIsPaused: (values: { readonly time: string }) => string;
    /** Next, {time}: it is resumed. */
    readonly nextIsResumed: (values: { readonly time: string }) => string;
    /** Undo */
    readonly undo: string;
    /** Short link */
    readonly shortLink: string;
    /** Copy the short link */
    readonly copyShortLink: string;
    /** Created on <date></date> */
    readonly createdOn: <Part>(values: { readonly date: Part }) => (string | Part)[];
    /** {times, plural, one {Changed # time} other {Changed # times}} */
    readonly changed: (values: { readonly times: number }) => string;
    /** {times, plural, one {Changed more than # time} other {Changed more than # times}} */
    readonly changedMore: (values: { readonly times: number }) => string;
    /** Address to type */
    readonly typedAddress: string;
    /** Copy the address to type */
    readonly copyTypedAddress: string;
    /** History */
    readonly history: string;
    /** now */
    readonly isNow: string;
    /** until <time></time> */
    readonly until: <Part>(values: { readonly time: Part }) => (string | Part)[];
    /** until <time></time>, as planned */
    readonly untilPlanned: <Part>(values: { readonly time: Part }) => (string | Part)[];
    /** Use again */
    readonly useAgain: string;
    /** Use again: {address} */
    readonly useAddressAgain: (values: { readonly address: string }) => string;
    /** {shown, plural, one {Only the latest # is shown.} other {Only the latest # are shown.}} */
    readonly onlyLatest: (values: { readonly shown: number }) => string;
    /** All activity of this code */
    readonly allActivity: string;
    /** Used before */
    readonly usedBefore: string;
    /** Phones can’t open {host} */
    readonly phonesCannotOpen: (values: { readonly host: string }) => string;
    /** This address is the phone itself. Change the destination to one that phones can open. */
    readonly isPhoneItself: string;
    /** Only phones in your network can open {host} */
    readonly onlyYourNetwork: (values: { readonly host: string }) => string;
    /** Everyone else who scans the code sees an error. Change the destination if others scan it too. */
    readonly othersSeeError: string;
    /** Change where “{name}” leads */
    readonly changeQuestion: (values: { readonly name: string }) => string;
    /** The printed code stays the same. Phones follow from the next scan on. */
    readonly printedStaysSame: string;
    /** Plan it for later */
    readonly planForLater: string;
    /** The old address is selected: type or paste over it. */
    readonly isSelected: string;
    /** There are two addresses in this field. */
    readonly twoAddresses: string;
    /** That’s what I want */
    readonly keepBoth: string;
  };
  readonly passQuery: {
    /** What stands behind the ? of the opened link is left out. */
    readonly leavesOut: string;
    /** Switch on */
    readonly switchOn: string;
    /** Switch off */
    readonly switchOff: string;
    /** Link */
    readonly exampleLink: string;
    /** Opens */
    readonly exampleOpens: string;
  };
  readonly picture: {
    /** Picture */
    readonly picture: string;
    /** QR code of {name} */
    readonly alt: (values: { readonly name: string }) => string;
    /** Download PNG */
    readonly downloadPng: string;
    /** {px, number} px */
    readonly pixels: (values: { readonly px: number }) => string;
    /** Copy picture */
    readonly copy: string;
    /** Other sizes */
    readonly otherSizes: string;
    /** PNG {px, number} px <soft>up to {width} wide</soft> */
    readonly pngSize: <Part>(values: { readonly px: number; readonly soft: (text: string) => Part; readonly width: string }) => (string | Part)[];
    /** PDF <soft>in any size, for print shops</soft> */
    readonly pdfSize: <Part>(values: { readonly soft: (text: string) => Part }) => (string | Part)[];
    /** Print at least <b>{hand}</b> wide to scan from the hand, <b>{poster}</b> for a poster at 1 m, margin included. */
    readonly printAtLeast: <Part>(values: { readonly b: (text: string) => Part; readonly hand: string; readonly poster: string }) => (string | Part)[];
    /** All distances */
    readonly allDistances: string;
    /** from {distance} */
    readonly fromDistance: (values: { readonly distance: string }) => string;
    /** No image */
    readonly none: string;
    /** Another service printed this link, so Waymark has no image of it. It redirects and counts like any other code. */
    readonly noneWhy: string;
    /** Create a QR code for the same destination */
    readonly createCode: string;
    /** Download PDF */
    readonly downloadPdf: string;
    /** One vector image for print shops. Black is one ink. */
    readonly pdfIs: string;
    /** Width in print (mm) */
    readonly width: string;
    /** With its margin. Layout programs place it as wide. */
    readonly widthHint: string;
  };
  readonly newCode: {
    /** New code */
    readonly title: string;
    /** Create */
    readonly create: string;
    /** Many at once? <link>Create them from a table</link> */
    readonly manyAtOnce: <Part>(values: { readonly link: (text: string) => Part }) => (string | Part)[];
    /** Where should it lead? */
    readonly whereToLead: string;
    /** You can change it at any time. The printed code stays the same. */
    readonly canChange: string;
    /** Table 7 */
    readonly exampleName: string;
  };
  readonly folders: {
    /** No folder */
    readonly none: string;
    /** {codes, plural, one {# code} other {# codes}} */
    readonly codes: (values: { readonly codes: number }) => string;
    /** Name */
    readonly name: string;
    /** Rename */
    readonly rename: string;
    /** Rename folder */
    readonly renameTitle: string;
    /** Rename folder… */
    readonly renameMenu: string;
    /** No code is in the folder “{folder}” any more. */
    readonly isEmpty: (values: { readonly folder: string }) => string;
    /** Domain of new codes */
    readonly domain: string;
    /** Domain of new codes… */
    readonly domainMenu: string;
    /** New codes in this folder begin with */
    readonly newCodesBeginWith: string;
    /** Codes that are printed already keep their domain. */
    readonly printedKeepDomain: string;
    /** {domain}, as the account */
    readonly asAccount: (values: { readonly domain: string }) => string;
    /** Remove folder */
    readonly remove: string;
    /** Remove folder… */
    readonly removeMenu: string;
    /** {codes, plural, one {<folder></folder>: # code stays, without a folder.} other {<folder></folder>: # codes stay, without a folder.}} */
    readonly codesStay: <Part>(values: { readonly codes: number; readonly folder: Part }) => (string | Part)[];
    /** <folder></folder>: its codes stay, without a folder. */
    readonly allCodesStay: <Part>(values: { readonly folder: Part }) => (string | Part)[];
    /** Actions for the folder {folder} */
    readonly actionsFor: (values: { readonly folder: string }) => string;
    /** Pause all */
    readonly pauseAll: string;
    /** Pause all {codes, number} */
    readonly pauseAllOf: (values: { readonly codes: number }) => string;
    /** Resume all */
    readonly resumeAll: string;
    /** Resume all {codes, number} */
    readonly resumeAllOf: (values: { readonly codes: number }) => string;
    /** Plan a change… */
    readonly planMenu: string;
    /** Change destinations… */
    readonly changeDestinationsMenu: string;
    /** Print all */
    readonly printAll: string;
  };
  readonly compare: {
    /** Compare */
    readonly title: string;
    /** Compare… */
    readonly compareMenu: string;
    /** Export by day */
    readonly exportByDay: string;
    /** This chart */
    readonly thisChart: string;
    /** Add a code or folder */
    readonly add: string;
    /** Search */
    readonly search: string;
    /** Search folders and codes */
    readonly searchLabel: string;
    /** Folders and codes */
    readonly choices: string;
    /** There is nothing to add. */
    readonly nothingToAdd: string;
    /** Nothing matches “{search}”. */
    readonly nothingMatches: (values: { readonly search: string }) => string;
    /** Folder */
    readonly folder: string;
    /** Comparison */
    readonly comparison: string;
    /** Code or folder */
    readonly codeOrFolder: string;
    /** A code, a day */
    readonly codeDay: string;
    /** Remove */
    readonly remove: string;
    /** Remove {name} */
    readonly removeOne: (values: { readonly name: string }) => string;
    /** Show as table */
    readonly showAsTable: string;
    /** What is compared */
    readonly whatIsCompared: string;
    /** All scans */
    readonly allScans: string;
    /** Per code */
    readonly perCode: string;
    /** {unit, select, day {Scans of {name} a day, {first} to {last}} week {Scans of {name} a week, {first} to {last}} other {}} */
    readonly chart: (values: { readonly unit: 'day' | 'week'; readonly name: string; readonly first: string; readonly last: string }) => string;
    /** Scans as a table */
    readonly table: string;
    /** {scans, plural, one {# scan} other {# scans}} */
    readonly scans: (values: { readonly scans: number }) => string;
    /** {scans, plural, one {{mean} scan a code} other {{mean} scans a code}} */
    readonly scansPerCode: (values: { readonly scans: number; readonly mean: string }) => string;
    /** {codes, plural, one {Folder, # code} other {Folder, # codes}} */
    readonly folderOf: (values: { readonly codes: number }) => string;
    /** {mean} a day */
    readonly aDay: (values: { readonly mean: string }) => string;
    /** {mean} a day each */
    readonly aDayEach: (values: { readonly mean: string }) => string;
    /** {unit, select, day {Each day, all on one scale of 0 to {max}} week {Each week, all on one scale of 0 to {max}} other {}} */
    readonly scale: (values: { readonly unit: 'day' | 'week'; readonly max: string }) => string;
    /** {unit, select, day {A code, each day, all on one scale of 0 to {max}} week {A code, each week, all on one scale of 0 to {max}} other {}} */
    readonly scalePerCode: (values: { readonly unit: 'day' | 'week'; readonly max: string }) => string;
    /** {first} to {last}. */
    readonly days: (values: { readonly first: string; readonly last: string }) => string;
    /** {first} to today, which is not over. */
    readonly daysUntilToday: (values: { readonly first: string }) => string;
    /** None of these was scanned */
    readonly noneWasScanned: string;
    /** Only {name} was scanned */
    readonly onlyOneWasScanned: (values: { readonly name: string }) => string;
    /** {isPerCode, select, true {Per code, {first} and {second} were scanned equally often} false {{first} and {second} were scanned equally often} other {}} */
    readonly equallyOften: (values: { readonly isPerCode: boolean; readonly first: string; readonly second: string }) => string;
    /** {isPerCode, select, true {Per code, {first} was scanned less than {percent} more often than {second}} false {{first} was scanned less than {percent} more often than {second}} other {}} */
    readonly slightlyMoreOften: (values: { readonly isPerCode: boolean; readonly first: string; readonly percent: string; readonly second: string }) => string;
    /** {isPerCode, select, true {Per code, {first} was scanned {percent} more often than {second}} false {{first} was scanned {percent} more often than {second}} other {}} */
    readonly moreOften: (values: { readonly isPerCode: boolean; readonly first: string; readonly percent: string; readonly second: string }) => string;
    /** {isPerCode, select, true {Per code, {first} was scanned twice as often as {second}} false {{first} was scanned twice as often as {second}} other {}} */
    readonly twiceAsOften: (values: { readonly isPerCode: boolean; readonly first: string; readonly second: string }) => string;
    /** {isPerCode, select, true {{times, plural, one {Per code, {first} was scanned {ratio} time as often as {second}} other {Per code, {first} was scanned {ratio} times as often as {second}}}} false {{times, plural, one {{first} was scanned {ratio} time as often as {second}} other {{first} was scanned {ratio} times as often as {second}}}} other {}} */
    readonly timesAsOften: (values: { readonly isPerCode: boolean; readonly times: number; readonly first: string; readonly ratio: string; readonly second: string }) => string;
    /** It is compared with {names}. */
    readonly isComparedWith: (values: { readonly names: string }) => string;
    /** All codes of the list are selected. Tick two to five of them to compare them. */
    readonly allAreSelected: string;
    /** Nothing is chosen. Choose two to five codes or folders to compare. */
    readonly nothingIsChosen: string;
    /** Only one code or folder is chosen. Choose one to four more. */
    readonly onlyOneIsChosen: string;
    /** {chosen, plural, one {# code or folder is chosen. At most five can be compared.} other {# codes or folders are chosen. At most five can be compared.}} */
    readonly tooManyAreChosen: (values: { readonly chosen: number }) => string;
    /** Compare two to five */
    readonly twoToFive: string;
  };
  readonly print: {
    /** Print */
    readonly title: string;
    /** Download images */
    readonly downloadImages: string;
    /** Download PDF */
    readonly downloadPdf: string;
    /** Download ZIP */
    readonly downloadZip: string;
    /** To print the codes at their size, download the PDF and print that. */
    readonly printThePdf: string;
    /** Preview */
    readonly preview: string;
    /** The server did not respond. */
    readonly noAnswer: string;
    /** Try again */
    readonly tryAgain: string;
    /** Which codes? */
    readonly whichCodes: string;
    /** Codes and paper */
    readonly codesAndPaper: string;
    /** On each label */
    readonly onEachLabel: string;
    /** Size, resolution, order, cut marks */
    readonly moreSettings: string;
    /** Show */
    readonly show: string;
    /** Images */
    readonly images: string;
    /** A ZIP file with an image per code, named by its name, and a table in CSV. */
    readonly whatIsInZip: string;
    /** Codes */
    readonly codes: string;
    /** Choose the codes. */
    readonly chooseCodes: string;
    /** Choose codes… */
    readonly chooseCodesMenu: string;
    /** All codes */
    readonly allCodes: string;
    /** All codes, {codes, number} */
    readonly allCodesCounted: (values: { readonly codes: number }) => string;
    /** No folder */
    readonly noFolder: string;
    /** {codes, plural, one {No folder, # code} other {No folder, # codes}} */
    readonly noFolderCounted: (values: { readonly codes: number }) => string;
    /** Folder {name} */
    readonly folder: (values: { readonly name: string }) => string;
    /** {codes, plural, one {Folder {name}, # code} other {Folder {name}, # codes}} */
    readonly folderCounted: (values: { readonly codes: number; readonly name: string }) => string;
    /** {codes, plural, one {# selected code} other {# selected codes}} */
    readonly selectedCodes: (values: { readonly codes: number }) => string;
    /** Codes of the batch */
    readonly codesOfBatch: string;
    /** Codes of the list */
    readonly codesOfList: string;
    /** Codes that match “{search}” */
    readonly codesMatching: (values: { readonly search: string }) => string;
    /** Paper */
    readonly paper: string;
    /** Any size */
    readonly anySize: string;
    /** Free grid */
    readonly freeGrid: string;
    /** Label roll, one label a page */
    readonly labelRoll: string;
    /** {model}: thermal, {widthMm, number} × {heightMm, number} mm */
    readonly thermalLabel: (values: { readonly model: string; readonly widthMm: number; readonly heightMm: number }) => string;
    /** {labels, plural, one {{model}: # label, {widthMm, number} × {heightMm, number} mm} other {{model}: # labels, {widthMm, number} × {heightMm, number} mm}} */
    readonly labelSheet: (values: { readonly labels: number; readonly model: string; readonly widthMm: number; readonly heightMm: number }) => string;
    /** {maker}, rolls */
    readonly rollsOfMaker: (values: { readonly maker: string }) => string;
    /** {paper, select, a4 {{maker}, A4} letter {{maker}, US Letter} other {}} */
    readonly sheetsOfMaker: (values: { readonly paper: 'a4' | 'letter'; readonly maker: string }) => string;
    /** Page */
    readonly page: string;
    /** {paper, select, letter {US Letter} legal {US Legal} tabloid {Tabloid} other {}} */
    readonly paperName: (values: { readonly paper: 'legal' | 'letter' | 'tabloid' }) => string;
    /** {width, number} × {height, number} in */
    readonly inchPage: (values: { readonly width: number; readonly height: number }) => string;
    /** {width, number} × {height, number} mm */
    readonly millimetrePage: (values: { readonly width: number; readonly height: number }) => string;
    /** Own size */
    readonly ownSize: string;
    /** Width × height */
    readonly widthAndHeight: string;
    /** In mm, or such as 4x6in */
    readonly widthAndHeightHint: string;
    /** Columns */
    readonly columns: string;
    /** Rows */
    readonly rows: string;
    /** Margin (mm) */
    readonly margin: string;
    /** Empty: 10, on a roll 1. */
    readonly marginHint: string;
    /** Gap (mm) */
    readonly gap: string;
    /** Start at label */
    readonly startAtLabel: string;
    /** Copies of each */
    readonly copiesOfEach: string;
    /** {what, select, columns {The number of columns must be from {min, number} to {max, number}.} rows {The number of rows must be from {min, number} to {max, number}.} start {The first label to use must be from {min, number} to {max, number}.} copies {The number of copies must be from {min, number} to {max, number}.} other {}} */
    readonly outOfBounds: (values: { readonly what: 'columns' | 'copies' | 'rows' | 'start'; readonly min: number; readonly max: number }) => string;
    /** Order */
    readonly order: string;
    /** {order, select, name {By name: Table 7 before Table 12} oldest {Oldest first, as in their table} newest {Newest first} other {}} */
    readonly orderName: (values: { readonly order: 'name' | 'newest' | 'oldest' }) => string;
    /** Line above */
    readonly lineAbove: string;
    /** Such as “Scan for the menu” */
    readonly lineAboveHint: string;
    /** Below it */
    readonly belowCode: string;
    /** {line, select, name {Name} note {Note} link {Short link} address {Address to type} other {}} */
    readonly lineBelow: (values: { readonly line: 'address' | 'link' | 'name' | 'note' }) => string;
    /** Text */
    readonly placeOfText: string;
    /** {place, select, automatic {Automatic} below {Below the code} beside {Beside it} other {}} */
    readonly placeName: (values: { readonly place: 'automatic' | 'below' | 'beside' }) => string;
    /** Black only */
    readonly blackOnly: string;
    /** For laser printers and thermal rolls. The colours of the design are kept for the screen. */
    readonly blackOnlyHint: string;
    /** Plain and compact */
    readonly compact: string;
    /** Fewer, larger squares: for labels from 12 mm. */
    readonly compactHint: string;
    /** Side of a code (mm) */
    readonly sideOfCode: string;
    /** With its margin. Empty: as large as fits. */
    readonly sideOfCodeHint: string;
    /** Resolution of the printer */
    readonly resolution: string;
    /** Any */
    readonly anyResolution: string;
    /** {dpi, number} dpi */
    readonly dpi: (values: { readonly dpi: number }) => string;
    /** Cut marks in the margins */
    readonly cutMarks: string;
    /** Page before */
    readonly pageBefore: string;
    /** Next page */
    readonly nextPage: string;
    /** Page {page, number} of {pages, number} */
    readonly pageOf: (values: { readonly page: number; readonly pages: number }) => string;
    /** {codes, plural, one {{pages, plural, one {<b>{codes, number} code on {pages, number} page</b>, {sideMm, number} mm wide.} other {<b>{codes, number} code on {pages, number} pages</b>, {sideMm, number} mm wide.}}} other {{pages, plural, one {<b>{codes, number} codes on {pages, number} page</b>, each {sideMm, number} mm wide.} other {<b>{codes, number} codes on {pages, number} pages</b>, each {sideMm, number} mm wide.}}}} */
    readonly summary: <Part>(values: { readonly codes: number; readonly pages: number; readonly b: (text: string) => Part; readonly sideMm: number }) => (string | Part)[];
    /** {where, select, closeBy {Phones can read this size from {centimetres, number} cm away.} hand {Phones can read this size in the hand.} arm {Phones can read this size at arm’s length.} sign {Phones can read this size on a sign a metre away.} poster {Phones can read this size on a poster at three metres.} billboard {Phones can read this size on a billboard at fifteen metres.} other {}} */
    readonly readableFrom: (values: { readonly where: 'arm' | 'billboard' | 'closeBy' | 'hand' | 'poster' | 'sign'; readonly centimetres: number }) => string;
    /** Print at 100 %, without “fit to page”. */
    readonly printFullSize: string;
    /** <title></title> is paused: visitors see a “paused” page. */
    readonly isPaused: <Part>(values: { readonly title: Part }) => (string | Part)[];
    /** {codes, plural, one {# code is paused: visitors see a “paused” page.} other {# codes are paused: visitors see a “paused” page.}} */
    readonly arePaused: (values: { readonly codes: number }) => string;
    /** Resume */
    readonly resume: string;
    /** Show */
    readonly showPaused: string;
    /** {texts, plural, one {# text can’t be printed} other {# texts can’t be printed}} */
    readonly textsNotPrinted: (values: { readonly texts: number }) => string;
    /** {codes, plural, one {The texts of # code are cut} other {The texts of # codes are cut}} */
    readonly textsCut: (values: { readonly codes: number }) => string;
    /** Thermal printers print in black only */
    readonly thermalIsBlack: string;
    /** {labels, plural, one {# label is alone on page {page, number}} other {# labels are alone on page {page, number}}} */
    readonly labelsAlone: (values: { readonly labels: number; readonly page: number }) => string;
    /** {pages, plural, one {Start at label {label, number} and everything fits on # page.} other {Start at label {label, number} and everything fits on # pages.}} */
    readonly startTighter: (values: { readonly pages: number; readonly label: number }) => string;
    /** Start at label {label, number} */
    readonly startAt: (values: { readonly label: number }) => string;
    /** Print in black */
    readonly printInBlack: string;
    /** {links, plural, one {# imported link left out} other {# imported links left out}} */
    readonly linksLeftOut: (values: { readonly links: number }) => string;
    /** {links, plural, one {Waymark has no image of it.} other {Waymark has no image of them.}} */
    readonly noImageOfLinks: (values: { readonly links: number }) => string;
    /** This can’t be printed */
    readonly cannotBePrinted: string;
    /** Correct the fields that are marked. */
    readonly correctMarked: string;
    /** {what, select, labels {Choose larger labels.} margins {Choose smaller margins, or larger labels.} grid {Choose fewer columns or rows, smaller margins or gaps, or larger labels.} other {}} */
    readonly choose: (values: { readonly what: 'grid' | 'labels' | 'margins' }) => string;
    /** {what, select, labels {Choose larger labels, or:} margins {Choose smaller margins, or larger labels, or:} grid {Choose fewer columns or rows, smaller margins or gaps, or larger labels, or:} other {}} */
    readonly chooseOrPress: (values: { readonly what: 'grid' | 'labels' | 'margins' }) => string;
    /** Without texts */
    readonly withoutTexts: string;
    /** As large as fits */
    readonly asLargeAsFits: string;
    /** Page {page, number}: {columns, plural, one {# column} other {# columns}} and {rows, plural, one {# row} other {# rows}}. */
    readonly pageShown: (values: { readonly page: number; readonly columns: number; readonly rows: number }) => string;
    /** {labels, plural, =1 {The first label stays free.} one {The first # label stays free.} other {The first # labels stay free.}} */
    readonly labelsStayFree: (values: { readonly labels: number }) => string;
    /** {first} to {last} */
    readonly codesShown: (values: { readonly first: string; readonly last: string }) => string;
    /** For a sheet with labels already used. */
    readonly usedLabels: string;
    /** You can also click a label in the picture. */
    readonly clickLabel: string;
  };
  readonly tables: {
    /** Create many codes */
    readonly createManyCodes: string;
    /** Create many */
    readonly createMany: string;
    /** From a table with one code per row. You see what is wrong with each row, and can correct it, before anything is created. */
    readonly whatHappens: string;
    /** Editors of this account create codes. You can look at the tables. */
    readonly editorsCreate: string;
    /** You can create codes once this account has an active plan. */
    readonly planNeeded: string;
    /** Table */
    readonly table: string;
    /** Paste a table */
    readonly paste: string;
    /** Copy it from a spreadsheet, or write one address per line. The next page asks what is in its columns. Up to {rows, plural, one {# row} other {# rows}}. */
    readonly pasteHint: (values: { readonly rows: number }) => string;
    /** Table 7 */
    readonly exampleName: string;
    /** Or choose a file */
    readonly chooseFile: string;
    /** Excel (.xlsx), OpenDocument (.ods), CSV or TSV, up to {megabytes, number} MB. It is used instead of the pasted table. */
    readonly chooseFileHint: (values: { readonly megabytes: number }) => string;
    /** Check the table */
    readonly check: string;
    /** Use another table */
    readonly useAnother: string;
    /** Latest tables and bulk edits */
    readonly latest: string;
    /** Pasted table */
    readonly pastedTable: string;
    /** columns to choose, nothing created yet */
    readonly columnsToChoose: string;
    /** {rows, plural, one {# row checked, nothing created yet} other {# rows checked, nothing created yet}} */
    readonly rowsChecked: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {{created, number} of # code created so far} other {{created, number} of # codes created so far}} */
    readonly createdSoFar: (values: { readonly rows: number; readonly created: number }) => string;
    /** {rows, plural, one {{created, number} of # code created} other {{created, number} of # codes created}} */
    readonly created: (values: { readonly rows: number; readonly created: number }) => string;
    /** {rows, plural, one {stopped after {created, number} of # code} other {stopped after {created, number} of # codes}} */
    readonly stoppedAfter: (values: { readonly rows: number; readonly created: number }) => string;
    /** Row */
    readonly row: string;
    /** Row {row, number} */
    readonly rowNumber: (values: { readonly row: number }) => string;
    /** {rows, plural, one {The first # row is shown.} other {The first # rows are shown.}} */
    readonly firstRowsShown: (values: { readonly rows: number }) => string;
  };
  readonly columns: {
    /** What is in the columns? */
    readonly title: string;
    /** Nothing is created yet. On the next page you see every row. */
    readonly nothingCreatedYet: string;
    /** {answers, plural, one {# to choose} other {# to choose}} */
    readonly toChoose: (values: { readonly answers: number }) => string;
    /** Read it so */
    readonly readItSo: string;
    /** Columns */
    readonly columns: string;
    /** Columns of the table */
    readonly columnsOfTable: string;
    /** {rows, plural, one {The first of # row, as they are in the file.} other {The first of # rows, as they are in the file.}} */
    readonly firstOfRows: (values: { readonly rows: number }) => string;
    /** � stands for a letter that isn’t known yet. */
    readonly unknownLetters: string;
    /** Still open: the letters. */
    readonly lettersOpen: string;
    /** Still open: the destination. */
    readonly destinationOpen: string;
    /** {others, plural, one {Still open: the destination, and # other column.} other {Still open: the destination, and # other columns.}} */
    readonly destinationAndOthersOpen: (values: { readonly others: number }) => string;
    /** {columns, plural, one {Still open: # column.} other {Still open: # columns.}} */
    readonly columnsOpen: (values: { readonly columns: number }) => string;
    /** Every column has its place. */
    readonly allHavePlace: string;
    /** {columns, plural, one {# isn’t used.} other {# aren’t used.}} */
    readonly notUsed: (values: { readonly columns: number }) => string;
    /** Choose the right line */
    readonly chooseRightLine: string;
    /** Choose the destination */
    readonly chooseDestination: string;
    /** Choose for “{column}” */
    readonly chooseFor: (values: { readonly column: string }) => string;
    /** {columns, plural, =1 {Ignore the other one} one {Ignore the other #} other {Ignore the other #}} */
    readonly ignoreOthers: (values: { readonly columns: number }) => string;
    /** {rows, plural, one {Check # row} other {Check # rows}} */
    readonly checkRows: (values: { readonly rows: number }) => string;
    /** {columns, plural, =2 {Two columns have addresses.} one {# column has addresses.} other {# columns have addresses.}} */
    readonly haveAddresses: (values: { readonly columns: number }) => string;
    /** Which one should phones open? */
    readonly whichOpens: string;
    /** Sheet */
    readonly sheet: string;
    /** Cells are separated by */
    readonly separatedBy: string;
    /** {separator, select, comma {Commas} semicolon {Semicolons} tab {Tabs} none {Nothing: a line is one cell} other {}} */
    readonly separatorName: (values: { readonly separator: 'comma' | 'none' | 'semicolon' | 'tab' }) => string;
    /** The first row has the names of the columns */
    readonly firstRowHasNames: string;
    /** Letters */
    readonly letters: string;
    /** Which line is right? */
    readonly whichLine: string;
    /** <file></file> doesn’t say how its letters are stored. These are words of it with other letters than A to Z, as different encodings read them. */
    readonly unknownEncoding: <Part>(values: { readonly file: Part }) => (string | Part)[];
    /** The table doesn’t say how its letters are stored. These are words of it with other letters than A to Z, as different encodings read them. */
    readonly unknownEncodingOfTable: string;
    /** None of these */
    readonly noneOfThese: string;
    /** Encoding */
    readonly encoding: string;
    /** Choose… */
    readonly chooseMenu: string;
    /** Or save the table as .xlsx or “CSV UTF-8” in the program that it is from, and use that file. */
    readonly saveAsUtf8: string;
    /** {by, select, you {chosen by you} lastTime {as last time} itsName {by its name} addresses {has addresses} other {}} */
    readonly knownBy: (values: { readonly by: 'addresses' | 'itsName' | 'lastTime' | 'you' }) => string;
    /** Ignore */
    readonly ignore: string;
    /** {parameter}, in the destination */
    readonly campaignParameter: (values: { readonly parameter: string }) => string;
    /** empty */
    readonly emptyCell: string;
  };
  readonly draft: {
    /** Check your table */
    readonly title: string;
    /** {rows, plural, one {# ready} other {# ready}} */
    readonly readyCount: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {# to fix} other {# to fix}} */
    readonly toFixCount: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {# to check} other {# to check}} */
    readonly toCheckCount: (values: { readonly rows: number }) => string;
    /** Columns */
    readonly columns: string;
    /** Check again */
    readonly checkAgain: string;
    /** {rows, plural, one {# row to fix} other {# rows to fix}} */
    readonly rowsToFix: (values: { readonly rows: number }) => string;
    /** Nothing left to fix */
    readonly nothingToFix: string;
    /** {rows, plural, one {Correct it here. The other rows stay as they are.} other {Correct them here. The other rows stay as they are.}} */
    readonly correctHere: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {The first # is shown, the others when it is done.} other {The first # are shown, the others when these are done.}} */
    readonly firstToFixShown: (values: { readonly rows: number }) => string;
    /** Leave out all {rows, number} */
    readonly leaveOutAll: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {# row to check} other {# rows to check}} */
    readonly rowsToCheck: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {It can be created, but your guests’ phones may not open it.} other {They can be created, but your guests’ phones may not open them.}} */
    readonly mayNotOpen: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {The first # is shown.} other {The first # are shown.}} */
    readonly firstToCheckShown: (values: { readonly rows: number }) => string;
    /** Ready */
    readonly rowReady: string;
    /** Put back<which> row {row, number}</which> */
    readonly putBack: <Part>(values: { readonly which: (text: string) => Part; readonly row: number }) => (string | Part)[];
    /** Leave out<which> row {row, number}</which> */
    readonly leaveOut: <Part>(values: { readonly which: (text: string) => Part; readonly row: number }) => (string | Part)[];
    /** {host} is the phone itself. Nobody can open it. */
    readonly isThePhone: (values: { readonly host: string }) => string;
    /** Only phones in your own network can open {host}. */
    readonly ownNetworkOnly: (values: { readonly host: string }) => string;
    /** That’s what I want */
    readonly wantedSo: string;
    /** Design and folder */
    readonly designAndFolder: string;
    /** {band, select, weak {<b>Phones can read it.</b> Readability {score, number} of 100, too weak.} good {<b>Phones can read it.</b> Readability {score, number} of 100, good.} excellent {<b>Phones can read it.</b> Readability {score, number} of 100, excellent.} other {}} */
    readonly readable: <Part>(values: { readonly band: 'excellent' | 'good' | 'weak'; readonly b: (text: string) => Part; readonly score: number }) => (string | Part)[];
    /** {rows, plural, one {# row ready} other {# rows ready}} */
    readonly rowsReady: (values: { readonly rows: number }) => string;
    /** Rows that are ready */
    readonly rowsThatAreReady: string;
    /** {rows, plural, one {# row has the name and destination of an existing code and is left out.} other {# rows have the name and destination of existing codes and are left out.}} */
    readonly existing: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {Create it again} other {Create them again}} */
    readonly createAgain: (values: { readonly rows: number }) => string;
    /** Phones can’t read this design. <link>Choose another</link> */
    readonly designUnreadable: <Part>(values: { readonly link: (text: string) => Part }) => (string | Part)[];
    /** {rows, plural, =1 {The row is checked again first. If it is still wrong, nothing is created.} one {The # row is checked again first. If it is still wrong, nothing is created.} other {The # rows are checked again first. If one is still wrong, nothing is created.}} */
    readonly checkedFirst: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {# row to check: phones may not open it.} other {# rows to check: phones may not open them.}} */
    readonly phonesMayNotOpen: (values: { readonly rows: number }) => string;
    /** There is nothing to create: every row is left out. */
    readonly nothingToCreate: string;
    /** {codes, plural, one {Create # code} other {Create # codes}} */
    readonly create: (values: { readonly codes: number }) => string;
  };
  readonly batch: {
    /** Creating codes */
    readonly creating: string;
    /** {codes, plural, one {# code created} other {# codes created}} */
    readonly codesCreated: (values: { readonly codes: number }) => string;
    /** Pages of the codes */
    readonly pagesOfCodes: string;
    /** Images and table */
    readonly imagesAndTable: string;
    /** Print {codes, number} */
    readonly printAll: (values: { readonly codes: number }) => string;
    /** Actions for these codes */
    readonly actions: string;
    /** Change all {codes, number}… */
    readonly changeAllMenu: (values: { readonly codes: number }) => string;
    /** Not all codes were created */
    readonly notAllCreated: string;
    /** You stopped it. */
    readonly youStopped: string;
    /** {rows, plural, one {{decided, number} of # row} other {{decided, number} of # rows}} */
    readonly progress: (values: { readonly rows: number; readonly decided: number }) => string;
    /** You can close this page: the server continues. */
    readonly serverContinues: string;
    /** Stop */
    readonly stop: string;
    /** Design */
    readonly design: string;
    /** Created */
    readonly createdAt: string;
    /** From */
    readonly from: string;
    /** {rows, plural, one {# row} other {# rows}} */
    readonly rows: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {{file}, # row} other {{file}, # rows}} */
    readonly rowsOfFile: (values: { readonly rows: number; readonly file: string }) => string;
    /** Left out */
    readonly leftOut: string;
    /** Existed before */
    readonly existedBefore: string;
    /** {rows, plural, one {# row left out} other {# rows left out}} */
    readonly rowsLeftOut: (values: { readonly rows: number }) => string;
    /** {rows, plural, one {No code was made for it.} other {No code was made for them.}} */
    readonly noCodeForThem: (values: { readonly rows: number }) => string;
    /** Not created. */
    readonly notCreated: string;
    /** Create it now */
    readonly createNow: string;
    /** Download the refused rows (CSV) */
    readonly downloadRefused: string;
  };
  readonly language: {
    /** Language */
    readonly title: string;
    /** Language: {language} */
    readonly isNow: (values: { readonly language: string }) => string;
    /** As the browser says: {language} */
    readonly asBrowser: (values: { readonly language: string }) => string;
    /** Change the language */
    readonly change: string;
    /** Visitors see the language of their phone. Names, notes and messages stay as they were typed. */
    readonly whatStays: string;
  };
  readonly printReasons: {
    /** The page must be one of {papers}, or width and height from {minMm, number} to {maxMm, number} mm, such as 62x29 or 4x6in. */
    readonly wrongPage: (values: { readonly papers: string; readonly minMm: number; readonly maxMm: number }) => string;
    /** {of, select, margin {The margin must be a number of mm such as 10, or two such as 10x15.} gap {The gap must be a number of mm such as 10, or two such as 10x15.} other {}} */
    readonly wrongLengths: (values: { readonly of: 'gap' | 'margin' }) => string;
    /** The size must be a number of mm from {minMm, number} to {maxMm, number}. */
    readonly wrongSize: (values: { readonly minMm: number; readonly maxMm: number }) => string;
    /** {labels, plural, =1 {The sheet has one label, so the first one to use can’t be label {start, number}.} one {The sheet has # label, so the first one to use can’t be label {start, number}.} other {The sheet has # labels, so the first one to use can’t be label {start, number}.}} */
    readonly startBeyondSheet: (values: { readonly labels: number; readonly start: number }) => string;
    /** The margins and gaps leave no room for codes. Use fewer columns or rows, or smaller margins. */
    readonly noRoom: string;
    /** Codes don’t fit: the labels leave {largestMm, number} mm. */
    readonly doNotFit: (values: { readonly largestMm: number }) => string;
    /** Codes of {sizeMm, number} mm don’t fit: the labels leave {largestMm, number} mm. */
    readonly sizeDoesNotFit: (values: { readonly sizeMm: number; readonly largestMm: number }) => string;
    /** A roll is cut already. Leave the cut marks out. */
    readonly cutMarksOnRoll: string;
    /** Cut marks need a margin of at least {neededMm, number} mm on each side. */
    readonly cutMarksNeedMargin: (values: { readonly neededMm: number }) => string;
    /** A side of {widthMm, number} mm is too small for {title}: phones read it reliably from {smallestMm, number} mm. */
    readonly codeTooSmall: (values: { readonly widthMm: number; readonly title: string; readonly smallestMm: number }) => string;
    /** Choose which lines are printed below codes. */
    readonly unknownLines: string;
    /** Choose a paper of the list. */
    readonly unknownLayout: string;
    /** {chars, plural, one {The line can have at most # character.} other {The line can have at most # characters.}} */
    readonly lineTooLong: (values: { readonly chars: number }) => string;
    /** These labels have fixed dimensions. Choose a free grid or a roll for your own. */
    readonly fixedDimensions: string;
    /** A roll has one label a page. Choose its size as the page. */
    readonly oneLabelOnRoll: string;
    /** No codes to print were found. Create codes first, or choose others. */
    readonly noCodes: string;
    /** No codes with an image were found. Choose others. */
    readonly noImages: string;
    /** {max, plural, one {These are more than # code. Choose a folder, or tick codes in the list.} other {These are more than # codes. Choose a folder, or tick codes in the list.}} */
    readonly tooManyCodes: (values: { readonly max: number }) => string;
    /** {max, plural, one {A download has at most # image, and these are {found, number}. Choose fewer codes.} other {A download has at most # images, and these are {found, number}. Choose fewer codes.}} */
    readonly tooManyImages: (values: { readonly max: number; readonly found: number }) => string;
    /** “{text}” */
    readonly quoted: (values: { readonly text: string }) => string;
    /** {texts, plural, one {# more} other {# more}} */
    readonly moreTexts: (values: { readonly texts: number }) => string;
    /** The texts of {titles} don’t fit and end with “…”. Use shorter or fewer lines, smaller codes or larger labels. */
    readonly textsCut: (values: { readonly titles: string }) => string;
    /** No font on the server has all characters of {texts}. The code is printed instead of a name, and other lines are left out. The operator can install fonts (on Debian and Ubuntu: {packages}). */
    readonly noFont: (values: { readonly texts: string; readonly packages: string }) => string;
    /** {becomes, select, white {Not for black-and-white printers: {color} becomes white or a pattern of dots. Print in black only, or choose a darker colour.} black {Not for black-and-white printers: {color} becomes black or a pattern of dots. Print in black only, or choose a lighter background.} other {}} */
    readonly notForBlackAndWhite: (values: { readonly becomes: 'black' | 'white'; readonly color: string }) => string;
  };
  readonly accessReasons: {
    /** The API key is in the URL, which is logged in many places. Send “{header}”. */
    readonly keyInUrl: (values: { readonly header: string }) => string;
    /** The header has “Bearer” twice. Send “{header}”. */
    readonly bearerTwice: (values: { readonly header: string }) => string;
    /** The header has a comma, or was sent twice. Send “{header}”. */
    readonly commaInHeader: (values: { readonly header: string }) => string;
    /** The header must begin with “Bearer” and a space. Send “{header}”. */
    readonly withoutBearer: (values: { readonly header: string }) => string;
    /** The API key is in quotation marks or brackets. Send “{header}”. */
    readonly keyInQuotationMarks: (values: { readonly header: string }) => string;
    /** {seconds, plural, one {More than {limit} requests in a minute. Wait # second.} other {More than {limit} requests in a minute. Wait # seconds.}} */
    readonly tooManyRequests: (values: { readonly seconds: number; readonly limit: string }) => string;
    /** {keys, plural, one {This account got # API key in the last hour, which is the most.} other {This account got # API keys in the last hour, which is the most.}} */
    readonly tooManyKeys: (values: { readonly keys: number }) => string;
    /** {minutes, plural, one {The next one is possible in # minute. The current key is unchanged.} other {The next one is possible in # minutes. The current key is unchanged.}} */
    readonly nextKeyIn: (values: { readonly minutes: number }) => string;
    /** This account has been deleted. */
    readonly accountDeleted: string;
  };
  readonly accountReasons: {
    /** This is not an e-mail address. Write it as name@example.com. In a domain, letters other than a to z are written in its form with xn--. */
    readonly noEmail: string;
    /** This is the address of the account already. */
    readonly sameEmail: string;
    /** There is already an account {email}. */
    readonly emailTaken: (values: { readonly email: string }) => string;
    /** This is not a date. Write it as 2027-01-31, or leave it empty. */
    readonly noPlanEnd: string;
    /** This is not a time zone. Write the region and a large city, such as Europe/Zurich or America/New_York, or UTC. */
    readonly noTimeZone: string;
    /** {email} is the only operator of this server. Make another account an operator first. */
    readonly onlyOperator: (values: { readonly email: string }) => string;
    /** The account that was to get the codes does not exist any more. Choose another one. */
    readonly noRecipient: string;
    /** There is no account {email} any more. */
    readonly accountGone: (values: { readonly email: string }) => string;
    /** You may not change this, or not any more. Nothing was changed. */
    readonly noRight: string;
    /** {email} is the owner of this account. Invite somebody else. */
    readonly invitedOwner: (values: { readonly email: string }) => string;
    /** {email} can enter this account already. */
    readonly invitedMember: (values: { readonly email: string }) => string;
    /** This invitation is for another e-mail address. Sign in with that address to accept it. */
    readonly invitationOfSomebodyElse: string;
    /** {max, plural, one {More than # person cannot enter an account. Remove somebody first.} other {More than # people cannot enter an account. Remove somebody first.}} */
    readonly tooManyPeople: (values: { readonly max: number }) => string;
    /** {max, plural, one {There is # invitation already. Take it back first.} other {There are # invitations already. Take one back first.}} */
    readonly tooManyInvitations: (values: { readonly max: number }) => string;
    /** {max, plural, one {You can enter # account already. Leave it first.} other {You can enter # accounts already. Leave one of them first.}} */
    readonly tooManyAccounts: (values: { readonly max: number }) => string;
    /** {chars, plural, one {The password must have at least # character.} other {The password must have at least # characters.}} */
    readonly passwordTooShort: (values: { readonly chars: number }) => string;
    /** {chars, plural, one {The password must have at most # character.} other {The password must have at most # characters.}} */
    readonly passwordTooLong: (values: { readonly chars: number }) => string;
    /** This password is one of the first that attackers try. Choose another, such as a few unrelated words. */
    readonly guessablePassword: string;
    /** The new password is the same as the current one. */
    readonly samePassword: string;
    /** The current password is wrong. */
    readonly wrongCurrentPassword: string;
    /** This code is wrong, or was used already. Wait for the next one. */
    readonly wrongSecondFactor: string;
    /** The server cannot read your second factor, because its key is missing. Use a recovery code, or ask an operator. */
    readonly unreadableSecondFactor: string;
    /** {unit, select, seconds {{count, plural, one {Too many attempts. Wait # second.} other {Too many attempts. Wait # seconds.}}} minutes {{count, plural, one {Too many attempts. Wait # minute.} other {Too many attempts. Wait # minutes.}}} hours {{count, plural, one {Too many attempts. Wait # hour.} other {Too many attempts. Wait # hours.}}} other {}} */
    readonly tooManyAttempts: (values: { readonly unit: 'hours' | 'minutes' | 'seconds'; readonly count: number }) => string;
  };
  readonly captionReasons: {
    /** {chars, plural, one {A caption can have up to # character. Shorten it.} other {A caption can have up to # characters. Shorten it.}} */
    readonly tooLong: (values: { readonly chars: number }) => string;
    /** The print face lacks these characters: {letters}. It has Latin, Greek, Cyrillic, Armenian and Georgian letters. Leave them out. */
    readonly lettersMissing: (values: { readonly letters: string }) => string;
  };
  readonly ruleReasons: {
    /** “{text}” is a network. Give single addresses. */
    readonly network: (values: { readonly text: string }) => string;
    /** “{text}” is a pattern. A star is possible only in front, as in *.zip. A domain stands for its subdomains too, and an address that ends in a slash for everything below it: write evil.example or evil.example/shop/. */
    readonly pattern: (values: { readonly text: string }) => string;
    /** “{text}” alone would match every address that ends in .{topLevel}. Give a domain, such as evil.{topLevel}, or write *.{topLevel} if you mean them all. */
    readonly topLevelDomain: (values: { readonly text: string; readonly topLevel: string }) => string;
    /** “{text}” is neither a domain nor an address. Write evil.example or https://evil.example/shop/. */
    readonly noDomainOrAddress: (values: { readonly text: string }) => string;
  };
  readonly domainProblems: {
    /** {hostname} has no address in the DNS ({cause}). */
    readonly noAddress: (values: { readonly hostname: string; readonly cause: string }) => string;
    /** Nothing answers at {host} ({cause}). */
    readonly noAnswer: (values: { readonly host: string; readonly cause: string }) => string;
    /** {seconds, plural, one {{host} does not answer within # second.} other {{host} does not answer within # seconds.}} */
    readonly slowAnswer: (values: { readonly seconds: number; readonly host: string }) => string;
    /** The TLS certificate of {host} is not valid ({cause}). */
    readonly badCertificate: (values: { readonly host: string; readonly cause: string }) => string;
    /** Another server answers at {host}, or the proxy there does not forward it to this server. */
    readonly otherServer: (values: { readonly host: string }) => string;
  };
  readonly domainReasons: {
    /** The account cannot use the domain {url}. */
    readonly notOfAccount: (values: { readonly url: string }) => string;
    /** {url} is the main domain, or another name of it, which are settings. */
    readonly mainDomain: (values: { readonly url: string }) => string;
    /** {url} is in WAYMARK_SHORT_URL_ALIASES. Take it out there, and restart the server first. */
    readonly ofSettings: (values: { readonly url: string }) => string;
  };
  readonly pathReasons: {
    /** The path is badly encoded. */
    readonly badlyEncoded: string;
    /** The address has no path. Every link needs one. */
    readonly missing: string;
    /** {chars, plural, one {The path is longer than # character.} other {The path is longer than # characters.}} */
    readonly tooLong: (values: { readonly chars: number }) => string;
    /** /{segment} is a page of Waymark. */
    readonly ofWaymark: (values: { readonly segment: string }) => string;
    /** The path has a slash at the end. Leave it out. */
    readonly slashAtEnd: string;
    /** The path, or a part of it, begins or ends with a blank. Leave it out. */
    readonly blankAtEnd: string;
    /** The path has characters that nobody sees. Type it instead of pasting it. */
    readonly invisibleCharacters: string;
    /** The path mixes letters of several scripts, or has some of a script that is not in common use. Some look alike: write it in one. */
    readonly severalScripts: string;
    /** /{segment} looks like a page of Waymark, or one to sign in. Choose another path. */
    readonly likeOwnPage: (values: { readonly segment: string }) => string;
    /** The destination of the code leads to /{path}, so it would lead to itself. Change the destination first, or choose another path. */
    readonly leadsBack: (values: { readonly path: string }) => string;
    /** /{path} exists already. */
    readonly exists: (values: { readonly path: string }) => string;
    /** There is a path that differs from /{path} only in capitals, and people type both alike. Choose another path. */
    readonly differsInCapitals: (values: { readonly path: string }) => string;
    /** The path has characters that a path can’t have. */
    readonly impossibleCharacters: string;
    /** The path has an empty part, “.” or “..”. */
    readonly emptyPart: string;
    /** /{path} belonged to somebody else until lately, and people may still have it. Choose another path. */
    readonly ofSomebodyElse: (values: { readonly path: string }) => string;
    /** Browsers ask for /{path} by themselves, and each time would count as a scan. Choose another path. */
    readonly askedByBrowsers: (values: { readonly path: string }) => string;
  };
  readonly list: {
    /** Codes */
    readonly title: string;
    /** Never scanned */
    readonly neverScanned: string;
    /** {days, plural, one {Not scanned for # day} other {Not scanned for # days}} */
    readonly quiet: (values: { readonly days: number }) => string;
    /** Archived codes */
    readonly archived: string;
    /** No folder */
    readonly noFolder: string;
    /** {codes, number} paused */
    readonly paused: (values: { readonly codes: number }) => string;
    /** Create many */
    readonly createMany: string;
    /** Print */
    readonly print: string;
    /** New code */
    readonly newCode: string;
    /** New code here */
    readonly newCodeHere: string;
    /** Scans of this folder */
    readonly folderScans: string;
    /** Scans of codes without a folder */
    readonly scansWithoutFolder: string;
    /** No codes yet */
    readonly noCodesYet: string;
    /** The owner and editors of this account create them. */
    readonly whoCreates: string;
    /** Create one, or many from a table. A code’s picture never changes, so <design>set your colours and logo</design> before you print. */
    readonly createOne: <Part>(values: { readonly design: (text: string) => Part }) => (string | Part)[];
    /** No codes found */
    readonly noneFound: string;
    /** No code is in this folder. */
    readonly folderEmpty: string;
    /** This page is empty. */
    readonly pageEmpty: string;
    /** {codes, plural, one {A list shows its first # code. Search for the others, or choose a folder or another filter.} other {A list shows its first # codes. Search for the others, or choose a folder or another filter.}} */
    readonly shownUpTo: (values: { readonly codes: number }) => string;
    /** No code matches “{search}”. */
    readonly noMatch: (values: { readonly search: string }) => string;
    /** No code matches “<search></search>”. These match “<near></near>”, which is near. */
    readonly nearMatch: <Part>(values: { readonly search: Part; readonly near: Part }) => (string | Part)[];
    /** Show all */
    readonly showAll: string;
    /** Select all on this page */
    readonly selectPage: string;
    /** Picture */
    readonly picture: string;
    /** Name */
    readonly nameOfCode: string;
    /** Folder */
    readonly folder: string;
    /** Domain */
    readonly domain: string;
    /** Note */
    readonly note: string;
    /** {days, plural, one {# day} other {# days}} */
    readonly lastDays: (values: { readonly days: number }) => string;
    /** Scans */
    readonly scans: string;
    /** Actions */
    readonly actions: string;
    /** never */
    readonly neverYet: string;
    /** Pages of the list */
    readonly pages: string;
    /** Export as CSV */
    readonly export: string;
  };
  readonly rowMenu: {
    /** Open */
    readonly open: string;
    /** Change destination… */
    readonly changeDestination: string;
    /** Rename, note… */
    readonly rename: string;
    /** Move to folder… */
    readonly moveToFolder: string;
    /** Download PNG */
    readonly downloadPng: string;
    /** Copy picture */
    readonly copyPicture: string;
    /** Resume */
    readonly resume: string;
    /** Pause… */
    readonly pause: string;
  };
  readonly filters: {
    /** Search name, note, destination */
    readonly search: string;
    /** Search in {folder} */
    readonly searchIn: (values: { readonly folder: string }) => string;
    /** Folder */
    readonly folder: string;
    /** All folders */
    readonly allFolders: string;
    /** {folder} ({codes, number}) */
    readonly folderOf: (values: { readonly folder: string; readonly codes: number }) => string;
    /** No folder ({codes, number}) */
    readonly noFolderOf: (values: { readonly codes: number }) => string;
    /** Status */
    readonly status: string;
    /** Any status */
    readonly anyStatus: string;
    /** {status, select, active {Active} paused {Paused} blocked {Blocked} flagged {Flagged} other {}} */
    readonly statusOf: (values: { readonly status: 'active' | 'blocked' | 'flagged' | 'paused' }) => string;
    /** Scans of */
    readonly scansOf: string;
    /** All time */
    readonly allTime: string;
    /** Sort by */
    readonly sortBy: string;
    /** Newest */
    readonly newestFirst: string;
    /** Name A–Z */
    readonly byName: string;
    /** Most scans */
    readonly mostScans: string;
    /** Last scanned */
    readonly lastScanned: string;
    /** Apply */
    readonly apply: string;
    /** {count, plural, =0 {Filter} one {Filter #} other {Filter #}} */
    readonly open: (values: { readonly count: number }) => string;
    /** More filters */
    readonly more: string;
    /** Scans */
    readonly scans: string;
    /** Any scans */
    readonly anyScans: string;
    /** {days, plural, one {Scanned before, not in the last # day} other {Scanned before, not in the last # days}} */
    readonly quiet: (values: { readonly days: number }) => string;
    /** Design */
    readonly design: string;
    /** Any design */
    readonly anyDesign: string;
    /** Archived */
    readonly archived: string;
    /** Not archived */
    readonly notArchived: string;
    /** Archived */
    readonly onlyArchived: string;
  };
  readonly selection: {
    /** Selection */
    readonly title: string;
    /** Selected codes */
    readonly toolbar: string;
    /** Selected */
    readonly selected: string;
    /** All {codes, number} */
    readonly all: (values: { readonly codes: number }) => string;
    /** All that match */
    readonly allThatMatch: string;
    /** Clear the selection */
    readonly clear: string;
    /** Select {name} */
    readonly select: (values: { readonly name: string }) => string;
    /** Change destination */
    readonly changeDestination: string;
    /** Destination */
    readonly destination: string;
    /** Folder */
    readonly folder: string;
    /** Print */
    readonly print: string;
    /** Download */
    readonly download: string;
    /** Pause */
    readonly pause: string;
    /** More */
    readonly more: string;
    /** Pause… */
    readonly pauseMenu: string;
    /** Archive… */
    readonly archiveMenu: string;
    /** Pass the query on… */
    readonly passQueryMenu: string;
    /** Compare */
    readonly compare: string;
    /** The address of the list is too long. Search for less, then select all codes again. */
    readonly listTooLong: string;
    /** {codes, plural, one {# code} other {# codes}} */
    readonly ticked: (values: { readonly codes: number }) => string;
    /** codes */
    readonly tickedMany: string;
    /** {codes, plural, one {# code of a batch} other {# codes of a batch}} */
    readonly ofBatch: (values: { readonly codes: number }) => string;
    /** codes of a batch */
    readonly ofBatchMany: string;
    /** {codes, plural, one {The one code} other {All # codes}} */
    readonly whole: (values: { readonly codes: number }) => string;
    /** All codes */
    readonly wholeMany: string;
    /** {codes, plural, one {The one code that matches “{search}”} other {All # codes that match “{search}”}} */
    readonly matching: (values: { readonly codes: number; readonly search: string }) => string;
    /** All codes that match “{search}” */
    readonly matchingMany: (values: { readonly search: string }) => string;
    /** No codes are selected */
    readonly none: string;
    /** Tick codes in the list first, or select all. */
    readonly tickFirst: string;
    /** Go to the list */
    readonly goToList: string;
    /** Back to the list */
    readonly backToList: string;
    /** Ticked in the list. */
    readonly tickedInList: string;
    /** Older pages of the list included. */
    readonly olderPagesToo: string;
    /** Actions */
    readonly actions: string;
    /** <b><codes></codes>.</b> */
    readonly these: <Part>(values: { readonly b: (parts: (string | Part)[]) => Part; readonly codes: Part }) => (string | Part)[];
    /** Too many codes to edit at once */
    readonly tooMany: string;
    /** What is printed stays the same. */
    readonly printedStays: string;
    /** You can change destinations once this account has an active plan. */
    readonly needsPlan: string;
    /** One destination for all */
    readonly oneForAll: string;
    /** Where should they lead? */
    readonly whereTo: string;
    /** Change */
    readonly change: string;
    /** Find and replace */
    readonly findAndReplace: string;
    /** Replace */
    readonly replace: string;
    /** With */
    readonly replaceWith: string;
    /** Preview */
    readonly preview: string;
    /** Move to a folder */
    readonly moveToFolder: string;
    /** A code is in one folder at most. */
    readonly oneFolderAtMost: string;
    /** No folder: take them out of theirs */
    readonly takeOut: string;
    /** New folder */
    readonly newFolder: string;
    /** Or a new folder */
    readonly orNewFolder: string;
    /** Its name */
    readonly nameOfFolder: string;
    /** Choose a folder. */
    readonly chooseFolder: string;
    /** Move */
    readonly move: string;
    /** Plan a change */
    readonly plan: string;
    /** What is planned for them already stays. */
    readonly plannedStays: string;
    /** Plan it for later */
    readonly planLater: string;
    /** Pause or resume */
    readonly pauseOrResume: string;
    /** Paused codes show a “paused” page instead of redirecting. Scans are not counted. */
    readonly whatPausing: string;
    /** Archive */
    readonly archive: string;
    /** Archived codes are left out of lists, searches and exports. They still redirect and count. */
    readonly whatArchiving: string;
    /** Pass the query on */
    readonly passQuery: string;
    /** What stands behind the question mark of a scanned address, such as ?table=7, is added to the destination. */
    readonly whatQuery: string;
    /** {codes, plural, one {Pause # code} other {Pause # codes}} */
    readonly pauseCodes: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Resume # code} other {Resume # codes}} */
    readonly resumeCodes: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Archive # code} other {Archive # codes}} */
    readonly archiveCodes: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Unarchive # code} other {Unarchive # codes}} */
    readonly unarchiveCodes: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Switch on for # code} other {Switch on for # codes}} */
    readonly queryOnFor: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Switch off for # code} other {Switch off for # codes}} */
    readonly queryOffFor: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code is blocked by the operator, which stays.} other {# codes are blocked by the operator, which stays.}} */
    readonly blockedStay: (values: { readonly codes: number }) => string;
    /** There is no such change. Go back to the list and choose again. */
    readonly noSuchChange: string;
    /** Download images */
    readonly downloadImages: string;
    /** A ZIP file with an image per code, named by its name, and a table in CSV. */
    readonly whatZip: string;
    /** Download ZIP */
    readonly downloadZip: string;
    /** Format */
    readonly format: string;
    /** SVG, any size */
    readonly svgAnySize: string;
    /** PDF, any size */
    readonly pdfAnySize: string;
    /** PNG, {pixels} px, {length} wide */
    readonly pngOfSize: (values: { readonly pixels: string; readonly length: string }) => string;
    /** There is no such format. Choose one of the list. */
    readonly noSuchFormat: string;
  };
  readonly bulkEdit: {
    /** Bulk edit */
    readonly title: string;
    /** Changing codes */
    readonly changing: string;
    /** Undoing a change of codes */
    readonly undoing: string;
    /** Undone: {edit} */
    readonly undone: (values: { readonly edit: string }) => string;
    /** {all, plural, one {{decided, number} of {all, number} code changed so far} other {{decided, number} of {all, number} codes changed so far}} */
    readonly changedSoFar: (values: { readonly all: number; readonly decided: number }) => string;
    /** {all, plural, one {{decided, number} of {all, number} code undone so far} other {{decided, number} of {all, number} codes undone so far}} */
    readonly undoneSoFar: (values: { readonly all: number; readonly decided: number }) => string;
    /** Progress */
    readonly progress: string;
    /** {all, plural, one {{decided, number} of {all, number} code} other {{decided, number} of {all, number} codes}} */
    readonly decided: (values: { readonly all: number; readonly decided: number }) => string;
    /** You can close this page: the server continues. */
    readonly serverContinues: string;
    /** Stop */
    readonly stop: string;
    /** This bulk edit has ended */
    readonly replaced: string;
    /** Another change of many codes was made since. <activity>Activity</activity> says what each of them has changed. */
    readonly replacedBy: <Part>(values: { readonly activity: (text: string) => Part }) => (string | Part)[];
    /** Not all codes were changed */
    readonly notAllChanged: string;
    /** Codes */
    readonly codes: string;
    /** {selected, plural, one {{codes, number} of {selected, number} code changed.} other {{codes, number} of {selected, number} codes changed.}} */
    readonly changed: (values: { readonly selected: number; readonly codes: number }) => string;
    /** {codes, plural, one {# was undone.} other {# were undone.}} */
    readonly someUndone: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code was left out} other {# codes were left out}} */
    readonly leftOut: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {and # more code} other {and # more codes}} */
    readonly andMore: (values: { readonly codes: number }) => string;
    /** Last bulk edit, <when></when>: {edit}. */
    readonly last: <Part>(values: { readonly when: Part; readonly edit: string }) => (string | Part)[];
    /** Undo */
    readonly undo: string;
    /** Change destinations */
    readonly changeDestinations: string;
    /** Selected: {codes}. */
    readonly selected: (values: { readonly codes: string }) => string;
    /** {codes, plural, one {# will change.} other {# will change.}} */
    readonly willChange: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# cannot be changed.} other {# cannot be changed.}} */
    readonly cannotChange: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# does not contain this text.} other {# do not contain this text.}} */
    readonly doNotContain: (values: { readonly codes: number }) => string;
    /** Nothing has been changed yet. */
    readonly nothingChangedYet: string;
    /** {codes, plural, one {Change # code} other {Change # codes}} */
    readonly changeCodes: (values: { readonly codes: number }) => string;
    /** Back */
    readonly back: string;
    /** {codes, plural, one {# code cannot be changed} other {# codes cannot be changed}} */
    readonly cannotBeChanged: (values: { readonly codes: number }) => string;
    /** Before and after */
    readonly beforeAndAfter: string;
    /** before: */
    readonly before: string;
    /** after: */
    readonly after: string;
    /** Nothing to change */
    readonly nothingToChange: string;
    /** No destination of these codes contains “{text}”. */
    readonly noneContains: (values: { readonly text: string }) => string;
    /** {codes, plural, one {# code moved out of its folder} other {# codes moved out of their folders}} */
    readonly movedOut: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code moved to {folder}} other {# codes moved to {folder}}} */
    readonly movedTo: (values: { readonly codes: number; readonly folder: string }) => string;
    /** {codes, plural, one {# code now passes the query on} other {# codes now pass the query on}} */
    readonly queryOn: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code no longer passes the query on} other {# codes no longer pass the query on}} */
    readonly queryOff: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code paused} other {# codes paused}} */
    readonly paused: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code resumed} other {# codes resumed}} */
    readonly resumed: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code archived} other {# codes archived}} */
    readonly archived: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code unarchived} other {# codes unarchived}} */
    readonly unarchived: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {# code now leads to {destination}} other {# codes now lead to {destination}}} */
    readonly leadTo: (values: { readonly codes: number; readonly destination: string }) => string;
    /** {codes, plural, one {“{replaced}” became “{replacement}” in # code} other {“{replaced}” became “{replacement}” in # codes}} */
    readonly replacedIn: (values: { readonly codes: number; readonly replaced: string; readonly replacement: string }) => string;
  };
  readonly scans: {
    /** The scans of these days are being counted. The page reloads by itself. */
    readonly counting: string;
    /** {days, plural, one {Last # day} other {Last # days}} */
    readonly lastDays: (values: { readonly days: number }) => string;
    /** {days, plural, one {Scans in the last # day} other {Scans in the last # days}} */
    readonly inLastDays: (values: { readonly days: number }) => string;
    /** Scans */
    readonly title: string;
    /** Period */
    readonly period: string;
    /** {days, plural, one {# d<wide>ay</wide>} other {# d<wide>ays</wide>}} */
    readonly daysOnWideScreens: <Part>(values: { readonly days: number; readonly wide: (text: string) => Part }) => (string | Part)[];
    /** Range */
    readonly range: string;
    /** First day */
    readonly firstDay: string;
    /** Last day */
    readonly lastDay: string;
    /** Show */
    readonly show: string;
    /** Choose the first and the last day. */
    readonly chooseBothDays: string;
    /** The first day is after the last one. */
    readonly firstAfterLast: string;
    /** Choose days from the year {year} on. */
    readonly tooLongAgo: (values: { readonly year: string }) => string;
    /** The last day is in the future. */
    readonly inFuture: string;
    /** {days, plural, one {This is # day. Choose up to two years.} other {These are # days. Choose up to two years.}} */
    readonly tooManyDays: (values: { readonly days: number }) => string;
    /** All time */
    readonly allTime: string;
    /** No scans yet. */
    readonly noneYet: string;
    /** No scans yet. Test it with your phone. */
    readonly noneYetTest: string;
    /** last scan <when></when> */
    readonly last: <Part>(values: { readonly when: Part }) => (string | Part)[];
    /** {hits, plural, one {# preview or bot was not counted} other {# previews and bots were not counted}} */
    readonly notCounted: (values: { readonly hits: number }) => string;
    /** Link previews */
    readonly linkPreviews: string;
    /** Prefetches */
    readonly prefetches: string;
    /** Crawlers */
    readonly crawlers: string;
    /** HEAD requests */
    readonly headRequests: string;
    /** {people, plural, one {# saw the warning. To see it is not a scan.} other {# saw the warning. To see it is not a scan.}} */
    readonly sawWarning: (values: { readonly people: number }) => string;
    /** This week, since Monday */
    readonly thisWeekSinceMonday: string;
    /** {change, select, more {<by></by> <soft>more than last week until now</soft>} fewer {<by></by> <soft>fewer than last week until now</soft>} same {<soft>as many as last week until now</soft>} other {}} */
    readonly toLastWeek: <Part>(values: { readonly change: 'fewer' | 'more' | 'same'; readonly by: Part; readonly soft: (text: string) => Part }) => (string | Part)[];
    /** Last week */
    readonly lastWeek: string;
    /** A code, a day */
    readonly perCodeAndDay: string;
    /** {days, plural, one {# day} other {# days}}, {codes, plural, one {# code} other {# codes}} */
    readonly daysAndCodes: (values: { readonly days: number; readonly codes: number }) => string;
    /** {unit, select, day {Today is not over} week {This week is not over} other {}} */
    readonly notOver: (values: { readonly unit: 'day' | 'week' }) => string;
    /** {unit, select, day {Scans a day, {first} to {last}} week {Scans a week, {first} to {last}} other {}} */
    readonly chart: (values: { readonly unit: 'day' | 'week'; readonly first: string; readonly last: string }) => string;
    /** {unit, select, day {Day} week {Week} other {}} */
    readonly unit: (values: { readonly unit: 'day' | 'week' }) => string;
    /** {unit, select, day {Today} week {This week} other {}} */
    readonly now: (values: { readonly unit: 'day' | 'week' }) => string;
    /** {scans, plural, one {{days} · # scan} other {{days} · # scans}} */
    readonly onDays: (values: { readonly scans: number; readonly days: string }) => string;
    /** Show as table */
    readonly showAsTable: string;
    /** under {percent} */
    readonly under: (values: { readonly percent: string }) => string;
  };
  readonly planned: {
    /** Planned changes */
    readonly title: string;
    /** Planned */
    readonly planned: string;
    /** Plan a change */
    readonly planChange: string;
    /** Plan a change of “{code}” */
    readonly planChangeOf: (values: { readonly code: string }) => string;
    /** Edit a planned change */
    readonly editTitle: string;
    /** Overview */
    readonly overview: string;
    /** Not done */
    readonly notDone: string;
    /** Next */
    readonly next: string;
    /** Nothing is planned. Plan a change on the page of a code. */
    readonly nothing: string;
    /** {changes, plural, one {Only the next # is shown. Others are on the pages of codes.} other {Only the next # are shown. Others are on the pages of codes.}} */
    readonly onlyNext: (values: { readonly changes: number }) => string;
    /** Now it is paused. */
    readonly nowPaused: string;
    /** Now it leads to <destination></destination>. */
    readonly nowLeads: <Part>(values: { readonly destination: Part }) => (string | Part)[];
    /** Try again */
    readonly tryAgain: string;
    /** Actions for the change: {change} */
    readonly actionsFor: (values: { readonly change: string }) => string;
    /** Edit… */
    readonly edit: string;
    /** Do it now */
    readonly doItNow: string;
    /** Delete */
    readonly delete: string;
    /** Paused */
    readonly paused: string;
    /** Resumed */
    readonly resumed: string;
    /** {day}, {time} */
    readonly onDayAt: (values: { readonly day: string; readonly time: string }) => string;
    /** Every day, {time} */
    readonly everyDayAt: (values: { readonly time: string }) => string;
    /** {weekday, select, monday {Every Monday, {time}} tuesday {Every Tuesday, {time}} wednesday {Every Wednesday, {time}} thursday {Every Thursday, {time}} friday {Every Friday, {time}} saturday {Every Saturday, {time}} sunday {Every Sunday, {time}} other {}} */
    readonly everyWeekAt: (values: { readonly weekday: 'friday' | 'monday' | 'saturday' | 'sunday' | 'thursday' | 'tuesday' | 'wednesday'; readonly time: string }) => string;
    /** {when}: it leads to {destination} */
    readonly whenItLeads: (values: { readonly when: string; readonly destination: string }) => string;
    /** {when}: it is paused */
    readonly whenItPauses: (values: { readonly when: string }) => string;
    /** {when}: it is resumed */
    readonly whenItResumes: (values: { readonly when: string }) => string;
    /** {time} <name></name> leads to {destination} */
    readonly codeLeads: <Part>(values: { readonly time: string; readonly name: Part; readonly destination: string }) => (string | Part)[];
    /** {time} <name></name> is paused */
    readonly codePauses: <Part>(values: { readonly time: string; readonly name: Part }) => (string | Part)[];
    /** {time} <name></name> is resumed */
    readonly codeResumes: <Part>(values: { readonly time: string; readonly name: Part }) => (string | Part)[];
    /** {codes, plural, one {{time} # code leads to {destination}} other {{time} # codes lead to {destination}}} */
    readonly manyLead: (values: { readonly codes: number; readonly time: string; readonly destination: string }) => string;
    /** {codes, plural, one {{time} # code is paused} other {{time} # codes are paused}} */
    readonly manyPause: (values: { readonly codes: number; readonly time: string }) => string;
    /** {codes, plural, one {{time} # code is resumed} other {{time} # codes are resumed}} */
    readonly manyResume: (values: { readonly codes: number; readonly time: string }) => string;
    /** {codes, plural, one {{time} # code changes} other {{time} # codes change}} */
    readonly manyChange: (values: { readonly codes: number; readonly time: string }) => string;
    /** and more later */
    readonly moreLater: string;
    /** over */
    readonly over: string;
    /** {days, plural, =0 {today} =1 {tomorrow} one {in # day} other {in # days}} */
    readonly inDays: (values: { readonly days: number }) => string;
    /** {days, plural, =0 {next today} =1 {next tomorrow} one {next in # day} other {next in # days}} */
    readonly nextInDays: (values: { readonly days: number }) => string;
    /** visitors see your message */
    readonly visitorsSeeMessage: string;
    /** Not done, because your plan had expired. */
    readonly noPlan: string;
    /** Not done, because the destination is flagged as dangerous. */
    readonly flagged: string;
    /** Not done, because the destination is a short link of this server by now. */
    readonly notValid: string;
    /** Not done, because the operator of this server has blocked the code. */
    readonly blocked: string;
    /** Not done, because the server could not make it. Plan it again. */
    readonly failed: string;
  };
  readonly planForm: {
    /** Day */
    readonly day: string;
    /** Time in {place} */
    readonly timeIn: (values: { readonly place: string }) => string;
    /** Repeat */
    readonly repeat: string;
    /** Never */
    readonly never: string;
    /** Every day */
    readonly everyDay: string;
    /** Every week */
    readonly everyWeek: string;
    /** On these days */
    readonly onTheseDays: string;
    /** Each gets a change of its own. Without any, it is the day above. */
    readonly eachItsOwn: string;
    /** And back again at a set time */
    readonly andBack: string;
    /** Back on */
    readonly backOn: string;
    /** Empty: as soon as it is that time. */
    readonly backOnHint: string;
    /** Back at */
    readonly backAt: string;
    /** What happens */
    readonly whatHappens: string;
    /** Choose what happens. */
    readonly chooseWhatHappens: string;
    /** Where should it lead? */
    readonly whereTo: string;
    /** Where should they lead? */
    readonly whereToAll: string;
    /** It leads somewhere else */
    readonly leads: string;
    /** All lead to one address */
    readonly allLead: string;
    /** To the address below. */
    readonly toAddressBelow: string;
    /** It is paused */
    readonly pauses: string;
    /** All are paused */
    readonly allPause: string;
    /** Visitors see your message. */
    readonly visitorsSeeMessage: string;
    /** It is resumed */
    readonly resumes: string;
    /** It leads to its destination again. */
    readonly leadsAgain: string;
    /** All are resumed */
    readonly allResume: string;
    /** They lead to their destinations again. */
    readonly allLeadAgain: string;
    /** Choose a day and a time. */
    readonly chooseDayAndTime: string;
    /** See what happens */
    readonly seeWhatHappens: string;
    /** Plan it */
    readonly planIt: string;
  };
  readonly planRefused: {
    /** That time is over. */
    readonly timeOver: string;
    /** {years, plural, one {Choose a day within # year.} other {Choose a day within # years.}} */
    readonly tooFar: (values: { readonly years: number }) => string;
    /** It goes back before it begins. Choose a later time. */
    readonly endsBeforeBegin: string;
    /** It begins again before it has gone back. Choose a time within 24 hours. */
    readonly endsAfterNextDay: string;
    /** It begins again before it has gone back. Choose a time within seven days. */
    readonly endsAfterNextWeek: string;
    /** {changes, plural, one {This code has # planned change already. Remove it first.} other {This code has # planned changes already. Remove one of them first.}} */
    readonly tooMany: (values: { readonly changes: number }) => string;
    /** Another change of this kind is planned for this minute. */
    readonly sameMinute: string;
    /** This code was stopped for good. */
    readonly codeStopped: string;
    /** This planned change is gone: it was made, or removed. */
    readonly gone: string;
  };
  readonly plan: {
    /** {days, plural, =0 {{day}, {time}, today.} =1 {{day}, {time}, tomorrow.} one {{day}, {time}, in # day.} other {{day}, {time}, in # days.}} */
    readonly once: (values: { readonly days: number; readonly day: string; readonly time: string }) => string;
    /** {days, plural, =0 {Every day from {day}, today.} =1 {Every day from {day}, tomorrow.} one {Every day from {day}, in # day.} other {Every day from {day}, in # days.}} */
    readonly everyDay: (values: { readonly days: number; readonly day: string }) => string;
    /** {days, plural, =0 {Every week from {day}, today.} =1 {Every week from {day}, tomorrow.} one {Every week from {day}, in # day.} other {Every week from {day}, in # days.}} */
    readonly everyWeek: (values: { readonly days: number; readonly day: string }) => string;
    /** {days, plural, =0 {Every week ({weekdays}) from {day}, today.} =1 {Every week ({weekdays}) from {day}, tomorrow.} one {Every week ({weekdays}) from {day}, in # day.} other {Every week ({weekdays}) from {day}, in # days.}} */
    readonly everyWeekOn: (values: { readonly days: number; readonly weekdays: string; readonly day: string }) => string;
    /** {day}, {time} */
    readonly dayAt: (values: { readonly day: string; readonly time: string }) => string;
    /** the address that you type */
    readonly addressToType: string;
    /** It leads to {to} then. Until then nothing changes. */
    readonly leadsOnce: (values: { readonly to: string }) => string;
    /** It leads to {to} until {until}, then to {from} again. */
    readonly leadsUntil: (values: { readonly to: string; readonly until: string; readonly from: string }) => string;
    /** At {time} it leads to {to}. */
    readonly leadsEach: (values: { readonly time: string; readonly to: string }) => string;
    /** {nights, plural, =0 {At {time} it leads to {to}, at {end} to {from} again.} =1 {At {time} it leads to {to}, at {end} the next day to {from} again.} one {At {time} it leads to {to}, at {end}, # day later, to {from} again.} other {At {time} it leads to {to}, at {end}, # days later, to {from} again.}} */
    readonly leadsEachUntil: (values: { readonly nights: number; readonly time: string; readonly to: string; readonly end: string; readonly from: string }) => string;
    /** It is paused then: visitors see your message. Until then nothing changes. */
    readonly pausesOnce: string;
    /** It is paused until {until}, then it is resumed. */
    readonly pausesUntil: (values: { readonly until: string }) => string;
    /** At {time} it is paused. */
    readonly pausesEach: (values: { readonly time: string }) => string;
    /** {nights, plural, =0 {At {time} it is paused, at {end} it is resumed.} =1 {At {time} it is paused, at {end} the next day it is resumed.} one {At {time} it is paused, at {end}, # day later, it is resumed.} other {At {time} it is paused, at {end}, # days later, it is resumed.}} */
    readonly pausesEachUntil: (values: { readonly nights: number; readonly time: string; readonly end: string }) => string;
    /** It is resumed then. Until then nothing changes. */
    readonly resumesOnce: string;
    /** It is resumed until {until}, then it is paused again. */
    readonly resumesUntil: (values: { readonly until: string }) => string;
    /** At {time} it is resumed. */
    readonly resumesEach: (values: { readonly time: string }) => string;
    /** {nights, plural, =0 {At {time} it is resumed, at {end} it is paused again.} =1 {At {time} it is resumed, at {end} the next day it is paused again.} one {At {time} it is resumed, at {end}, # day later, it is paused again.} other {At {time} it is resumed, at {end}, # days later, it is paused again.}} */
    readonly resumesEachUntil: (values: { readonly nights: number; readonly time: string; readonly end: string }) => string;
    /** They lead to {to} then. Until then nothing changes. */
    readonly allLeadOnce: (values: { readonly to: string }) => string;
    /** They lead to {to} until {until}, then each where it leads now. */
    readonly allLeadUntil: (values: { readonly to: string; readonly until: string }) => string;
    /** At {time} they lead to {to}. */
    readonly allLeadEach: (values: { readonly time: string; readonly to: string }) => string;
    /** {nights, plural, =0 {At {time} they lead to {to}, at {end} each where it leads now.} =1 {At {time} they lead to {to}, at {end} the next day each where it leads now.} one {At {time} they lead to {to}, at {end}, # day later, each where it leads now.} other {At {time} they lead to {to}, at {end}, # days later, each where it leads now.}} */
    readonly allLeadEachUntil: (values: { readonly nights: number; readonly time: string; readonly to: string; readonly end: string }) => string;
    /** They are paused then: visitors see your message. Until then nothing changes. */
    readonly allPauseOnce: string;
    /** They are paused until {until}, then they are resumed. */
    readonly allPauseUntil: (values: { readonly until: string }) => string;
    /** At {time} they are paused. */
    readonly allPauseEach: (values: { readonly time: string }) => string;
    /** {nights, plural, =0 {At {time} they are paused, at {end} they are resumed.} =1 {At {time} they are paused, at {end} the next day they are resumed.} one {At {time} they are paused, at {end}, # day later, they are resumed.} other {At {time} they are paused, at {end}, # days later, they are resumed.}} */
    readonly allPauseEachUntil: (values: { readonly nights: number; readonly time: string; readonly end: string }) => string;
    /** They are resumed then. Until then nothing changes. */
    readonly allResumeOnce: string;
    /** They are resumed until {until}, then they are paused again. */
    readonly allResumeUntil: (values: { readonly until: string }) => string;
    /** At {time} they are resumed. */
    readonly allResumeEach: (values: { readonly time: string }) => string;
    /** {nights, plural, =0 {At {time} they are resumed, at {end} they are paused again.} =1 {At {time} they are resumed, at {end} the next day they are paused again.} one {At {time} they are resumed, at {end}, # day later, they are paused again.} other {At {time} they are resumed, at {end}, # days later, they are paused again.}} */
    readonly allResumeEachUntil: (values: { readonly nights: number; readonly time: string; readonly end: string }) => string;
    /** On {day} there is no {time} in {place}: it happens at {madeAt}. */
    readonly clockChange: (values: { readonly day: string; readonly time: string; readonly place: string; readonly madeAt: string }) => string;
  };
  readonly events: {
    /** <who></who> created <code></code> */
    readonly codeCreated: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> changed the destination of <code></code> */
    readonly destinationChanged: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> renamed <code></code> */
    readonly codeRenamed: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> moved <code></code> to another folder */
    readonly codeMoved: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> changed the address to type of <code></code> */
    readonly pathChanged: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** {label, select, note {<who></who> changed the note of <code></code>} path {<who></who> changed the path of <code></code>} query {<who></who> changed the query of <code></code>} other {}} */
    readonly labelChanged: <Part>(values: { readonly label: 'note' | 'path' | 'query'; readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> changed the <label></label> of <code></code> */
    readonly otherLabelChanged: <Part>(values: { readonly who: Part; readonly label: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> paused <code></code> */
    readonly codePaused: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> resumed <code></code> */
    readonly codeResumed: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> archived <code></code> */
    readonly codeArchived: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> took <code></code> out of the archive */
    readonly codeUnarchived: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> blocked <code></code> */
    readonly codeBlocked: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> lifted the block of <code></code> */
    readonly codeUnblocked: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <who></who> planned a change of <code></code> */
    readonly changePlanned: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> planned a change of # code} other {<who></who> planned a change of # codes}} */
    readonly changeOfCodesPlanned: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** <who></who> cancelled a planned change of <code></code> */
    readonly changeCancelled: <Part>(values: { readonly who: Part; readonly code: Part }) => (string | Part)[];
    /** <change></change> could not be made for <code></code> */
    readonly changeNotMade: <Part>(values: { readonly change: Part; readonly code: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> renamed a folder of # code} other {<who></who> renamed a folder of # codes}} */
    readonly folderRenamed: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> removed the folder <folder></folder> of # code} other {<who></who> removed the folder <folder></folder> of # codes}} */
    readonly folderRemoved: <Part>(values: { readonly codes: number; readonly who: Part; readonly folder: Part }) => (string | Part)[];
    /** <who></who> changed the domain of new codes in the folder <folder></folder> */
    readonly folderDomainChanged: <Part>(values: { readonly who: Part; readonly folder: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> changed the destination of # code} other {<who></who> changed the destination of # codes}} */
    readonly destinationOfCodesChanged: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> moved # code out of their folders} other {<who></who> moved # codes out of their folders}} */
    readonly codesMovedOut: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> moved # code to the folder <folder></folder>} other {<who></who> moved # codes to the folder <folder></folder>}} */
    readonly codesMoved: <Part>(values: { readonly codes: number; readonly who: Part; readonly folder: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> paused # code} other {<who></who> paused # codes}} */
    readonly codesPaused: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> resumed # code} other {<who></who> resumed # codes}} */
    readonly codesResumed: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> set # code to pass the query on} other {<who></who> set # codes to pass the query on}} */
    readonly codesPassQueryOn: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> set # code not to pass the query on} other {<who></who> set # codes not to pass the query on}} */
    readonly codesDropQuery: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> archived # code} other {<who></who> archived # codes}} */
    readonly codesArchived: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> took # code out of the archive} other {<who></who> took # codes out of the archive}} */
    readonly codesUnarchived: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> undid a change of # code} other {<who></who> undid a change of # codes}} */
    readonly changeOfCodesUndone: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> printed # code} other {<who></who> printed # codes}} */
    readonly codesPrinted: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** <who></who> gave the codes of a deleted account to this one */
    readonly codesReceived: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** {codes, plural, one {<who></who> started to create # code from a table} other {<who></who> started to create # codes from a table}} */
    readonly tableStarted: <Part>(values: { readonly codes: number; readonly who: Part }) => (string | Part)[];
    /** <who></who> stopped the codes of a table */
    readonly tableStopped: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** {links, plural, one {<who></who> imported # link} other {<who></who> imported # links}} */
    readonly linksImported: <Part>(values: { readonly links: number; readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the design of new codes */
    readonly designChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> saved the design <design></design> */
    readonly designSaved: <Part>(values: { readonly who: Part; readonly design: Part }) => (string | Part)[];
    /** <who></who> renamed a design */
    readonly designRenamed: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> removed the design <design></design> */
    readonly designRemoved: <Part>(values: { readonly who: Part; readonly design: Part }) => (string | Part)[];
    /** <who></who> signed in */
    readonly signedIn: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> signed in with a new browser */
    readonly signedInWithNewBrowser: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> gave a wrong code of the second factor */
    readonly wrongSecondFactor: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> signed out other browsers */
    readonly otherBrowsersSignedOut: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> made a one-time link to sign in */
    readonly signInLinkMade: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> set a password with a one-time link */
    readonly signInLinkUsed: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the password */
    readonly passwordChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> turned on the second factor */
    readonly secondFactorOn: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> turned off the second factor */
    readonly secondFactorOff: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> made new recovery codes */
    readonly recoveryCodesMade: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> used a recovery code */
    readonly recoveryCodeUsed: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> made the API key …<end></end> */
    readonly keyMade: <Part>(values: { readonly who: Part; readonly end: Part }) => (string | Part)[];
    /** <who></who> ended the replaced API key …<end></end> */
    readonly replacedKeyEnded: <Part>(values: { readonly who: Part; readonly end: Part }) => (string | Part)[];
    /** <who></who> revoked the API key …<end></end> */
    readonly keyRevoked: <Part>(values: { readonly who: Part; readonly end: Part }) => (string | Part)[];
    /** <who></who> connected <provider></provider> to sign in */
    readonly providerConnected: <Part>(values: { readonly who: Part; readonly provider: Part }) => (string | Part)[];
    /** <who></who> disconnected the provider to sign in */
    readonly providerDisconnected: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** {role, select, editor {<who></who> invited <person></person> as editor} viewer {<who></who> invited <person></person> as viewer} other {}} */
    readonly personInvited: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly who: Part; readonly person: Part }) => (string | Part)[];
    /** <who></who> took back the invitation of <person></person> */
    readonly invitationTakenBack: <Part>(values: { readonly who: Part; readonly person: Part }) => (string | Part)[];
    /** {role, select, editor {<who></who> joined as editor} viewer {<who></who> joined as viewer} other {}} */
    readonly personJoined: <Part>(values: { readonly role: 'editor' | 'viewer'; readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the role of <person></person> */
    readonly roleChanged: <Part>(values: { readonly who: Part; readonly person: Part }) => (string | Part)[];
    /** <who></who> removed <person></person> */
    readonly personRemoved: <Part>(values: { readonly who: Part; readonly person: Part }) => (string | Part)[];
    /** <who></who> left */
    readonly personLeft: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> created the account */
    readonly accountCreated: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> changed when the plan of the account ends */
    readonly planEndChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> made the account an operator */
    readonly operatorMade: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> took the right to operate the server from the account */
    readonly operatorRemoved: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the e-mail address */
    readonly emailChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the time zone */
    readonly timeZoneChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the page of paused codes */
    readonly pausedPageChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> changed the domain of new codes */
    readonly domainChanged: <Part>(values: { readonly who: Part }) => (string | Part)[];
    /** <who></who> let this account use the domain <domain></domain> */
    readonly domainGiven: <Part>(values: { readonly who: Part; readonly domain: Part }) => (string | Part)[];
    /** <who></who> took the domain <domain></domain> from the new codes of this account */
    readonly domainTaken: <Part>(values: { readonly who: Part; readonly domain: Part }) => (string | Part)[];
  };
  readonly eventDetails: {
    /** → {after} */
    readonly to: (values: { readonly after: string }) => string;
    /** {before} → {after} */
    readonly change: (values: { readonly before: string; readonly after: string }) => string;
    /** none */
    readonly none: string;
    /** Reason: {reason} */
    readonly reason: (values: { readonly reason: string }) => string;
    /** {role, select, editor {editor} viewer {viewer} other {}} */
    readonly role: (values: { readonly role: 'editor' | 'viewer' }) => string;
    /** {action, select, pause {pause} resume {resume} other {}} */
    readonly action: (values: { readonly action: 'pause' | 'resume' }) => string;
    /** {when} {change} */
    readonly planned: (values: { readonly when: string; readonly change: string }) => string;
    /** {change}: {why} */
    readonly notMade: (values: { readonly change: string; readonly why: string }) => string;
    /** never */
    readonly never: string;
    /** the plan of the account had expired */
    readonly planExpired: string;
    /** the destination is flagged as dangerous */
    readonly flagged: string;
    /** the destination is a short link of this server by now */
    readonly ownShortLink: string;
    /** the operator has blocked the code */
    readonly blocked: string;
    /** the server could not make it, and its log says why */
    readonly failed: string;
  };
  readonly lists: {
    /** {list}, {item} */
    readonly next: (values: { readonly list: string; readonly item: string }) => string;
    /** "{name}" */
    readonly quoted: (values: { readonly name: string }) => string;
    /** {numbers} and {others, plural, one {# other} other {# others}} */
    readonly numbersAndOthers: (values: { readonly numbers: string; readonly others: number }) => string;
    /** {sentences} {sentence} */
    readonly nextSentence: (values: { readonly sentences: string; readonly sentence: string }) => string;
  };
  readonly fileReasons: {
    /** The table is larger than {megabytes, number} MB. Split it into several. */
    readonly tooLarge: (values: { readonly megabytes: number }) => string;
    /** This file takes too long to read. {isSpreadsheet, select, true {Save it as CSV.} false {Split it into several.} other {}} */
    readonly takesTooLong: (values: { readonly isSpreadsheet: boolean }) => string;
    /** The file has too much text. Split it into several. */
    readonly tooMuchText: string;
    /** The file contains control characters, so it is no table in text form. */
    readonly controlCharacters: string;
    /** The file has no sheets, because it is no .xlsx or .ods file. */
    readonly noSheets: string;
    /** The file is not text, so it is no table. */
    readonly noText: string;
    /** The file does not say how its letters are stored. Save it as .xlsx or “CSV UTF-8”, and use that file. */
    readonly lettersNotKnown: string;
    /** The file is not in the encoding {encoding}. */
    readonly notInEncoding: (values: { readonly encoding: string }) => string;
    /** The file is a PDF. Use the spreadsheet it was made from, or CSV. */
    readonly pdf: string;
    /** The file is a picture. Use the table itself: a spreadsheet or CSV. */
    readonly picture: string;
    /** The file is a spreadsheet or another ZIP file. Save it as “CSV UTF-8” first, and use that file. */
    readonly zip: string;
    /** The spreadsheet is encrypted with a password. Remove the password (in Excel: File, Info, Protect Workbook), save it, and use that file. */
    readonly encrypted: string;
    /** The file is a spreadsheet in the old .xls format. Open it, save it as .xlsx or “CSV UTF-8”, and use that file. */
    readonly oldSpreadsheet: string;
    /** The file is a web page or XML, whatever its name says. Open it in a spreadsheet, save it as .xlsx or “CSV UTF-8”, and use that file. */
    readonly markup: string;
    /** The spreadsheet is broken and cannot be read. Open it, save it again, and use that file. */
    readonly broken: string;
    /** The spreadsheet is larger than {megabytes, number} MB when it is unpacked. Save its table alone, or as “CSV UTF-8”. */
    readonly tooLargeUnpacked: (values: { readonly megabytes: number }) => string;
    /** The spreadsheet is encrypted with a password. Save it without a password, and use that file. */
    readonly withPassword: string;
    /** The links of the spreadsheet are on too many cells. Save its table as “CSV UTF-8”, with the addresses as text. */
    readonly tooManyLinks: string;
    /** The spreadsheet has no sheet. */
    readonly withoutSheet: string;
    /** The spreadsheet is in the binary .xlsb format. Save it as .xlsx or “CSV UTF-8”, and use that file. */
    readonly binary: string;
    /** The file is of Apple Numbers. In Numbers, choose File, Export To, Excel or CSV, and use that file. */
    readonly numbers: string;
    /** The file is a document, and no spreadsheet. Use .xlsx, .ods or CSV. */
    readonly document: string;
    /** The file is a ZIP file or a document, and no spreadsheet. Use .xlsx, .ods or CSV. */
    readonly noSpreadsheet: string;
    /** The spreadsheet has no sheet "{sheet}". {hasMore, select, true {It has {sheets} and others.} false {It has {sheets}.} other {}} */
    readonly noSuchSheet: (values: { readonly sheet: string; readonly hasMore: boolean; readonly sheets: string }) => string;
    /** Several sheets of the spreadsheet have rows: {sheets}. */
    readonly severalSheets: (values: { readonly sheets: string }) => string;
    /** {max, plural, one {The table has more than # row. Split it into several.} other {The table has more than # rows. Split it into several.}} */
    readonly tooManyRows: (values: { readonly max: number }) => string;
    /** {max, plural, one {Row {row} has more than # column.} other {Row {row} has more than # columns.}} The table needs a destination, and may have a name, note, folder and path. */
    readonly tooManyColumns: (values: { readonly max: number; readonly row: string }) => string;
    /** The file is JSON, and no table. Use .xlsx, .ods or CSV. */
    readonly json: string;
    /** There is no row in the table. It needs a destination in each row, and may have a name, note, folder and path. */
    readonly noRows: string;
    /** The table has no column "{column}". {hasMore, select, true {It has {columns} and others.} false {It has {columns}.} other {}} */
    readonly noSuchColumn: (values: { readonly column: string; readonly hasMore: boolean; readonly columns: string }) => string;
    /** Several columns have the header "{column}". Name the one by its number or letter. */
    readonly severalSuchColumns: (values: { readonly column: string }) => string;
  };
  readonly fileNotices: {
    /** Read from {name}. */
    readonly readFrom: (values: { readonly name: string }) => string;
    /** {others, plural, one {The sheet "{sheet}" was read; # other sheet is not.} other {The sheet "{sheet}" was read; # other sheets are not.}} */
    readonly sheetRead: (values: { readonly others: number; readonly sheet: string }) => string;
    /** {count, plural, one {Row {rows} is hidden in the spreadsheet, and was read too.} other {Rows {rows} are hidden in the spreadsheet, and were read too.}} */
    readonly hiddenRows: (values: { readonly count: number; readonly rows: string }) => string;
    /** {count, plural, one {Column {columns} is hidden in the spreadsheet, and was read too.} other {Columns {columns} are hidden in the spreadsheet, and were read too.}} */
    readonly hiddenColumns: (values: { readonly count: number; readonly columns: string }) => string;
    /** Cells are merged over several rows: {ranges}. Only the first of these rows has their text. */
    readonly mergedRows: (values: { readonly ranges: string }) => string;
    /** The file was read as {encoding}. */
    readonly readAs: (values: { readonly encoding: string }) => string;
    /** {count, plural, one {The column {columns} is ignored.} other {{hasMore, select, true {The columns {columns} and others are ignored.} false {The columns {columns} are ignored.} other {}}}} */
    readonly columnsIgnored: (values: { readonly count: number; readonly columns: string; readonly hasMore: boolean }) => string;
    /** {count, plural, one {https:// was put before the address of row {rows}.} other {https:// was put before the addresses of rows {rows}.}} */
    readonly httpsAdded: (values: { readonly count: number; readonly rows: string }) => string;
    /** {count, plural, one {The address of row {rows} is linked to another address in the spreadsheet. The one that is shown is taken.} other {The addresses of rows {rows} are linked to another address in the spreadsheet. The one that is shown is taken.}} */
    readonly linkDiffers: (values: { readonly count: number; readonly rows: string }) => string;
    /** {rows, plural, one {All # row lead to {destination}.} other {All # rows lead to {destination}.}} */
    readonly oneDestination: (values: { readonly rows: number; readonly destination: string }) => string;
    /** {count, plural, one {Only phones in your network, or none, can open the address of row {rows}.} other {Only phones in your network, or none, can open the addresses of rows {rows}.}} */
    readonly onlyYourNetwork: (values: { readonly count: number; readonly rows: string }) => string;
    /** {count, plural, one {The address of row {rows} has {parameter} already, and keeps its own value.} other {The addresses of rows {rows} have {parameter} already, and keep their own values.}} */
    readonly parameterThere: (values: { readonly count: number; readonly rows: string; readonly parameter: string }) => string;
    /** {count, plural, one {The utm parameters are not in the address of row {rows}. Add them when you correct it.} other {The utm parameters are not in the addresses of rows {rows}. Add them when you correct it.}} */
    readonly parametersNotAdded: (values: { readonly count: number; readonly rows: string }) => string;
    /** The column "{column}" is taken as the destination, because it has the addresses. */
    readonly columnTaken: (values: { readonly column: string }) => string;
    /** Row {row}, "{text}", is read as the names of the columns. */
    readonly headerRow: (values: { readonly row: string; readonly text: string }) => string;
  };
  readonly encodings: {
    /** Western European, {encoding} */
    readonly westernEuropean: (values: { readonly encoding: string }) => string;
    /** Central European, {encoding} */
    readonly centralEuropean: (values: { readonly encoding: string }) => string;
    /** Baltic, {encoding} */
    readonly baltic: (values: { readonly encoding: string }) => string;
    /** Cyrillic, {encoding} */
    readonly cyrillic: (values: { readonly encoding: string }) => string;
    /** Greek, {encoding} */
    readonly greek: (values: { readonly encoding: string }) => string;
    /** Turkish, {encoding} */
    readonly turkish: (values: { readonly encoding: string }) => string;
    /** Hebrew, {encoding} */
    readonly hebrew: (values: { readonly encoding: string }) => string;
    /** Arabic, {encoding} */
    readonly arabic: (values: { readonly encoding: string }) => string;
    /** Vietnamese, {encoding} */
    readonly vietnamese: (values: { readonly encoding: string }) => string;
    /** Thai, {encoding} */
    readonly thai: (values: { readonly encoding: string }) => string;
    /** Japanese, {encoding} */
    readonly japanese: (values: { readonly encoding: string }) => string;
    /** Chinese, {encoding} */
    readonly chinese: (values: { readonly encoding: string }) => string;
    /** Traditional Chinese, {encoding} */
    readonly traditionalChinese: (values: { readonly encoding: string }) => string;
    /** Korean, {encoding} */
    readonly korean: (values: { readonly encoding: string }) => string;
    /** Unicode, {encoding} */
    readonly unicode: (values: { readonly encoding: string }) => string;
    /** Western European, old Mac */
    readonly westernOldMac: string;
    /** Cyrillic, old Mac */
    readonly cyrillicOldMac: string;
  };
  readonly rowReasons: {
    /** A comma or another separator within a text splits this row. Put the text into quotation marks. */
    readonly splitRow: string;
    /** The address ends with “{ellipsis}”, so a program has shortened it. Put the whole address into the cell. */
    readonly shortened: (values: { readonly ellipsis: string }) => string;
    /** {column, select, name {The name was copied from HTML and has “{text}” in place of a character.} note {The note was copied from HTML and has “{text}” in place of a character.} folder {The folder was copied from HTML and has “{text}” in place of a character.} path {The path was copied from HTML and has “{text}” in place of a character.} query {The query was copied from HTML and has “{text}” in place of a character.} other {}} Correct it. */
    readonly labelFromHtml: (values: { readonly column: 'folder' | 'name' | 'note' | 'path' | 'query'; readonly text: string }) => string;
    /** The address was copied from HTML. Write & in place of &amp;: {meant} */
    readonly destinationFromHtml: (values: { readonly meant: string }) => string;
    /** {column, select, name {The name has “{text}” in place of a character that was lost.} note {The note has “{text}” in place of a character that was lost.} folder {The folder has “{text}” in place of a character that was lost.} path {The path has “{text}” in place of a character that was lost.} query {The query has “{text}” in place of a character that was lost.} other {}} Correct it. */
    readonly lostCharacters: (values: { readonly column: 'folder' | 'name' | 'note' | 'path' | 'query'; readonly text: string }) => string;
    /** {column, select, name {The name “{text}” was “{meant}” before a program read it in a wrong encoding.} note {The note “{text}” was “{meant}” before a program read it in a wrong encoding.} folder {The folder “{text}” was “{meant}” before a program read it in a wrong encoding.} path {The path “{text}” was “{meant}” before a program read it in a wrong encoding.} query {The query “{text}” was “{meant}” before a program read it in a wrong encoding.} other {}} Correct it. */
    readonly misread: (values: { readonly column: 'folder' | 'name' | 'note' | 'path' | 'query'; readonly text: string; readonly meant: string }) => string;
    /** The link is computed. Put the address itself into a cell. */
    readonly computedLink: string;
    /** {column, select, destination {The cell of the destination shows {text}.} name {The cell of the name shows {text}.} note {The cell of the note shows {text}.} folder {The cell of the folder shows {text}.} path {The cell of the path shows {text}.} query {The cell of the query shows {text}.} domain {The cell of the domain shows {text}.} other {}} {isTooNarrow, select, true {Widen its column, save it, and use that file.} false {Correct its formula.} other {}} */
    readonly errorInCell: (values: { readonly column: 'destination' | 'domain' | 'folder' | 'name' | 'note' | 'path' | 'query'; readonly text: string; readonly isTooNarrow: boolean }) => string;
    /** The cell of the {header} shows {text}. {isTooNarrow, select, true {Widen its column, save it, and use that file.} false {Correct its formula.} other {}} */
    readonly errorInCellOf: (values: { readonly header: string; readonly text: string; readonly isTooNarrow: boolean }) => string;
    /** {column, select, destination {The cell of the destination has a formula whose result is not in the file.} name {The cell of the name has a formula whose result is not in the file.} note {The cell of the note has a formula whose result is not in the file.} folder {The cell of the folder has a formula whose result is not in the file.} path {The cell of the path has a formula whose result is not in the file.} query {The cell of the query has a formula whose result is not in the file.} domain {The cell of the domain has a formula whose result is not in the file.} other {}} Open the file in a spreadsheet, save it, and use that file. */
    readonly noResult: (values: { readonly column: 'destination' | 'domain' | 'folder' | 'name' | 'note' | 'path' | 'query' }) => string;
    /** The cell of the {header} has a formula whose result is not in the file. Open the file in a spreadsheet, save it, and use that file. */
    readonly noResultOf: (values: { readonly header: string }) => string;
    /** A quotation mark is not closed, or text follows it. */
    readonly notClosed: string;
    /** Row {row} has the same name and destination. */
    readonly sameAsRow: (values: { readonly row: string }) => string;
    /** Row {row} has the same path. */
    readonly samePath: (values: { readonly row: string }) => string;
    /** A code with this name and destination exists already. */
    readonly codeExists: string;
    /** You left it out. */
    readonly leftOut: string;
    /** The server could not create this code, and its log says why. */
    readonly failed: string;
    /** Where should this code lead? */
    readonly noDestination: string;
  };
  readonly tableReasons: {
    /** These codes are being created already. */
    readonly started: string;
    /** The file is not kept any more. Choose it again. */
    readonly fileGone: string;
    /** Every row has a problem, so no code was created. */
    readonly everyRowWrong: string;
    /** {wrong, plural, one {# of {rows, number} rows has a problem, so no code was created. Correct it, or create the others only.} other {# of {rows, number} rows have a problem, so no code was created. Correct them, or create the others only.}} */
    readonly rowsWrong: (values: { readonly wrong: number; readonly rows: number }) => string;
    /** The codes of all rows exist already, so no code was created. */
    readonly allExist: string;
    /** Every row is left out, so no code was created. */
    readonly allLeftOut: string;
    /** Stopped by the account holder. */
    readonly stopped: string;
    /** This needs an active plan. Printed codes keep working. */
    readonly needsPlan: string;
  };
  readonly logoReasons: {
    /** The file is empty. Choose a PNG or JPEG. */
    readonly empty: string;
    /** {bytes, plural, one {The file has # byte; a logo may have {maxBytes, number}.} other {The file has # bytes; a logo may have {maxBytes, number}.}} Reduce it to 512 × 512 pixels and save it as PNG. */
    readonly tooLarge: (values: { readonly bytes: number; readonly maxBytes: number }) => string;
    /** The picture takes too long to read. Reduce it to 512 × 512 pixels and save it as PNG. */
    readonly takesTooLong: string;
    /** {times, plural, one {The logo is more than # time as long as it is wide.} other {The logo is more than # times as long as it is wide.}} Crop it to a more compact shape. */
    readonly tooLong: (values: { readonly times: number }) => string;
    /** The logo is fully transparent. Check that the right layers were exported. */
    readonly transparent: string;
    /** The logo is only {widthPx, number} × {heightPx, number} pixels. {minSidePx, plural, one {Choose one of at least # pixel a side; 256 or more look good.} other {Choose one of at least # pixels a side; 256 or more look good.}} */
    readonly tooSmall: (values: { readonly widthPx: number; readonly heightPx: number; readonly minSidePx: number }) => string;
    /** The file is not a plain PNG or JPEG. Choose it in the panel with JavaScript on, where your browser draws SVG, WebP, AVIF, GIF and others, or save it as PNG. */
    readonly otherKind: string;
    /** The colours of the picture are not sRGB. Choose it in the panel with JavaScript on, where your browser converts them, or save it as PNG in sRGB. */
    readonly otherColours: string;
    /** The logo is too large. Reduce it to at most 4,096 × 4,096 pixels; 512 × 512 are enough. */
    readonly tooManyPixels: string;
    /** The picture is damaged or incomplete. Save the logo again as PNG and choose the new file. */
    readonly damaged: string;
  };
  readonly readability: {
    /** Light on dark: many phones expect dark on light. Make the pattern darker than the background. */
    readonly inverted: string;
    /** The corners are lighter than the background, so that scanners do not find the code. Make them darker. */
    readonly cornersLighter: string;
    /** The corners are much paler than the squares, so that scanners take them for background. Make them as dark as the squares. */
    readonly cornersPaler: string;
    /** The squares are much paler than the corners or the logo, so that scanners take them for background. Make the pattern darker. */
    readonly squaresPaler: string;
    /** The corners are too close to the background ({measure, select, symbolContrast {symbol contrast {percent, number} %, at least {neededPercent, number} % is needed} printContrast {print contrast signal {percent, number} %, at least {neededPercent, number} % is needed} other {}}). Make them darker. */
    readonly cornersTooClose: (values: { readonly measure: 'printContrast' | 'symbolContrast'; readonly percent: number; readonly neededPercent: number }) => string;
    /** Pattern and background are too close ({measure, select, symbolContrast {symbol contrast {percent, number} %, at least {neededPercent, number} % is needed} printContrast {print contrast signal {percent, number} %, at least {neededPercent, number} % is needed} other {}}). Make the pattern darker or the background lighter. */
    readonly patternTooClose: (values: { readonly measure: 'printContrast' | 'symbolContrast'; readonly percent: number; readonly neededPercent: number }) => string;
    /** {squares, plural, one {The margin is # square wide; scanners need {needed, number}.} other {The margin is # squares wide; scanners need {needed, number}.}} */
    readonly marginTooNarrow: (values: { readonly squares: number; readonly needed: number }) => string;
    /** The logo hides too much: {hiddenPercent, number} % of the code, which uses {errorCorrectionPercent, number} % of the error correction where it is hit worst and leaves too little for dirt and scratches. Make it smaller. */
    readonly logoHidesTooMuch: (values: { readonly hiddenPercent: number; readonly errorCorrectionPercent: number }) => string;
    /** The logo reaches into the corners and edges that scanners need to find the code. Make it smaller. */
    readonly logoReachesCorners: string;
    /** The logo hides the small square at the lower right that scanners align to. Make it smaller. */
    readonly logoHidesAlignment: string;
    /** Part of the logo looks like a small square of the code in the wrong place, which misleads scanners. Use a smaller logo, or put a space behind it. */
    readonly logoLikeAlignment: string;
    /** The logo is a code itself, and a phone may open that one instead. Use a logo without a code. */
    readonly logoIsCode: string;
    /** {scans, plural, one {The one simulated scan did not read the link.} other {None of # simulated scans read the link.}} */
    readonly noScanReadIt: (values: { readonly scans: number }) => string;
    /** The SVG cannot be read as another program draws it, although our own picture can. Choose other shapes or colours, and tell the operator: it is a fault of Waymark. */
    readonly notReadAsSvg: string;
    /** {how, select, smaller {The logo is drawn at {sizePercent, number} % of the size you set, because some scanners would mistake part of it for a part of the code.} moved {The logo is drawn slightly off-centre, because some scanners would mistake part of it for a part of the code.} smallerAndMoved {The logo is drawn at {sizePercent, number} % of the size you set and slightly off-centre, because some scanners would mistake part of it for a part of the code.} other {}} This placement is chosen for each code and does not change later. */
    readonly logoPlaced: (values: { readonly how: 'moved' | 'smaller' | 'smallerAndMoved'; readonly sizePercent: number }) => string;
    /** The contrast is low: most phones read the code, some older scanners do not. */
    readonly lowContrast: string;
    /** Some colours are much paler than others: in poor light some scanners lose them. */
    readonly someColoursPale: string;
    /** The logo uses {percent, number} % of the error correction: keep the print clean, or make the logo smaller. */
    readonly errorCorrectionUsed: (values: { readonly percent: number }) => string;
    /** {isDefault, select, true {Your default design does not produce a readable code.} false {The chosen design does not produce a readable code.} other {}} */
    readonly designUnreadable: (values: { readonly isDefault: boolean }) => string;
  };
  readonly unreadable: {
    /** {design, select, default {Phones can’t read your default design.} named {Phones can’t read “{name}”.} other {}} */
    readonly design: (values: { readonly design: 'default' | 'named'; readonly name: string }) => string;
    /** {design, select, shown {The {colour} is too pale for the white behind it.} default {Phones can’t read your default design: its {colour} is too pale for the white behind it.} named {Phones can’t read “{name}”: its {colour} is too pale for the white behind it.} other {}} */
    readonly patternTooPale: (values: { readonly design: 'default' | 'named' | 'shown'; readonly colour: string; readonly name: string }) => string;
    /** {design, select, shown {The {colour} is too close to the {background} behind it.} default {Phones can’t read your default design: its {colour} is too close to the {background} behind it.} named {Phones can’t read “{name}”: its {colour} is too close to the {background} behind it.} other {}} */
    readonly patternTooClose: (values: { readonly design: 'default' | 'named' | 'shown'; readonly colour: string; readonly background: string; readonly name: string }) => string;
    /** {design, select, shown {The {colour} of the corners is too pale for the white behind it.} default {Phones can’t read your default design: its {colour} of the corners is too pale for the white behind it.} named {Phones can’t read “{name}”: its {colour} of the corners is too pale for the white behind it.} other {}} */
    readonly cornersTooPale: (values: { readonly design: 'default' | 'named' | 'shown'; readonly colour: string; readonly name: string }) => string;
    /** {design, select, shown {The {colour} of the corners is too close to the {background} behind it.} default {Phones can’t read your default design: its {colour} of the corners is too close to the {background} behind it.} named {Phones can’t read “{name}”: its {colour} of the corners is too close to the {background} behind it.} other {}} */
    readonly cornersTooClose: (values: { readonly design: 'default' | 'named' | 'shown'; readonly colour: string; readonly background: string; readonly name: string }) => string;
    /** {design, select, shown {The logo covers too much of the pattern.} default {Phones can’t read your default design: its logo covers too much of the pattern.} named {Phones can’t read “{name}”: its logo covers too much of the pattern.} other {}} */
    readonly logoCoversTooMuch: (values: { readonly design: 'default' | 'named' | 'shown'; readonly name: string }) => string;
    /** {design, select, shown {The margin is too narrow.} default {Phones can’t read your default design: its margin is too narrow.} named {Phones can’t read “{name}”: its margin is too narrow.} other {}} */
    readonly marginTooNarrow: (values: { readonly design: 'default' | 'named' | 'shown'; readonly name: string }) => string;
    /** {design, select, shown {The code was not read in any simulated scan.} default {Phones can’t read your default design: its code was not read in any simulated scan.} named {Phones can’t read “{name}”: its code was not read in any simulated scan.} other {}} */
    readonly noScanReadIt: (values: { readonly design: 'default' | 'named' | 'shown'; readonly name: string }) => string;
  };
  readonly colours: {
    /** {colour, select, white {white} black {black} lightGrey {light grey} grey {grey} darkGrey {dark grey} red {red} orange {orange} brown {brown} yellow {yellow} green {green} turquoise {turquoise} blue {blue} purple {purple} pink {pink} other {}} */
    readonly name: (values: { readonly colour: 'black' | 'blue' | 'brown' | 'darkGrey' | 'green' | 'grey' | 'lightGrey' | 'orange' | 'pink' | 'purple' | 'red' | 'turquoise' | 'white' | 'yellow' }) => string;
  };
  readonly designChanges: {
    /** This passes: {changes}. */
    readonly advice: (values: { readonly changes: string }) => string;
    /** {setting, select, foreground {pattern {to} instead of {from}} background {background {to} instead of {from}} moduleShape {pattern shape {to} instead of {from}} finderShape {corner shape {to} instead of {from}} finderColor {corner colour {to} instead of {from}} logoSizePercent {logo size {to} instead of {from}} logoPatch {space behind the logo {to} instead of {from}} quietZoneModules {margin {to} instead of {from}} captionPlace {place of the caption {to} instead of {from}} other {}} */
    readonly advised: (values: { readonly setting: 'background' | 'captionPlace' | 'finderColor' | 'finderShape' | 'foreground' | 'logoPatch' | 'logoSizePercent' | 'moduleShape' | 'quietZoneModules'; readonly to: string; readonly from: string }) => string;
    /** {setting, select, foreground {Pattern changed from {from} to {to}.} background {Background changed from {from} to {to}.} moduleShape {Pattern shape changed from {from} to {to}.} finderShape {Corner shape changed from {from} to {to}.} finderColor {Corner colour changed from {from} to {to}.} logoSizePercent {Logo size changed from {from} to {to}.} logoPatch {Space behind the logo changed from {from} to {to}.} quietZoneModules {Margin changed from {from} to {to}.} captionPlace {Place of the caption changed from {from} to {to}.} other {}} */
    readonly changed: (values: { readonly setting: 'background' | 'captionPlace' | 'finderColor' | 'finderShape' | 'foreground' | 'logoPatch' | 'logoSizePercent' | 'moduleShape' | 'quietZoneModules'; readonly from: string; readonly to: string }) => string;
    /** {how, select, removed {The caption is removed.} new {The caption is new.} another {The caption is another one.} other {}} */
    readonly captionChanged: (values: { readonly how: 'another' | 'new' | 'removed' }) => string;
    /** the colour of the pattern */
    readonly colourOfPattern: string;
    /** {shape, select, square {square} rounded {rounded} dots {dots} circle {circle} other {}} */
    readonly shapeName: (values: { readonly shape: 'circle' | 'dots' | 'rounded' | 'square' }) => string;
    /** {space, select, none {none} square {square} circle {circle} other {}} */
    readonly spaceName: (values: { readonly space: 'circle' | 'none' | 'square' }) => string;
    /** {place, select, below {below} above {above} other {}} */
    readonly placeName: (values: { readonly place: 'above' | 'below' }) => string;
  };
  readonly labelReasons: {
    /** {label, select, name {A name is one line of text, without tabs or control characters.} folder {A folder is one line of text, without tabs or control characters.} businessName {A business name is one line of text, without tabs or control characters.} reason {A reason is one line of text, without tabs or control characters.} other {}} */
    readonly severalLines: (values: { readonly label: 'businessName' | 'folder' | 'name' | 'reason' }) => string;
    /** {label, select, note {A note can’t have control characters.} message {A message can’t have control characters.} other {}} */
    readonly controlCharacters: (values: { readonly label: 'message' | 'note' }) => string;
    /** {label, select, name {There is a broken character in the name.} note {There is a broken character in the note.} folder {There is a broken character in the folder.} businessName {There is a broken character in the business name.} message {There is a broken character in the message.} reason {There is a broken character in the reason.} other {}} */
    readonly brokenCharacter: (values: { readonly label: 'businessName' | 'folder' | 'message' | 'name' | 'note' | 'reason' }) => string;
    /** {label, select, name {The name is too long} note {The note is too long} folder {The folder is too long} businessName {The business name is too long} message {The message is too long} reason {The reason is too long} other {}}: {chars, plural, one {at most # character is possible} other {at most # characters are possible}}. */
    readonly tooLong: (values: { readonly label: 'businessName' | 'folder' | 'message' | 'name' | 'note' | 'reason'; readonly chars: number }) => string;
    /** Write {on} or {off}. */
    readonly writeOnOrOff: (values: { readonly on: string; readonly off: string }) => string;
  };
  readonly destinationReasons: {
    /** Enter the address that opens, such as https://example.com/menu. */
    readonly missing: string;
    /** {chars, plural, one {The destination is longer than # character. Use a shorter one.} other {The destination is longer than # characters. Use a shorter one.}} */
    readonly tooLong: (values: { readonly chars: number }) => string;
    /** The destination begins with https:// or http:// twice. */
    readonly twoSchemes: string;
    /** There is a space or a control character in the destination. Write %20 for a space. */
    readonly space: string;
    /** There is a broken character in the destination. Copy it again. */
    readonly brokenCharacter: string;
    /** There is a space in the host name. Remove it. */
    readonly spaceInHost: string;
    /** The destination begins or ends with a space or an invisible character. Remove it. */
    readonly invisibleAtEnd: string;
    /** There is an invisible mark in the destination that changes the direction of text. Remove it. */
    readonly directionMark: string;
    /** There is a backslash in the destination. Write / or, if it is meant, %5C. */
    readonly backslash: string;
    /** The destination must not have a user name or password. */
    readonly userName: string;
    /** The destination has no host name, such as example.com. */
    readonly noHost: string;
    /** There is a comma in the host name. */
    readonly commaInHost: string;
    /** The host name is percent-encoded. Write it in plain characters. */
    readonly encodedHost: string;
    /** The destination has no valid host name or port. */
    readonly noValidHost: string;
    /** The port is 0, at which nothing can be reached. */
    readonly portZero: string;
    /** The host name has a dot too many. */
    readonly dotTooMany: string;
    /** The host is an unusual spelling of an IP address. Write four numbers, such as 192.0.2.7. */
    readonly unusualIp: string;
    /** The host name has characters that browsers replace or drop. */
    readonly replacedCharacters: string;
    /** {chars, plural, one {A part of the host name is longer than # character.} other {A part of the host name is longer than # characters.}} */
    readonly longLabel: (values: { readonly chars: number }) => string;
    /** {chars, plural, one {The host name is longer than # character.} other {The host name is longer than # characters.}} */
    readonly longHost: (values: { readonly chars: number }) => string;
    /** The host name has a character or a hyphen where it can’t have one. */
    readonly noHostName: string;
    /** The destination must begin with http:// or https://. */
    readonly otherScheme: string;
    /** The colon after http or https is missing. */
    readonly colonMissing: string;
    /** This is no address: there is a space in it. An address must begin with http:// or https://. */
    readonly spaceInText: string;
    /** “localhost” is the phone itself. Use an address that phones can open. */
    readonly localhost: string;
    /** “{host}” is not a complete host name. Write it with its ending, such as example.com. */
    readonly incompleteHost: (values: { readonly host: string }) => string;
    /** This is no address that a browser opens. It must begin with http:// or https://. */
    readonly noAddress: string;
    /** Did you mean {address}? */
    readonly didYouMean: (values: { readonly address: string }) => string;
    /** "{text}" may be a file or a name. If it is an address, write https:// before it. */
    readonly likeFile: (values: { readonly text: string }) => string;
    /** This is a short link of this server, and would redirect in a loop. */
    readonly shortLink: string;
    /** This is an imported link of this server, and could redirect in a loop. */
    readonly importedLink: string;
    /** {source, select, operator {The destination is flagged as dangerous: the operator of this server has blocked “{address}”.} builtIn {The destination is flagged as dangerous: “{address}” is a published test address.} remote {The destination is flagged as dangerous: the remote check “{list}” flags “{address}”.} imported {The destination is flagged as dangerous: “{address}” is on the list “{list}”.} other {}} */
    readonly flagged: (values: { readonly source: 'builtIn' | 'imported' | 'operator' | 'remote'; readonly address: string; readonly list: string }) => string;
    /** The destination cannot be checked right now; nothing was changed. Try again shortly. */
    readonly cannotBeChecked: string;
  };
  readonly codeReasons: {
    /** There is no such code, or you do not have access to it. */
    readonly noSuchCode: string;
    /** Waymark has no image of an imported link. It was printed by another service. */
    readonly noImage: string;
    /** There is no such table any more. */
    readonly noSuchTable: string;
    /** Enter a name for the folder. */
    readonly folderWithoutName: string;
    /** {codes, plural, one {Only the first # code of this list can be sorted. Use an earlier page, a search or a filter.} other {Only the first # codes of this list can be sorted. Use an earlier page, a search or a filter.}} */
    readonly sortedTooFar: (values: { readonly codes: number }) => string;
    /** There is no saved design named “{name}”. */
    readonly noSuchDesign: (values: { readonly name: string }) => string;
    /** Another saved design is named “{name}”. */
    readonly designExists: (values: { readonly name: string }) => string;
    /** Enter a name for the design. */
    readonly designWithoutName: string;
  };
  readonly bulkEditReasons: {
    /** There is no bulk edit to undo. */
    readonly nothingToUndo: string;
    /** The earlier destination of {code} is rejected now, so nothing was undone. */
    readonly earlierRejected: (values: { readonly code: string }) => string;
    /** The operator of this server has blocked it. */
    readonly blocked: string;
    /** Nothing would be left of the destination. */
    readonly nothingLeft: string;
    /** Somebody changed it meanwhile. */
    readonly changedMeanwhile: string;
    /** Somebody stopped it. */
    readonly stopped: string;
    /** The person who started it may not change codes of this account any more. */
    readonly editorWithoutRight: string;
    /** Another change of many codes is running, or was interrupted. Try again in a minute. */
    readonly running: string;
    /** Enter the part of the destination that is to be replaced. */
    readonly nothingToReplace: string;
    /** {max, plural, one {More than # code is selected. Search for a part of them, and repeat the change for the others.} other {More than # codes are selected. Search for a part of them, and repeat the change for the others.}} */
    readonly tooManySelected: (values: { readonly max: number }) => string;
    /** {changed, plural, one {# of the {codes, number} codes was changed since, so this can’t be undone.} other {# of the {codes, number} codes were changed since, so this can’t be undone.}} */
    readonly changedSince: (values: { readonly changed: number; readonly codes: number }) => string;
    /** The code was changed since, so this can’t be undone. */
    readonly oneChangedSince: string;
  };
  readonly client: {
    /** Copied */
    readonly copied: string;
    /** Not possible */
    readonly notPossible: string;
    /** Press Ctrl+C */
    readonly pressCtrlC: string;
    /** Throw away what you typed? */
    readonly throwAwayQuestion: string;
    /** Keep typing */
    readonly keepTyping: string;
    /** Throw away */
    readonly throwAway: string;
    /** Show */
    readonly showPassword: string;
    /** Hide */
    readonly hidePassword: string;
    /** Undo */
    readonly undo: string;
    /** No codes found */
    readonly noCodesFound: string;
    /** {codes, plural, one {# code} other {# codes}} */
    readonly codes: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {The first # code} other {The first # codes}} */
    readonly firstCodes: (values: { readonly codes: number }) => string;
    /** {codes, number} selected */
    readonly selected: (values: { readonly codes: number }) => string;
    /** All {codes, number} selected */
    readonly allSelected: (values: { readonly codes: number }) => string;
    /** All that match selected */
    readonly allThatMatchSelected: string;
    /** {codes, plural, one {# code deselected.} other {# codes deselected.}} */
    readonly deselected: (values: { readonly codes: number }) => string;
    /** All {codes, number} deselected. */
    readonly allDeselected: (values: { readonly codes: number }) => string;
    /** All that match deselected. */
    readonly allThatMatchDeselected: string;
  };
  readonly preview: {
    /** Couldn’t check */
    readonly couldNotCheck: string;
    /** {title}. {why} */
    readonly problem: (values: { readonly title: string; readonly why: string }) => string;
    /** The server did not respond. */
    readonly noResponse: string;
    /** Your session has ended. */
    readonly sessionEnded: string;
    /** Try again */
    readonly tryAgain: string;
    /** Sign in again */
    readonly signInAgain: string;
    /** Not checked yet */
    readonly notCheckedYet: string;
    /** A field is not valid. */
    readonly fieldNotValid: string;
    /** Checking… */
    readonly checking: string;
    /** The picture is from before your last change. */
    readonly pictureIsOld: string;
    /** Readability – */
    readonly readabilityUnknown: string;
    /** Unsaved changes */
    readonly unsavedChanges: string;
    /** Your logo stays as it was. */
    readonly logoStays: string;
    /** “{file}” isn’t a picture that this browser can draw. Choose a PNG, JPEG, WebP, AVIF or SVG. */
    readonly logoNoPicture: (values: { readonly file: string }) => string;
    /** “{file}” doesn’t say how large it is. Give it a width and a height, or choose a PNG. */
    readonly logoWithoutSize: (values: { readonly file: string }) => string;
    /** “{file}” has parts that this browser doesn’t let pages read. Save it as PNG and choose that. */
    readonly logoWithHiddenParts: (values: { readonly file: string }) => string;
  };
  readonly overview: {
    /** {codes, plural, one {Counting the scans of # code} other {Counting the scans of # codes}} */
    readonly countingScans: (values: { readonly codes: number }) => string;
    /** The first time, this can take a minute. The page reloads by itself. Meanwhile, go to <link>your codes</link>. */
    readonly countingWhy: <Part>(values: { readonly link: (text: string) => Part }) => (string | Part)[];
    /** As of <time></time> */
    readonly asOf: <Part>(values: { readonly time: Part }) => (string | Part)[];
    /** Today */
    readonly today: string;
    /** {days, plural, one {Last # day} other {Last # days}} */
    readonly lastDays: (values: { readonly days: number }) => string;
    /** {change, select, same {as many as yesterday at this hour} more {more than yesterday at this hour} fewer {fewer than yesterday at this hour} other {}} */
    readonly comparedWithYesterday: (values: { readonly change: 'fewer' | 'more' | 'same' }) => string;
    /** {change, select, same {as many as in the {days, number} days before} more {more than in the {days, number} days before} fewer {fewer than in the {days, number} days before} other {}} */
    readonly comparedWithDaysBefore: (values: { readonly change: 'fewer' | 'more' | 'same'; readonly days: number }) => string;
    /** Scans of all codes */
    readonly scansOfAll: string;
    /** Most scanned */
    readonly mostScanned: string;
    /** {days, plural, one {# day} other {# days}} */
    readonly ofDays: (values: { readonly days: number }) => string;
    /** All codes */
    readonly allCodes: string;
    /** No scans in the last {days, number} days. */
    readonly noScans: (values: { readonly days: number }) => string;
    /** Never scanned */
    readonly neverScanned: string;
    /** {codes, plural, one {# code} other {# codes}} */
    readonly codeCount: (values: { readonly codes: number }) => string;
    /** Show all */
    readonly showAll: string;
    /** Every code was scanned at least once. */
    readonly allWereScanned: string;
    /** created <when></when> */
    readonly created: <Part>(values: { readonly when: Part }) => (string | Part)[];
  };
  readonly firstRun: {
    /** Welcome to Waymark */
    readonly welcome: string;
    /** Three steps to a code that works on paper. */
    readonly threeSteps: string;
    /** {step}<hidden>, done</hidden> */
    readonly stepDone: <Part>(values: { readonly step: string; readonly hidden: (text: string) => Part }) => (string | Part)[];
    /** Logo and colours */
    readonly logoAndColours: string;
    /** Black on white works at once. Your own colours can’t be added to a printed code later. */
    readonly blackWorks: string;
    /** Open the design */
    readonly openDesign: string;
    /** Keep black */
    readonly keepBlack: string;
    /** Your next codes use it. */
    readonly nextCodesUseIt: string;
    /** Phones can read your design. Readability {score, number} of 100. */
    readonly readable: (values: { readonly score: number }) => string;
    /** Phones can’t read your design. No code can be created with it. */
    readonly unreadable: string;
    /** Your first code */
    readonly firstCode: string;
    /** You can change where it leads at any time. The printed code stays the same. */
    readonly changeAtAnyTime: string;
    /** Where should it lead? */
    readonly whereTo: string;
    /** Name */
    readonly codeName: string;
    /** Table 1 */
    readonly codeNameExample: string;
    /** Create code */
    readonly createCode: string;
    /** Short link: {link} */
    readonly shortLink: (values: { readonly link: string }) => string;
    /** You can create codes once this account has an active plan. */
    readonly needsPlan: string;
    /** Open */
    readonly openCode: string;
    /** <code></code> leads to {address} */
    readonly codeLeadsTo: <Part>(values: { readonly code: Part; readonly address: string }) => (string | Part)[];
    /** Scan it with your phone */
    readonly scanIt: string;
    /** Your code appears here. This page says so the moment your scan arrives. */
    readonly appearsHere: string;
    /** QR code of {name} */
    readonly pictureOf: (values: { readonly name: string }) => string;
    /** It works */
    readonly itWorks: string;
    /** <b>Scanned <when></when>.</b> Your phone went to {address}. */
    readonly scanned: <Part>(values: { readonly b: (parts: (string | Part)[]) => Part; readonly when: Part; readonly address: string }) => (string | Part)[];
    /** Waiting for the first scan… */
    readonly waiting: string;
    /** Reload after your scan */
    readonly reload: string;
    /** Change the destination whenever you like. This picture never changes. */
    readonly changeWhenever: string;
    /** Point the camera of a phone at the code and open the link. No app is needed. */
    readonly pointCamera: string;
    /** Go to the code */
    readonly goToCode: string;
    /** Create many */
    readonly createMany: string;
    /** Skip */
    readonly skip: string;
    /** Try it with this phone */
    readonly tryThisPhone: string;
    /** Open the link on this phone */
    readonly openOnThisPhone: string;
    /** It counts as the first scan. Or scan the code with another phone. */
    readonly countsAsFirst: string;
  };
  readonly attention: {
    /** Needs attention */
    readonly title: string;
    /** {codes, plural, one {# code shows a warning to visitors} other {# codes show a warning to visitors}} */
    readonly codesShowWarning: (values: { readonly codes: number }) => string;
    /** <codes></codes>: flagged by {lists}. */
    readonly flaggedBy: <Part>(values: { readonly codes: Part; readonly lists: string }) => (string | Part)[];
    /** {others, plural, one {# other} other {# others}} */
    readonly others: (values: { readonly others: number }) => string;
    /** Review */
    readonly review: string;
    /** {codes, plural, one {The operator has blocked # code} other {The operator has blocked # codes}} */
    readonly blocked: (values: { readonly codes: number }) => string;
    /** <code></code> shows a page that says so. */
    readonly showsPage: <Part>(values: { readonly code: Part }) => (string | Part)[];
    /** <code></code> shows a page that says so. Reason: <reason></reason> */
    readonly showsPageBecause: <Part>(values: { readonly code: Part; readonly reason: Part }) => (string | Part)[];
    /** They show a page that says so instead of redirecting. */
    readonly theyShowPage: string;
    /** {codes, plural, one {See it} other {See them}} */
    readonly seeCodes: (values: { readonly codes: number }) => string;
    /** Phones can’t read your default design */
    readonly unreadableDefault: string;
    /** Phones can’t read your design “{name}” */
    readonly unreadableDesign: (values: { readonly name: string }) => string;
    /** No code can be created with it. */
    readonly noCodeWithIt: string;
    /** Fix */
    readonly fixDesign: string;
    /** {days, plural, one {Your plan ends in # day} other {Your plan ends in # days}} */
    readonly planEnds: (values: { readonly days: number }) => string;
    /** Printed codes keep working. You can’t create or change codes after {date}. Ask the operator of this server to renew it. */
    readonly planEndsWhy: (values: { readonly date: string }) => string;
    /** Details */
    readonly planDetails: string;
    /** {codes, plural, one {# code stopped being scanned} other {# codes stopped being scanned}} */
    readonly stoppedBeingScanned: (values: { readonly codes: number }) => string;
    /** {codes, plural, one {Scanned before, but not in the last 30 days. Is it still up?} other {Scanned before, but not in the last 30 days. Are they still up?}} */
    readonly stillUp: (values: { readonly codes: number }) => string;
    /** {changes, plural, one {# planned change was not made} other {# planned changes were not made}} */
    readonly changesNotMade: (values: { readonly changes: number }) => string;
    /** More than {changes, number} planned changes were not made */
    readonly moreChangesNotMade: (values: { readonly changes: number }) => string;
    /** <code></code>: {problem} */
    readonly problemOfCode: <Part>(values: { readonly code: Part; readonly problem: string }) => (string | Part)[];
    /** {changes, plural, one {See it} other {See them}} */
    readonly seeChanges: (values: { readonly changes: number }) => string;
  };
  readonly scheduledDay: {
    /** Planned changes */
    readonly label: string;
    /** {day, select, today {Planned today:} tomorrow {Planned tomorrow:} other {}} */
    readonly plannedOn: (values: { readonly day: 'today' | 'tomorrow' }) => string;
    /** more than {changes, number} changes */
    readonly moreThan: (values: { readonly changes: number }) => string;
    /** All planned changes */
    readonly all: string;
  };
}
