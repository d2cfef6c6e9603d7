import { a4, type LabelGrid, letter, type Paper } from './paper.ts';

// Where the millimetres are from: the maker, or a file of gLabels' templates (Debian package glabels-data).
type Source =
  | 'Avery'
  | 'Brother'
  | 'avery-iso'
  | 'avery-us'
  | 'zweckform-iso'
  | 'herma-iso'
  | 'dymo-other'
  | 'brother-other';

type SheetRow = readonly [
  name: string,
  maker: string,
  paper: Paper,
  columns: number,
  rows: number,
  leftMm: number,
  topMm: number,
  widthMm: number,
  heightMm: number,
  stepXMm: number,
  stepYMm: number,
  source: Source,
];

/** Sheets of labels. */
// biome-ignore format: a table, one label a line
const sheets: readonly SheetRow[] = [
  ['J8157', 'Avery', a4, 3, 11, 6, 14, 64, 24.3, 66.5, 24.3, 'avery-iso'],
  ['L7160', 'Avery', a4, 3, 7, 7.25, 15.15, 63.5, 38.1, 66, 38.1, 'Avery'],
  ['L7161', 'Avery', a4, 3, 6, 7.408, 8.114, 63.571, 46.743, 65.934, 46.743, 'avery-iso'],
  ['L7162', 'Avery', a4, 2, 8, 3.986, 12.982, 99.095, 33.902, 102.482, 33.902, 'avery-iso'],
  ['L7163', 'Avery', a4, 2, 7, 4.65, 15.15, 99.1, 38.1, 101.6, 38.1, 'Avery'],
  ['L7164', 'Avery', a4, 3, 4, 7.352, 3.528, 63.5, 71.98, 65.998, 71.98, 'avery-iso'],
  ['L7165', 'Avery', a4, 2, 4, 4.67, 13.04, 99.06, 67.73, 101.64, 67.73, 'avery-iso'],
  ['L7169', 'Avery', a4, 2, 2, 5.009, 7.056, 99.095, 138.994, 101.494, 138.994, 'avery-iso'],
  ['L7414', 'Avery', a4, 2, 5, 14.997, 18.5, 89.994, 51.999, 89.994, 51.999, 'avery-iso'],
  ['L7651', 'Avery', a4, 5, 13, 4.699, 10.901, 38.1, 21.198, 40.601, 21.198, 'avery-iso'],
  ['L7654', 'Avery', a4, 4, 10, 10, 22, 45.7, 25.4, 48.5, 25.4, 'avery-iso'],
  ['L4732', 'Avery', a4, 5, 16, 11, 13, 35.6, 16.9, 38.1, 16.9, 'avery-iso'],
  ['L4785', 'Avery', a4, 2, 5, 18, 13, 80, 50, 95, 55, 'avery-iso'],
  ['zweckform-3348', 'Avery Zweckform', a4, 3, 7, 2, 20, 67, 38, 70, 38, 'zweckform-iso'],
  ['zweckform-3474', 'Avery Zweckform', a4, 3, 8, 0, 0, 70, 37, 70, 37, 'zweckform-iso'],
  ['zweckform-3475', 'Avery Zweckform', a4, 3, 8, 0, 4.433, 70, 36.026, 70, 36.026, 'zweckform-iso'],
  ['zweckform-3477', 'Avery Zweckform', a4, 2, 7, 0, 4.93, 105, 41, 105, 41, 'zweckform-iso'],
  ['zweckform-3490', 'Avery Zweckform', a4, 3, 8, 0, 4.43, 70, 36, 70, 36, 'zweckform-iso'],
  ['zweckform-3651', 'Avery Zweckform', a4, 4, 10, 1, 1, 52, 29.5, 52, 29.5, 'zweckform-iso'],
  ['zweckform-3659', 'Avery Zweckform', a4, 2, 6, 8.001, 21.167, 96.661, 42.51, 96.661, 42.51, 'zweckform-iso'],
  ['zweckform-3669', 'Avery Zweckform', a4, 3, 5, 0, 21.519, 70, 50.8, 70, 50.8, 'zweckform-iso'],
  ['zweckform-4780', 'Avery Zweckform', a4, 4, 10, 8.114, 19.011, 48.5, 25.4, 48.5, 25.4, 'zweckform-iso'],
  ['zweckform-4781', 'Avery Zweckform', a4, 2, 6, 8, 21.53, 97, 42.3, 97, 42.3, 'zweckform-iso'],
  ['zweckform-6021', 'Avery Zweckform', a4, 4, 16, 8.5, 14, 45.999, 16.9, 48.3, 16.9, 'zweckform-iso'],
  ['zweckform-6091', 'Avery Zweckform', a4, 3, 8, 8.1, 13.23, 64.6, 33.8, 64.6, 33.825, 'zweckform-iso'],
  ['herma-4097', 'Herma', a4, 4, 12, 10, 22, 45.72, 21.2, 48.72, 21.2, 'herma-iso'],
  ['herma-4098', 'Herma', a4, 3, 9, 7.8, 15.5, 63.5, 29.6, 66.5, 29.6, 'herma-iso'],
  ['herma-4099', 'Herma', a4, 2, 5, 8, 21.5, 96, 50.8, 99, 50.8, 'herma-iso'],
  ['herma-4100', 'Herma', a4, 6, 16, 7.5, 18.5, 30.48, 16.93, 32.9, 16.93, 'herma-iso'],
  ['herma-4102', 'Herma', a4, 4, 11, 8.5, 8.5, 48.3, 25.4, 48.3, 25.4, 'herma-iso'],
  ['herma-4103', 'Herma', a4, 3, 7, 6.75, 15.5, 63.5, 38.1, 66.5, 38.1, 'herma-iso'],
  ['herma-4457', 'Herma', a4, 2, 6, 0, 5.5, 105, 48, 105, 48, 'herma-iso'],
  ['herma-4464', 'Herma', a4, 3, 8, 0, 0, 70, 37.042, 70, 37.042, 'herma-iso'],
  ['herma-4606', 'Herma', a4, 5, 13, 9.5, 10.5, 38, 21.2, 38, 21.2, 'herma-iso'],
  ['herma-4607', 'Herma', a4, 4, 16, 8.5, 14, 48.3, 16.9, 48.3, 16.9, 'herma-iso'],
  ['herma-4614', 'Herma', a4, 3, 8, 5.7, 13, 66, 33.8, 66, 33.8, 'herma-iso'],
  ['herma-4620', 'Herma', a4, 2, 8, 0, 0, 105, 37.042, 105, 37.042, 'herma-iso'],
  ['herma-4625', 'Herma', a4, 2, 7, 0, 0, 105, 42.3, 105, 42.3, 'herma-iso'],
  ['5159', 'Avery', letter, 2, 7, 3.969, 6.35, 101.6, 38.1, 106.362, 38.1, 'avery-us'],
  ['5160', 'Avery', letter, 3, 10, 4.763, 12.7, 66.675, 25.4, 69.85, 25.4, 'Avery'],
  ['5161', 'Avery', letter, 2, 10, 3.969, 12.7, 101.6, 25.4, 106.362, 25.4, 'avery-us'],
  ['5162', 'Avery', letter, 2, 7, 3.969, 21.167, 101.6, 33.867, 106.362, 33.867, 'avery-us'],
  ['5163', 'Avery', letter, 2, 5, 4.127, 12.7, 101.6, 50.8, 106.362, 50.8, 'avery-us'],
  ['5164', 'Avery', letter, 2, 3, 3.969, 12.7, 101.6, 84.667, 106.362, 84.667, 'avery-us'],
  ['5168', 'Avery', letter, 2, 2, 12.7, 12.7, 88.9, 127, 101.6, 127, 'avery-us'],
  ['5197', 'Avery', letter, 2, 6, 4.762, 25.4, 101.6, 38.1, 104.775, 38.1, 'avery-us'],
  ['5371', 'Avery', letter, 2, 5, 19.05, 12.7, 88.9, 50.8, 88.9, 50.8, 'avery-us'],
  ['5395', 'Avery', letter, 2, 4, 17.462, 14.817, 85.725, 59.267, 95.25, 63.5, 'avery-us'],
  ['6570', 'Avery', letter, 4, 8, 12.7, 12.7, 44.45, 31.75, 49.225, 31.75, 'avery-us'],
  ['6871', 'Avery', letter, 3, 6, 9.461, 28.575, 60.325, 31.75, 68.326, 38.1, 'avery-us'],
  ['6873', 'Avery', letter, 2, 4, 9.525, 28.575, 95.25, 50.8, 101.6, 57.15, 'avery-us'],
  ['6874', 'Avery', letter, 2, 3, 9.525, 15.875, 95.25, 76.2, 101.6, 85.725, 'avery-us'],
  ['6879', 'Avery', letter, 2, 6, 9.525, 28.575, 95.25, 31.75, 101.6, 38.1, 'avery-us'],
  ['8160', 'Avery', letter, 3, 10, 4.763, 12.7, 66.675, 25.4, 69.85, 25.4, 'Avery'],
  ['8161', 'Avery', letter, 2, 10, 3.969, 12.7, 101.6, 25.4, 106.362, 25.4, 'avery-us'],
  ['8162', 'Avery', letter, 2, 7, 3.969, 21.167, 101.6, 33.867, 106.362, 33.867, 'avery-us'],
  ['8163', 'Avery', letter, 2, 5, 4.127, 12.7, 101.6, 50.8, 106.362, 50.8, 'avery-us'],
  ['8164', 'Avery', letter, 2, 3, 3.969, 12.7, 101.6, 84.667, 106.362, 84.667, 'avery-us'],
  ['8195', 'Avery', letter, 4, 15, 7.544, 13.487, 44.45, 16.916, 51.587, 16.916, 'avery-us'],
  ['3274.1', 'Avery', letter, 3, 3, 7.938, 31.75, 63.5, 63.5, 68.263, 76.2, 'avery-us'],
  ['22806', 'Avery', letter, 3, 4, 15.875, 15.875, 50.8, 50.8, 66.675, 65.617, 'Avery'],
];

