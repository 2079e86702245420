import type { KeptTable, PathPage, PathPlan, PathQuery, RowPath } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import type { IndexCatalogue } from '../catalogue/index-catalogue.ts'
import { chooseIndexes, type IndexRange } from './index-choice.ts'
import type { EntityIndex } from './index-entry.ts'
import { fetchByIndex, KEYS_PER_PAGE, ROWS_AT_ONCE } from './indexed-page.ts'

/** Finds the rows of queries by the indexes of a model. */
export class IndexPath implements RowPath {
  readonly #indexes: readonly EntityIndex[]
  readonly #catalogue: IndexCatalogue

  /**
   * @param indexes - the indexes of the model
   * @param catalogue - their states
   */
  constructor(indexes: readonly EntityIndex[], catalogue: IndexCatalogue) {
    this.#indexes = indexes
    this.#catalogue = catalogue
  }

  /** The state is the one that this process read last. */
  explain({ filter }: PathQuery, table: KeptTable): PathPlan {
    const { ranges, reasons } = chooseIndexes(filter, this.#indexes)
    const unread: string[] = []
    for (const { index } of ranges) {
      const state = this.#catalogue.lastKnown(table, index.name)
      if (state === 'readable') return { index: index.name, reasons: [costOf(index)] }
      if (state === undefined) {
        return {
          index: index.name,
          reasons: [
            costOf(index),
            `The state of index ${index.name} is not read yet: unless it is readable, the filter is sent.`,
          ],
        }
      }
      unread.push(`Index ${index.name} is not used: its state is ${state}.`)
    }
    return { reasons: [...unread, ...reasons] }
  }

  async fetchPage(
    query: PathQuery,
    table: KeptTable,
    options: CallOptions,
  ): Promise<PathPage | undefined> {
    const range = await this.#readable(query, table, options)
    return range && fetchByIndex(range, query, table, options)
  }

  async #readable(
    { filter }: PathQuery,
    table: KeptTable,
    options: CallOptions,
  ): Promise<IndexRange | undefined> {
    for (const range of chooseIndexes(filter, this.#indexes).ranges) {
      const state = await this.#catalogue.state(table, range.index.name, options)
      if (state === 'readable') return range
    }
    return undefined
  }
}

function costOf({ name, isUnique }: EntityIndex): string {
  return isUnique
    ? `Reads by the unique index ${name}: its entry, and then one entity by its key.`
    : `Reads by the index ${name}: one request for ${KEYS_PER_PAGE} entries, and one read by key for each entity, up to ${ROWS_AT_ONCE} at once.`
}
