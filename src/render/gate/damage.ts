import type { Placement } from './placement.ts';

/** What wrong modules do to the codewords. */
export interface Damage {
  /** Of what each Reed-Solomon block can repair, how much is used up in the worst one. */
  readonly damage: number;
  /** Codewords that could still go wrong, over all blocks; negative when some block is beyond repair. */
  readonly spare: number;
}

/**
 * A codeword is lost when one of its modules is; each block repairs so many and no more.
 *
 * @param wrong 1 for each module that is read wrong, row by row
 */
export function damageOf(placement: Placement, wrong: Uint8Array): Damage {
  const lost = new Uint8Array(placement.blockOf.length);
  for (let module = 0; module < wrong.length; module++) {
    const codeword = placement.codewordOf[module] ?? -1;
    if (wrong[module] === 1 && codeword >= 0) lost[codeword] = 1;
  }
  const byBlock = new Float32Array(placement.blocks);
  for (let codeword = 0; codeword < lost.length; codeword++) {
    const block = placement.blockOf[codeword] ?? 0;
    byBlock[block] = (byBlock[block] ?? 0) + (lost[codeword] ?? 0);
  }
  const worst = Math.max(...byBlock);
  const total = byBlock.reduce((sum, count) => sum + count, 0);
  const left = placement.repairable * placement.blocks - total;
  return {
    damage: worst / placement.repairable,
    spare: worst > placement.repairable ? Math.min(-1, left) : left,
  };
}
