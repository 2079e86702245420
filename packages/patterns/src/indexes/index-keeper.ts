import type {
  EntityModel,
  KeptCall,
  KeptPlan,
  KeptTable,
  RowKeeper,
  RowPath,
  RowTransition,
} from '@rowkey/mapper'
import type { FilterNode } from '@rowkey/odata'
import type { BatchError } from '@rowkey/rest'
import { CATALOGUE, type IndexCatalogue } from '../catalogue/index-catalogue.ts'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { checkOwnKey } from '../rows/check-beginnings.ts'
import { rowFilter } from '../rows/row-filter.ts'
import { findStored } from '../rows/stored-row.ts'
import { type EntryChange, entryChanges } from './entry-changes.ts'
import { checkFree, type EntryWrite, entryWrite } from './entry-write.ts'
import { IndexPath } from './index-path.ts'

/** Keeps the entries of all indexes of a model in step with its rows, in the same transactions. */
export class IndexKeeper implements RowKeeper {
  readonly rows: FilterNode
  readonly beginnings: readonly string[]
  readonly path: RowPath
  readonly #model: EntityModel<object>
  readonly #indexes: readonly EntityIndex[]
  readonly #catalogue: IndexCatalogue<EntityIndex>

  /**
   * @param model - the model whose rows are indexed
   * @param indexes - its indexes
   * @param catalogue - their states
   */
  constructor(
    model: EntityModel<object>,
    indexes: readonly EntityIndex[],
    catalogue: IndexCatalogue<EntityIndex>,
  ) {
    this.#model = model
    this.#indexes = indexes
    this.#catalogue = catalogue
    this.path = new IndexPath(indexes, catalogue)
    this.beginnings = [CATALOGUE, ...indexes.map(({ beginning }) => beginning)]
    this.rows = rowFilter(model, this.beginnings)
  }

  /** A merge that changes no entry of this program may change one of another declaration, so the catalogue must be known. */
  touches(names: ReadonlySet<string>, table: KeptTable): boolean {
    return !this.#catalogue.isLeased(table) || this.#indexes.some((index) => index.touches(names))
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    for (const { key } of transitions) this.#checkRowKey(key.rowKey)
    const changes: EntryChange[] = []
    for (const [index, state] of await this.#catalogue.kept(call.table, call.options)) {
      if (state !== 'disabled') changes.push(...entryChanges(index, transitions))
    }
    const planned = await Promise.all(changes.map((change) => entryWrite(change, call)))
    const writes = planned.flatMap((each) => each ?? [])
    return {
      companions: writes.map(({ change }) => change),
      rejected: (index, error) => afterRejection(writes[index], call, error),
    }
  }

  #checkRowKey(rowKey: string): void {
    for (const { name, beginning } of this.#indexes) {
      checkOwnKey(this.#model, rowKey, { kind: `the entries of index ${name}`, beginning })
    }
    const kind = 'the entries of the catalogue of indexes'
    checkOwnKey(this.#model, rowKey, { kind, beginning: CATALOGUE })
  }
}

/**
 * A missing or changed entry is looked up in the next attempt; a taken value ends the call.
 *
 * @throws UniqueValueError when the value is taken
 */
async function afterRejection(
  write: EntryWrite | undefined,
  call: KeptCall,
  error: BatchError,
): Promise<Error | undefined> {
  if (write === undefined || !isConflict(error)) return error
  if (error.status !== 409) return undefined
  const stored = await findStored(call.table, write.entry.key, call.options)
  if (stored !== undefined) await checkFree(write.index, write.entry, stored, call)
  return undefined
}
