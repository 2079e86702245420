import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import type { ExternalStore } from './external-store.ts'

/** The property of a model whose values are outside. */
export interface ExternalProperty {
  readonly model: EntityModel<object, object, object>
  /** The member of the entities. */
  readonly property: string
  /** The stored name. */
  readonly name: string
  readonly store: ExternalStore
}

/** Rejects writes whose row would refer to a missing value, or to the value of another row. */
export class ExternalKeeper implements RowKeeper {
  readonly uncopied: string
  readonly #external: ExternalProperty

  /** @param external - the property */
  constructor(external: ExternalProperty) {
    const { model, property } = external
    this.uncopied = `The copies would refer to the values of the other rows by ${model.title}.${property}, which are deleted with those rows. Load each value, and save it in the new row; or copy to a table without a model, as a backup.`
    this.#external = external
  }

  touches(names: ReadonlySet<string>): boolean {
    return names.has(this.#external.name)
  }

  async plan(
    transitions: readonly RowTransition[],
    { table, options }: KeptCall,
  ): Promise<KeptPlan> {
    const series = table.service.pendingCalls.seriesOf(options)
    await Promise.all(transitions.map((each) => this.#check(each, table.name, series)))
    return { companions: [], rejected: async (_, error) => error }
  }

  async #check(
    { key, before, after }: RowTransition,
    table: string,
    options: CallOptions,
  ): Promise<void> {
    const { model, property, name, store } = this.#external
    const address = after?.[name]
    if (typeof address !== 'string' || address === before?.[name]) return
    const isOwn = address.startsWith(beginningOf(table, key, name))
    if (isOwn && (await store.has(address, options))) return
    const problem = isOwn
      ? 'refers to a value that the store does not have'
      : 'refers to the value of another row or table, which is deleted with that row'
    throw patternsInputError({
      code: 'InvalidExternalAddress',
      message: `${model.title}.${property} ${problem}. Store the value with stage or save of its external values.`,
      details: { property: `${model.title}.${property}` },
    })
  }
}

/** Returns what the addresses of all values of a row begin with. */
export function beginningOf(table: string, key: EntityKey, name: string): string {
  const keys = [key.partitionKey, key.rowKey].map(encodeURIComponent)
  return [table, ...keys, name, ''].join('/')
}

/** Returns the row and the property of an address; `undefined` for the address of another program. */
export function parseAddress(
  address: string,
): { readonly key: EntityKey; readonly name: string } | undefined {
  const [, partitionKey, rowKey, name, id, more] = address.split('/')
  if (partitionKey === undefined || rowKey === undefined || name === undefined) return undefined
  if (id === undefined || more !== undefined) return undefined
  try {
    const key = {
      partitionKey: decodeURIComponent(partitionKey),
      rowKey: decodeURIComponent(rowKey),
    }
    return { key, name }
  } catch {
    return undefined
  }
}
