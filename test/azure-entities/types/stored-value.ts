import type { BaseType, Row } from '@rowkey/azure-entities'

const cryptoKey = Buffer.alloc(32, 7)

/** Returns the row to which a type writes a value of the property `p`. */
export function serialized<Value>(type: BaseType<Value>, value: Value): Row {
  const row: Row = {}
  type.serialize(row, value, cryptoKey)
  return row
}

/** Returns what a type reads of the row that it wrote. */
export function roundTrip<Value>(type: BaseType<Value>, value: Value): Value {
  return type.deserialize(JSON.parse(JSON.stringify(serialized(type, value))), cryptoKey)
}

/** Returns the row of bytes in one chunk. */
export const chunk = (text: string) => ({
  '__buf0_p@odata.type': 'Edm.Binary',
  __buf0_p: Buffer.from(text).toString('base64'),
  __bufchunks_p: 1,
})
