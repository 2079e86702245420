import type { Account, EntityModel, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import { optionsOfEachRequest } from '../options/pattern-options.ts'
import { NOTHING_KEPT } from '../rows/kept-rows.ts'
import type { RowsWithin } from '../rows/rows-within.ts'
import { endingCalls, type LargeValueStore } from './large-value-store.ts'

/** The property of a model whose values are outside. */
export interface LargeValueProperty {
  readonly model: EntityModel<object, object, object>
  /** The member of the entities. */
  readonly property: string
  /** The stored name. */
  readonly name: string
  /** Returns what keeps the values of an account. */
  readonly storeOf: (account: Account) => LargeValueStore
}

/** Rejects writes whose row would refer to a missing value, or to the value of another row. */
export function largeValueKeeper(values: LargeValueProperty): RowKeeper {
  const { model, property, name, storeOf } = values
  return {
    uncopied: `The copies would refer to the values of the other rows by ${model.title}.${property}, which are deleted with those rows. Load each value, and save it in the new row; or copy to a table without a model, as a backup.`,
    touches: (names) => names.has(name),
    async plan(transitions, { table, account, options }) {
      const waited = optionsOfEachRequest(options)
      // The account opened the table.
      const place = { account: account as Account, name: table.name }
      await Promise.all(transitions.map((each) => checkValue(values, each, place, waited)))
      return NOTHING_KEPT
    },
    async follow(partitions, { table, account, options }) {
      const waited = optionsOfEachRequest(options)
      const place = { account: account as Account, name: table.name }
      const store = storeOf(place.account)
      const addresses = placeBeginning(place, partitions)
      const deleteAll = async () => {
        for await (const { address } of store.list(addresses, waited)) {
          if (parseAddress(address)?.name === name) await store.delete(address, waited)
        }
      }
      await endingCalls(deleteAll(), options)
    },
  }
}

async function checkValue(
  { model, property, name, storeOf }: LargeValueProperty,
  { key, before, after }: RowTransition,
  place: LargeValuePlace,
  options: CallOptions,
): Promise<void> {
  const address = after?.[name]
  if (typeof address !== 'string' || address === before?.[name]) return
  // A new version of a model may store the property under another name.
  const isLeft = (each: string) => before?.[each] === address && after?.[each] !== address
  const isOfRow = address.startsWith(rowBeginning(place, key))
  if (isOfRow && Object.keys(before ?? {}).some(isLeft)) return
  const isOwn = address.startsWith(beginningOf(place, key, name))
  const has = isOwn && endingCalls(storeOf(place.account).has(address, options), options)
  if (await has) return
  throw invalidAddress(
    { model, property },
    isOwn
      ? 'refers to a value that the store does not have'
      : 'refers to the value of another row, table or account, which is deleted with that row',
  )
}

/** Makes the error of an address that a row cannot have. */
export function invalidAddress(
  { model, property }: Pick<LargeValueProperty, 'model' | 'property'>,
  problem: string,
): Error {
  return patternsInputError({
    code: 'InvalidLargeValue',
    message: `${model.title}.${property} ${problem}. Store the value with stage or save of its large values.`,
    details: { property: `${model.title}.${property}` },
  })
}

/** The table of some values. */
export interface LargeValuePlace {
  readonly account: Account
  /** The name of the table. */
  readonly name: string
}

/**
 * Returns what the addresses of all values of a table begin with, or those of some partitions. Two accounts may share a store: each
 * has its own addresses.
 */
export function placeBeginning(
  { account, name }: LargeValuePlace,
  { beginning, isOne }: RowsWithin['partitions'] = ALL_PARTITIONS,
): string {
  return `${account.service.endpoint.account}/${name}/${encodeURIComponent(beginning)}${isOne ? '/' : ''}`
}

const ALL_PARTITIONS: RowsWithin['partitions'] = { beginning: '', isOne: false }

/** Returns what the addresses of all values of a property of a row begin with. */
export function beginningOf(place: LargeValuePlace, key: EntityKey, name: string): string {
  return `${rowBeginning(place, key)}${name}/`
}

/** Returns what the addresses of all values of a row begin with, also those of other properties. */
function rowBeginning(place: LargeValuePlace, { partitionKey, rowKey }: EntityKey): string {
  const keys = [partitionKey, rowKey].map(encodeURIComponent)
  return `${placeBeginning(place)}${keys.join('/')}/`
}

/** Returns the row and the property of an address; `undefined` for the address of another program. */
export function parseAddress(
  address: string,
): { readonly key: EntityKey; readonly name: string } | undefined {
  const [, , partitionKey, rowKey, name, id, more] = address.split('/')
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
