import { type EntityModel, ModelError, type RowKeeper } from '@rowkey/mapper'
import { patternsInputError } from '../errors/codes.ts'
import { beginningOf, isShared } from './row-filter.ts'

/**
 * Checks that the rows of a model and the rows that are kept with them have different RowKeys.
 *
 * @param model - the model
 * @param beginnings - what their RowKeys begin with, by what they are: `summary staff`
 * @param keepers - those that the model has already, whose rows must have other keys
 * @throws ModelError when a key could be of two of them, or has no fixed beginning
 */
export function checkBeginnings(
  model: EntityModel<object>,
  beginnings: ReadonlyMap<string, string>,
  keepers: readonly RowKeeper[],
): void {
  const own = beginningOf(model.rowKey)
  const kept = keepers.flatMap(({ beginnings: theirs = [] }) => theirs)
  const all = [
    ...beginnings,
    ...(own === '' ? [] : [['the entities', own] as const]),
    ...kept.map((text) => ['another declaration of the model', text] as const),
  ]
  for (const [name, text] of beginnings) {
    const other = all.find(([each, its]) => each !== name && isShared(text, its))
    if (text !== '' && other === undefined) continue
    const problem =
      text === ''
        ? 'Its key needs a fixed beginning that tells its rows from entities, such as key`summary_staff`.'
        : `Its keys begin with '${text}', and those of ${other?.[0]} could, too. Choose beginnings that tell them apart.`
    const place = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    throw new ModelError({ className: model.title, problem: `${place}: ${problem}` })
  }
}

/**
 * Checks that the RowKey of an entity is not one that kept rows could have: reads of the model would leave the entity out.
 *
 * @param model - the model of the entity
 * @param rowKey - its RowKey
 * @param kept - what the kept rows are, for the message, and what their RowKeys begin with
 * @throws InputError (`KeyInIndex`)
 */
export function checkOwnKey(
  { title }: EntityModel<object>,
  rowKey: string,
  { kind, beginning }: { readonly kind: string; readonly beginning: string },
): void {
  if (!rowKey.startsWith(beginning)) return
  throw patternsInputError({
    code: 'KeyInIndex',
    message: `${title}: the RowKey ${JSON.stringify(rowKey)} begins with '${beginning}', as ${kind} do. Choose another RowKey.`,
    details: { property: 'RowKey' },
  })
}
