import type { KeptCall, KeptPlan, KeptTable, RowKeeper, RowTransition } from '@rowkey/mapper'
import { CATALOGUE, type IndexCatalogue } from '../catalogue/index-catalogue.ts'
import type { EntityIndex } from '../definitions/index-entry.ts'

/** Rejects writes whose messages would be about the entries of another declaration. */
export class CatalogueGuard implements RowKeeper {
  readonly beginnings: readonly string[]
  readonly #catalogue: IndexCatalogue<EntityIndex>

  /**
   * @param catalogue - the states of the indexes of a model
   * @param indexes - the indexes, whose entries may lie among the rows
   */
  constructor(catalogue: IndexCatalogue<EntityIndex>, indexes: readonly EntityIndex[]) {
    this.#catalogue = catalogue
    const own = indexes.filter(({ entryTable }) => entryTable === undefined)
    this.beginnings = [CATALOGUE, ...own.map(({ beginning }) => beginning)]
  }

  touches(_: ReadonlySet<string>, table: KeptTable): boolean {
    return !this.#catalogue.isLeased(table)
  }

  async plan(_: readonly RowTransition[], { table, options }: KeptCall): Promise<KeptPlan> {
    await this.#catalogue.kept(table, options)
    return { companions: [], rejected: async (__, error) => error }
  }
}
