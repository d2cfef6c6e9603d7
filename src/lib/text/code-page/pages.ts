/** A code page in which spreadsheets save CSV. */
export interface CodePage {
  /** As `TextDecoder` knows it. */
  readonly label: string;
  readonly name: string;
  /** Those that are written in it, by the regions of Windows and Mac OS. */
  readonly languages: readonly string[];
  /** Whether it is for western Europe, where one list has names of several languages. */
  readonly isWestern: boolean;
  /**
   * How much likelier than in any other page the words must be, as a logarithm.
   * A pair of letters that no word has costs about as much.
   */
  readonly minLead: number;
  /** How likely a pair of letters must be on average where no other page is possible, as a logarithm. */
  readonly minPairAlone: number;
}

const regional = { isWestern: false, minLead: 5, minPairAlone: -5 };

/** The most common one, and the one with the quotation marks and dashes of English. */
export const windows1252: CodePage = {
  label: 'windows-1252',
  name: 'Windows-1252',
  languages: ['de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'is', 'ca', 'en'],
  isWestern: true,
  minLead: 3,
  minPairAlone: -5,
};

// Its letters are symbols in the pages of Windows, so that it is rarely the only one, and easily a wrong one.
const macRoman: CodePage = {
  label: 'macintosh',
  name: 'Mac OS Roman',
  languages: ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'nb'],
  isWestern: true,
  minLead: Number.POSITIVE_INFINITY,
  minPairAlone: -3.6,
};

/** The code pages in which a text may be, the most common one first. */
export const codePages: readonly CodePage[] = [
  windows1252,
  {
    label: 'windows-1250',
    name: 'Windows-1250',
    languages: ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'sq'],
    ...regional,
  },
  {
    label: 'windows-1251',
    name: 'Windows-1251',
    languages: ['ru', 'uk', 'bg', 'sr', 'mk', 'be'],
    ...regional,
  },
  { label: 'windows-1253', name: 'Windows-1253', languages: ['el'], ...regional },
  { label: 'windows-1254', name: 'Windows-1254', languages: ['tr'], ...regional },
  { label: 'windows-1255', name: 'Windows-1255', languages: ['he'], ...regional },
  { label: 'windows-1256', name: 'Windows-1256', languages: ['ar', 'fa'], ...regional },
  { label: 'windows-1257', name: 'Windows-1257', languages: ['lt', 'lv', 'et'], ...regional },
  { label: 'windows-874', name: 'Windows-874', languages: ['th'], ...regional },
  { label: 'shift_jis', name: 'Shift_JIS', languages: ['ja'], ...regional },
  { label: 'gbk', name: 'GBK', languages: ['zh-CN'], ...regional },
  { label: 'big5', name: 'Big5', languages: ['zh-TW'], ...regional },
  { label: 'euc-kr', name: 'EUC-KR', languages: ['ko'], ...regional },
  macRoman,
];