/** Labels of thermal printers, one a page. */
// biome-ignore format: a table, one label a line
const rolls: readonly (readonly [name: string, maker: string, widthMm: number, heightMm: number, source: Source])[] = [
  ['dymo-11352', 'Dymo', 25, 54, 'dymo-other'],
  ['dymo-11353', 'Dymo', 13, 25, 'dymo-other'],
  ['dymo-11354', 'Dymo', 32, 57, 'dymo-other'],
  ['dymo-11355', 'Dymo', 19, 51, 'dymo-other'],
  ['dymo-11356', 'Dymo', 41, 89, 'dymo-other'],
  ['dymo-30256', 'Dymo', 59, 102, 'dymo-other'],
  ['dymo-30258', 'Dymo', 54, 70, 'dymo-other'],
  ['dymo-30332', 'Dymo', 25, 25, 'dymo-other'],
  ['dymo-30374', 'Dymo', 51, 89, 'dymo-other'],
  ['dymo-99010', 'Dymo', 28, 89, 'dymo-other'],
  ['dymo-99012', 'Dymo', 36, 89, 'dymo-other'],
  ['dymo-99014', 'Dymo', 54, 101, 'dymo-other'],
  ['dymo-99015', 'Dymo', 54, 70, 'dymo-other'],
  ['DK-11201', 'Brother', 29, 90, 'brother-other'],
  ['DK-11202', 'Brother', 62, 100, 'brother-other'],
  ['DK-11204', 'Brother', 17, 54, 'brother-other'],
  ['DK-11208', 'Brother', 38, 90, 'brother-other'],
  ['DK-11209', 'Brother', 62, 29, 'Brother'],
  ['DK-11221', 'Brother', 23, 23, 'Brother'],
];

