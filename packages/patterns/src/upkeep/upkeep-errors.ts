import type { KeptTable } from '@rowkey/mapper'
import type { CataloguedIndex, CatalogueRow, IndexState } from '../catalogue/catalogue-rows.ts'
import { patternsInputError } from '../errors/codes.ts'

/** What makes an index readable, by its state. */
const NEXT_STEPS: Readonly<Record<IndexState, string>> = {
  disabled: 'It was removed: call rebuild() to have it again.',
  writeOnly: 'Call ensure() once, when every program that writes the table declares the index.',
  uniquenessPending:
    'Several entities share a value: call rebuild() with onFinding to learn which, change them, and call it again.',
  readable: '',
}

/** Says why reads may not trust an index in a state, and what to do. */
export function incomplete(state: IndexState): string {
  return `It is ${state}, so its entries may be incomplete. ${NEXT_STEPS[state]}`
}

/** Makes the error for an index or a summary that another call changed in between, or removed before. */
export function changed(
  table: string,
  { kind, name }: Pick<CataloguedIndex, 'kind' | 'name'>,
  row: CatalogueRow | undefined,
): Error {
  const next =
    row?.state === 'disabled'
      ? `${NEXT_STEPS.disabled} Or name the others in the option indexes.`
      : 'Call again, if this program should decide.'
  return patternsInputError({
    code: 'IndexStateChanged',
    message: `Another call changed ${kind} ${name} of table ${table}; it is ${row?.state ?? 'not registered'} now. ${next}`,
  })
}

/** Makes the error for a read by an index that reads may not trust. */
export function notReadable(index: string, { name }: KeptTable, why: string): Error {
  return patternsInputError({
    code: 'IndexNotReadable',
    message: `Reads of table ${name} cannot use index ${index}. ${why}`,
  })
}
