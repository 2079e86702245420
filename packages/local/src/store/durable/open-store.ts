import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import type { ServiceProperties } from '../../properties/service-properties.ts'
import { DurableTables } from './durable-tables.ts'
import { CLOCK_KEY, DROPPED, PROPERTIES } from './record-key.ts'
import { Records } from './records.ts'
import { parseProperties } from './table-text.ts'

/** What a durable store keeps at hand while it is open: everything but rows. */
export interface OpenStore {
  /** All that is in the folder. */
  readonly records: Records
  /** The tables of every account. */
  readonly tables: DurableTables
  /** By the name of the account; absent for one whose properties nobody set. */
  readonly properties: Map<string, ServiceProperties>
  /** The latest Timestamp ever given; absent when there was none. */
  readonly latest: DateTimeValue | undefined
  /** The numbers of dropped tables whose rows are not yet all removed. */
  readonly dropped: readonly number[]
}

/** @throws StoreError when the folder cannot be used or its files are damaged */
export async function openStore(folder: string): Promise<OpenStore> {
  const records = await Records.open(folder)
  const properties = new Map<string, ServiceProperties>()
  await records.scan(PROPERTIES, (text) => {
    const record = parseProperties(text)
    return properties.set(record.account, record.properties) !== undefined
  })
  const dropped: number[] = []
  await records.scan(DROPPED, (text) => dropped.push(Number(text)) > 0)
  const latest = await records.get(CLOCK_KEY)
  return {
    records,
    tables: await DurableTables.load(records),
    properties,
    latest: latest === undefined ? undefined : parseDateTime(latest),
    dropped,
  }
}
