// Written by release/catalogue.ts.

/** The sentences of a language. */
export interface Texts {
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
}
