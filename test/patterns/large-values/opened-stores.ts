import { chunkStore, type LargeValueStore } from '@rowkey/patterns'
import { office } from '../employees.ts'

/** A store in chunk rows. */
export async function chunks(): Promise<LargeValueStore> {
  const { account } = office()
  await account.createTable('values')
  return chunkStore(account, { table: 'values' })
}

/** Bytes that differ from place to place. */
export function bytesOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at++) bytes[at] = (at * 31) % 251
  return bytes
}

/** The addresses of a store, in order. */
export async function addressesOf(store: LargeValueStore, beginning = ''): Promise<string[]> {
  const found: string[] = []
  for await (const { address } of store.list(beginning)) found.push(address)
  return found.sort()
}
