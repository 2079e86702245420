import sortedBTree from 'sorted-btree'

type BTreeModule = typeof sortedBTree

/**
 * sorted-btree's one class. The package is CommonJS with a default export: Node gives its whole
 * `module.exports` as the default import, most bundlers the class itself.
 */
export const BTree: BTreeModule['default'] = sortedBTree.default ?? sortedBTree

/** Orders strings by UTF-16 code units, as the service does. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
