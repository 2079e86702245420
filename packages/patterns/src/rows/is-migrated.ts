import type { EntityModel, RowTransition } from '@rowkey/mapper'

/** Tells whether a write stored a row in another version of its model. Codecs migrate, so they read the same values before and after. */
export function isMigrated(
  { version }: EntityModel<object>,
  { before, after }: RowTransition,
): boolean {
  if (version === undefined || before === undefined || after === undefined) return false
  return (before[version.property] ?? 1) !== (after[version.property] ?? 1)
}