/** A label that is sold. */
export interface Preset extends LabelGrid {
  readonly name: string;
  readonly maker: string;
  /** Whether it is for thermal printers. */
  readonly isRoll: boolean;
  readonly source: Source;
}

// Sheets and rolls shift in the printer by about a millimetre.
export const labelPaddingMm = 1;

/** Labels of common makers, by name. */
export const presets: readonly Preset[] = [
  ...sheets.map(([name, maker, paper, columns, rows, ...rest]): Preset => {
    const [leftMm, topMm, labelWidthMm, labelHeightMm, stepXMm, stepYMm, source] = rest;
    const grid = { columns, rows, leftMm, topMm, stepXMm, stepYMm };
    const label = { labelWidthMm, labelHeightMm, paddingMm: labelPaddingMm };
    return { name, maker, source, isRoll: false, ...paper, ...grid, ...label };
  }),
  ...rolls.map(
    ([name, maker, widthMm, heightMm, source]): Preset => ({
      ...{ name, maker, source, isRoll: true, columns: 1, rows: 1, paddingMm: labelPaddingMm },
      ...{ pageWidthMm: widthMm, pageHeightMm: heightMm },
      ...{ labelWidthMm: widthMm, labelHeightMm: heightMm },
      ...{ leftMm: 0, topMm: 0, stepXMm: 0, stepYMm: 0 },
    }),
  ),
];
