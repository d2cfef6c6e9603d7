import { maxPageLogoBytes, type PausedPage } from '../../core/labels.ts';

/** A row of {@link selectPausedPage}. */
export interface PausedPageRow {
  readonly business: string | null;
  readonly message: string | null;
  readonly link: string | null;
  readonly logo: Uint8Array | null;
}

/**
 * Returns the query of what the page of a paused code shows of its account.
 * It fails on schemas of earlier versions, which lack the columns: then there is nothing to show.
 *
 * @param id placeholder of the code's id
 */
export function selectPausedPage(id: string): string {
  return `SELECT accounts.business_name AS business,
    coalesce(qrs.paused_message, accounts.paused_message) AS message,
    CASE WHEN accounts.paused_link_flagged THEN NULL ELSE accounts.paused_link END AS link,
    CASE WHEN length(designs.logo_png) <= ${maxPageLogoBytes} THEN designs.logo_png END AS logo
    FROM qrs JOIN accounts ON accounts.id = qrs.account_id
    LEFT JOIN designs ON designs.id = accounts.default_design_id
    WHERE qrs.id = ${id}`;
}

/** Returns what a row of {@link selectPausedPage} says. */
export function toPausedPage({ business, ...rest }: PausedPageRow): PausedPage {
  return { businessName: business, ...rest };
}
