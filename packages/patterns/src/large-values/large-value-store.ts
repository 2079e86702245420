import type { Account } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/odata'
import { AbortError, type CallOptions } from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { aThingWith } from '../errors/rules.ts'

/** A value that a store has. */
export interface StoredValue {
  /** Where it is. */
  readonly address: string
  /** When it was stored, by the clock of the store. */
  readonly storedAt: Date
}

/** Keeps large values outside of the table, each under an address. A value never changes. */
export interface LargeValueStore {
  /**
   * Stores a value. When this has resolved, {@link LargeValueStore.get} returns it, also after a crash.
   *
   * @param address - a new address: keys and names as URLs encode them, with `/` between them
   * @param bytes - the value
   * @param options - those of the caller's call that its requests have, for a store in the tables of the account: `signal`, `deadline`,
   * `timeout`, `retry` and `context`
   */
  put(address: string, bytes: Uint8Array, options?: CallOptions): Promise<void>
  /** Reads a value; `undefined` when it does not exist or was not stored completely. */
  get(address: string, options?: CallOptions): Promise<Uint8Array | undefined>
  /** Tells whether a value exists and was stored completely. */
  has(address: string, options?: CallOptions): Promise<boolean>
  /** Deletes a value, or what a crash left of it. A missing value is not an error. */
  delete(address: string, options?: CallOptions): Promise<void>
  /**
   * Lists the values whose addresses begin with a text, and what crashes left of incomplete ones.
   *
   * @param beginning - the beginning of the addresses
   * @param options - the options of the calls, for a store in the tables of the account
   */
  list(beginning: string, options?: CallOptions): AsyncIterable<StoredValue>
}

/**
 * Awaits calls of a store. What they throw when their signal aborts is their own.
 *
 * @throws AbortError when the signal has ended them
 */
export async function endingCalls<Result>(
  calls: Promise<Result>,
  { signal }: CallOptions,
): Promise<Result> {
  try {
    return await calls
  } catch (error) {
    if (!signal?.aborted || isRowkeyError(error)) throw error
    throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
  }
}

const aStore = aThingWith('a store such as chunkStore', 'put', 'get', 'has', 'delete', 'list')

/**
 * Returns a function that returns the store of an account, and makes it when it is needed first.
 *
 * @param make - the caller's function
 * @throws InputError (`InvalidPatternOption`) when it returns something else
 */
export function storesOf(
  make: (account: Account) => LargeValueStore,
): (account: Account) => LargeValueStore {
  const stores = new WeakMap<Account, LargeValueStore>()
  return (account) => {
    const store = stores.get(account) ?? make(account)
    checkArgument(aStore, store, 'The result of store of declareLargeValues')
    stores.set(account, store)
    return store
  }
}
