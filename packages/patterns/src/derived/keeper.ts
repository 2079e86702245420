import {
  type EntityModel,
  type KeptCall,
  keepersOf,
  keepRows,
  type RowKeeper,
} from '@rowkey/mapper'
import { notSent } from '../conflicts/retry-conflicts.ts'
import { NOTHING_KEPT } from '../rows/kept-rows.ts'
import { type Catalogue, type CatalogueEntries, catalogueOf, isKept } from './catalogue.ts'
import type { Derived } from './definition.ts'

/** Lets only writes of a model pass that leave no definition of another program wrong. */
class CatalogueGuard implements RowKeeper {
  readonly #catalogue: Catalogue

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  // A merge that changes nothing that this program derives may change what another one does, so the catalogue must be known.
  touches: RowKeeper['touches'] = (_, table) => !this.#catalogue.letsWrite(table)

  async plan(_: unknown, { table, options }: KeptCall) {
    await this.#catalogue.forWrite(table, options).catch((error: unknown) => {
      throw notSent(error, 'the states of what is derived from its rows could not be read')
    })
    return NOTHING_KEPT
  }
}

/**
 * Declares what is derived from the rows of a model: every write of its tables reads the catalogue once a lease from then on.
 *
 * @param model - the model
 * @param definitions - what is derived
 * @param lease - milliseconds for which a process may use what it read; as before when absent
 * @param declaration - the function that the caller used, for messages
 * @returns the catalogue of the model
 */
export function declareDerived(
  model: EntityModel<object, object, object>,
  definitions: Iterable<Derived>,
  lease: number | undefined,
  declaration: string,
): Catalogue {
  const catalogue = catalogueOf(model)
  catalogue.declare(definitions, lease)
  if (!keepersOf(model).some((each) => each instanceof CatalogueGuard)) {
    keepRows(model, new CatalogueGuard(catalogue), declaration)
  }
  return catalogue
}

/** Returns those of some definitions that a write keeps. The guard of the model has read the catalogue for it. */
export function keptOf<Kept extends Derived>(
  definitions: readonly Kept[],
  catalogue: Catalogue,
  { table }: KeptCall,
): readonly Kept[] {
  const entries: CatalogueEntries = catalogue.lastKnown(table) ?? {}
  return definitions.filter(({ id }) => isKept(entries[id]))
}
